/**
 * `--keep-going`: what a fault concerns is left out, and everything else is read. An operation of which a part is broken is left
 * out as a whole, and so is a named schema: what is generated is right, or it is not there.
 */
import { type Address, Collector, type Diagnostic, ok, quote, type Related, type Result } from '../diagnostics.js';
import type { Api } from '../ir/api.js';
import type { Sources } from '../load/sources.js';
import { BrokenParts } from './broken-parts.js';
import { type NormaliseOptions, normalise } from './normalise.js';
import { type OperationFacts, placeOf, type SchemaFacts, type Selection, without } from './selection.js';

/** So many parts that a fault breaks are named. */
const namedParts = 3;

/** What was left out because of one fault. */
interface Part {
  readonly at: Address;
  readonly rank: number;
  readonly name: string;
}

/**
 * Normalises without what is broken. `faults` are those of the stage before. Fails only where a fault concerns the
 * document as a whole.
 */
export function normaliseWhatIsSound(
  sources: Sources,
  options: NormaliseOptions,
  faults: readonly Diagnostic[],
): Result<Api> {
  const parts: Part[] = [];
  const operations: OperationFacts[] = [];
  const schemas: SchemaFacts[] = [];
  /** Sees what the readers ask for, so that parts are what they take for parts. */
  const listening: Selection = {
    operation: (facts) => {
      const wanted = options.selection?.operation(facts) ?? true;
      if (wanted) {
        operations.push(facts);
        parts.push({ at: facts.at, rank: 0, name: `${facts.method.toUpperCase()} ${quote(facts.path)}` });
      }
      return wanted;
    },
    schema: (facts) => {
      const wanted = options.selection?.schema(facts) ?? 'yes';
      if (wanted !== 'no') {
        schemas.push(facts);
        parts.push({ at: facts.at, rank: 1, name: `the schema ${quote(facts.name)}` });
      }
      return wanted;
    },
  };
  const first = normalise(sources, { ...options, selection: listening });
  const known = errorsOf([...faults, ...first.diagnostics]);
  if (known.length === 0) return first;
  const graph = new BrokenParts(sources, operations, schemas);
  const said = new Collector();
  const broken = new Set<string>();
  let result = first;
  let errors: readonly Diagnostic[] = known;
  for (;;) {
    const before = broken.size;
    for (const error of errors) said.add(withNotes(error, error.at && graph.brokenBy(error.at), parts, broken));
    if (broken.size === before) break;
    result = normalise(sources, { ...options, selection: without(broken, options.selection) });
    errors = errorsOf(result.diagnostics);
    if (errors.length === 0) break;
  }
  // What is left concerns nothing that is generated. A circle without an end would have none in later stages either.
  if (!result.ok && !errors.some(({ code }) => code === 'ref-circular'))
    result = normalise(sources, {
      ...options,
      selection: without(broken, options.selection),
      tolerateErrors: true,
    });
  said.addAll(result.diagnostics);
  return result.ok ? ok(result.value, said.diagnostics) : { ok: false, diagnostics: said.diagnostics };
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** The fault with what is left out because of it; its places are added to `broken`. */
function withNotes(
  error: Diagnostic,
  places: ReadonlySet<string> | undefined,
  parts: readonly Part[],
  broken: Set<string>,
): Diagnostic {
  if (places === undefined) return error;
  // Operations first: they are what is missed first.
  const concerned = parts.filter(({ at }) => places.has(placeOf(at))).sort((left, right) => left.rank - right.rank);
  if (concerned.length === 0) return error;
  for (const { at } of concerned) broken.add(placeOf(at));
  const notes: Related[] = concerned.slice(0, namedParts).map(({ at, name }) => ({ message: `left out: ${name}`, at }));
  const more = concerned.length - namedParts;
  const [next] = concerned.slice(namedParts);
  if (next !== undefined)
    notes.push({
      message: `left out: ${more === 1 ? next.name : `${more} others, such as ${next.name}`}`,
      at: next.at,
    });
  return { ...error, related: [...(error.related ?? []), ...notes] };
}
