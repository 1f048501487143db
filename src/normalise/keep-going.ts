/**
 * What to do about faults. `--keep-going` leaves out what a fault concerns and reads everything else: an operation of which a
 * part is broken is left out as a whole, and so is a named schema; what is generated is right, or it is not there. Without it
 * nothing is generated, and the same work tells what else is wrong: one fault does not hide another.
 */
import { type Address, Collector, type Diagnostic, quote, type Related } from '../diagnostics.js';
import type { Api } from '../ir/api.js';
import { member } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import { BrokenParts } from './broken-parts.js';
import { type NormaliseOptions, normalise } from './normalise.js';
import { type OperationFacts, placeOf, type SchemaFacts, type Selection, without } from './selection.js';

/** `leave out`: faults name what is left out because of them. `tell`: nothing comes of the run but diagnostics. */
export type FaultMode = 'leave out' | 'tell';

export interface Sound {
  /** Without what is broken; absent where a fault concerns the document as a whole. */
  readonly api?: Api;
  readonly diagnostics: readonly Diagnostic[];
  /** How a configuration may name what is left out because of a fault: `getPet`, `GET /pets/{id}`, `Pet`. */
  readonly leftOut: ReadonlySet<string>;
  /** The operations among that, as people name them: `GET "/pets/{id}"`. */
  readonly withoutOperations: readonly string[];
  /** The faults of the stage before that concern what is read. */
  readonly concerning: ReadonlySet<Diagnostic>;
  /** The faults of the stage before that concern only what is not selected. */
  readonly beside: ReadonlySet<Diagnostic>;
}

/** So many parts that a fault breaks are named. */
const namedParts = 3;

/** What can be left out because of a fault. */
interface Part {
  readonly at: Address;
  readonly rank: number;
  readonly name: string;
  /** How a configuration may name it. */
  readonly keys: readonly string[];
}

/** Normalises without what is broken. `faults` are those of the stage before. */
export function normaliseWhatIsSound(
  sources: Sources,
  options: NormaliseOptions,
  faults: readonly Diagnostic[],
  mode: FaultMode,
): Sound {
  const listener = new Listener(options.selection);
  const first = normalise(sources, { ...options, selection: listener });
  const found = errorsOf(first.diagnostics);
  const known = errorsOf(faults);
  const said = new Collector();
  const broken = new Set<string>();
  const graph = new BrokenParts(sources, listener.operations, listener.schemas);
  const brokenBy = ({ at }: Diagnostic): ReadonlySet<string> | undefined => at && graph.brokenBy(at);
  const judged = listener.judge(known, brokenBy, found);
  const { parts } = listener;
  const isEcho = echoesOf(known);
  let result = first;
  let errors: readonly Diagnostic[] = [...judged.concerning, ...found];
  while (errors.length > 0) {
    const before = broken.size;
    for (const error of errors) {
      const concerned = partsOf(brokenBy(error), parts);
      for (const { at } of concerned) broken.add(placeOf(at));
      if (!isEcho(error)) said.add(mode === 'tell' ? error : withNotes(error, concerned));
    }
    if (broken.size === before) break;
    result = normalise(sources, { ...options, selection: without(broken, options.selection) });
    errors = errorsOf(result.diagnostics);
  }
  // What is left concerns nothing that is generated. A circle without an end would have none in later stages either.
  if (!result.ok && !errors.some(({ code }) => code === 'ref-circular'))
    result = normalise(sources, {
      ...options,
      selection: without(broken, options.selection),
      tolerateErrors: true,
    });
  if (mode === 'tell') said.addAll(first.diagnostics.filter((entry) => !isEcho(entry)));
  said.addAll(result.diagnostics.filter((entry) => !isEcho(entry)));
  const missing = parts.filter(({ at }) => broken.has(placeOf(at)));
  return {
    ...(result.ok && { api: result.value }),
    diagnostics: said.diagnostics,
    leftOut: new Set(missing.flatMap(({ keys }) => keys)),
    withoutOperations: [...new Set(missing.flatMap(({ rank, name }) => (rank === 0 ? [name] : [])))],
    ...judged,
  };
}

/** Sees what the readers ask for, so that parts are what they take for parts. */
class Listener implements Selection {
  readonly operations: OperationFacts[] = [];
  readonly schemas: SchemaFacts[] = [];
  readonly parts: Part[] = [];
  /** The places of what is read in any case. */
  readonly #wanted = new Set<string>();
  readonly #selection: Selection | undefined;

  constructor(selection: Selection | undefined) {
    this.#selection = selection;
  }

  operation(facts: OperationFacts): boolean {
    const wanted = this.#selection?.operation(facts) ?? true;
    this.operations.push(facts);
    if (!wanted) return false;
    const place = `${facts.method.toUpperCase()} ${facts.path}`;
    const id = member(facts.value, 'operationId');
    const keys = typeof id === 'string' ? [id, place] : [place];
    this.parts.push({ at: facts.at, rank: 0, name: `${facts.method.toUpperCase()} ${quote(facts.path)}`, keys });
    this.#wanted.add(placeOf(facts.at));
    return true;
  }

  schema(facts: SchemaFacts): 'yes' | 'reached' | 'no' {
    const wanted = this.#selection?.schema(facts) ?? 'yes';
    this.schemas.push(facts);
    if (wanted === 'no') return 'no';
    this.parts.push({ at: facts.at, rank: 1, name: `the schema ${quote(facts.name)}`, keys: [facts.name] });
    if (wanted === 'yes') this.#wanted.add(placeOf(facts.at));
    return wanted;
  }

  /** Tells the faults that concern what is read from those that concern only what is not selected; others are neither. */
  judge(
    faults: readonly Diagnostic[],
    brokenBy: (fault: Diagnostic) => ReadonlySet<string> | undefined,
    found: readonly Diagnostic[],
  ): Pick<Sound, 'concerning' | 'beside'> {
    const all = new Set([...this.operations, ...this.schemas].map(({ at }) => placeOf(at)));
    const concerning = new Set<Diagnostic>();
    const beside = new Set<Diagnostic>();
    for (const fault of faults) {
      const places = [...(brokenBy(fault) ?? [])];
      const isFound = found.some(
        ({ code, at }) => code === fault.code && at && fault.at && placeOf(at) === placeOf(fault.at),
      );
      if (isFound || places.some((place) => this.#wanted.has(place))) concerning.add(fault);
      else if (places.some((place) => all.has(place))) beside.add(fault);
    }
    return { concerning, beside };
  }
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/**
 * What only follows from a fault of the stage before: a document that could not be read has a diagnostic of its own, and
 * so has a `$ref` that is no text.
 */
function echoesOf(known: readonly Diagnostic[]): (entry: Diagnostic) => boolean {
  const places = new Set(known.flatMap(({ at }) => (at ? [`${placeOf(at)}/$ref`] : [])));
  const said = new Set(known);
  return (entry) =>
    !said.has(entry) && (entry.code === 'file-unreadable' || (entry.at !== undefined && places.has(placeOf(entry.at))));
}

/** Operations first: they are what is missed first. */
function partsOf(places: ReadonlySet<string> | undefined, parts: readonly Part[]): readonly Part[] {
  if (places === undefined) return [];
  return parts.filter(({ at }) => places.has(placeOf(at))).sort((left, right) => left.rank - right.rank);
}

/** The fault with what is left out because of it. */
function withNotes(error: Diagnostic, concerned: readonly Part[]): Diagnostic {
  if (concerned.length === 0) return error;
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
