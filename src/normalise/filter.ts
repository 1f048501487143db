/**
 * Filters: which operations and named schemas of a description are generated. `tag:pets`, `operation:getPet`, `path:/v2/**` and
 * `deprecated` choose operations, `schema:Pet*` and `deprecated` choose schemas; each kind by itself. What is excluded
 * wins over what is included. Works before anything is read, so what is left out costs nothing.
 */
import type { Collector } from '../diagnostics.js';
import { quote } from '../diagnostics.js';
import { member } from '../json-object.js';
import type { OperationFacts, SchemaFacts, Selection, Wanted } from './selection.js';

export interface FilterOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Schemas that nothing refers to are left out. */
  readonly dropUnreachable: boolean;
}

/** The name that is nearest to a misspelt one; given by the caller, who knows how names are compared. */
export type Nearest = (name: string, known: readonly string[]) => string | undefined;

type Kind = 'tag' | 'operation' | 'path' | 'schema' | 'deprecated';

interface Pattern {
  readonly text: string;
  readonly kind: Kind;
  readonly matches: (name: string) => boolean;
  used: boolean;
}

const operationKinds: ReadonlySet<Kind> = new Set(['tag', 'operation', 'path']);

/** Names that a pattern of a kind could have meant; so many are kept. */
const rememberedNames = 5000;

export class Filter implements Selection {
  readonly #include: readonly Pattern[];
  readonly #exclude: readonly Pattern[];
  readonly #dropUnreachable: boolean;
  readonly #names = new Map<Kind, Set<string>>();
  readonly #excluded = new Set<string>();

  constructor({ include, exclude, dropUnreachable }: FilterOptions) {
    this.#include = include.map(readPattern);
    this.#exclude = exclude.map(readPattern);
    this.#dropUnreachable = dropUnreachable;
  }

  operation(facts: OperationFacts): boolean {
    const { path, method, value } = facts;
    const operationId = member(value, 'operationId');
    const tags = member(value, 'tags');
    const names: Record<Kind, readonly string[]> = {
      tag: Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [],
      operation: [...(typeof operationId === 'string' ? [operationId] : []), `${method.toUpperCase()} ${path}`],
      path: [path],
      schema: [],
      deprecated: member(value, 'deprecated') === true ? [''] : [],
    };
    const wanted = this.#wants(names, (kind) => kind !== 'schema') !== 'no';
    if (!wanted) for (const name of names.operation) this.#excluded.add(name);
    return wanted;
  }

  schema({ name, value }: SchemaFacts): Wanted {
    const deprecated = member(value, 'deprecated') === true ? [''] : [];
    const names = { tag: [], operation: [], path: [], schema: [name], deprecated };
    const wanted = this.#wants(names, (kind) => !operationKinds.has(kind));
    if (wanted === 'no') this.#excluded.add(name);
    return wanted === 'yes' && this.#dropUnreachable ? 'reached' : wanted === 'included' ? 'yes' : wanted;
  }

  /** How a configuration may name what was left out: `getPet`, `GET /pets/{id}`, `Pet`. */
  get excluded(): ReadonlySet<string> {
    return this.#excluded;
  }

  /** Says which patterns chose nothing. */
  report(found: Collector, nearest: Nearest): void {
    for (const { text, kind, used } of [...this.#include, ...this.#exclude]) {
      if (used) continue;
      const name = text.slice(kind.length + 1);
      const meant = kind === 'deprecated' ? undefined : nearest(name, [...(this.#names.get(kind) ?? [])]);
      const suggestion = meant === undefined ? '' : `; did you mean ${quote(`${kind}:${meant}`)}?`;
      found.report('filter-unmatched', `the filter ${quote(text)} matches nothing${suggestion}`);
    }
  }

  #wants(
    names: Readonly<Record<Kind, readonly string[]>>,
    concerns: (kind: Kind) => boolean,
  ): 'included' | 'yes' | 'no' {
    for (const kind of ['tag', 'operation', 'path', 'schema'] as const) {
      const known = this.#names.get(kind) ?? new Set();
      for (const name of names[kind]) if (known.size < rememberedNames) known.add(name);
      this.#names.set(kind, known);
    }
    // Each pattern is tried, so that none that could have matched is called unused.
    const hits = (patterns: readonly Pattern[]): boolean =>
      patterns.filter((pattern) => {
        const hit = names[pattern.kind].some(pattern.matches);
        if (hit) pattern.used = true;
        return hit;
      }).length > 0;
    const included = hits(this.#include);
    const excluded = hits(this.#exclude);
    if (excluded) return 'no';
    if (included) return 'included';
    return this.#include.some(({ kind }) => concerns(kind)) ? 'no' : 'yes';
  }
}

function readPattern(text: string): Pattern {
  const colon = text.indexOf(':');
  const kind = (colon < 0 ? text : text.slice(0, colon)) as Kind;
  const name = text.slice(colon + 1);
  return { text, kind, matches: colon < 0 ? () => true : matcher(name, kind === 'path'), used: false };
}

/**
 * `*` stands for any letters, in a path for those of one segment, `**` for any at all; a path without either is meant with
 * what lies below it. Linear: the literal parts are searched from left to right, those of one segment without leaving it.
 */
function matcher(pattern: string, isPath: boolean): (name: string) => boolean {
  if (!pattern.includes('*')) {
    if (!isPath) return (name) => name === pattern;
    const below = pattern.endsWith('/') ? pattern : `${pattern}/`;
    return (name) => name === pattern || name.startsWith(below);
  }
  const pieces = pattern.split(/(\*\*|\*)/);
  return (name) => matchPieces(pieces, name, isPath);
}

/** Every position that the pieces so far can end at is kept; there are at most as many as the name has letters. */
function matchPieces(pieces: readonly string[], name: string, isPath: boolean): boolean {
  let ends: ReadonlySet<number> = new Set([0]);
  for (const [index, piece] of pieces.entries()) {
    const next = new Set<number>();
    for (const end of ends) {
      if (index % 2 === 0) {
        if (name.startsWith(piece, end)) next.add(end + piece.length);
        continue;
      }
      for (let at = end; at <= name.length; at += 1) {
        // What another end has reached before goes on alike.
        if (next.has(at)) break;
        next.add(at);
        if (isPath && piece === '*' && name[at] === '/') break;
      }
    }
    ends = next;
    if (ends.size === 0) return false;
  }
  return ends.has(name.length);
}
