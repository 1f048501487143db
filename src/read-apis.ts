/** The second stage of a run: each API of the sources, and every fault of them that can be told. */
import { Collector, type Diagnostic, type DocumentUri } from './diagnostics.js';
import { groupEntries } from './entries.js';
import type { Api } from './ir/api.js';
import type { LoadResult } from './load/load.js';
import type { Sources } from './load/sources.js';
import type { Sound } from './normalise/keep-going.js';
import { type NormaliseOptions, normalise } from './normalise/normalise.js';

export interface NamedApi {
  /** The child folder of this API; empty where there is one API only. */
  readonly folder: string;
  readonly api: Api;
  /** The operations that it lacks because of a fault: `GET "/pets/{id}"`. */
  readonly withoutOperations: readonly string[];
}

export interface ReadApis {
  /** Those that could be read; without what is broken where there are errors. */
  readonly apis: readonly NamedApi[];
  /** Whether all of them could be. */
  readonly complete: boolean;
  /** Of this stage and of the one before. */
  readonly diagnostics: readonly Diagnostic[];
  /** How a configuration may name what is left out because of a fault. */
  readonly leftOut: ReadonlySet<string>;
}

type OptionsOf = (entries: readonly DocumentUri[]) => NormaliseOptions;

const none: ReadonlySet<never> = new Set();

/** With `keepGoing` faults name what is left out because of them; without it nothing but diagnostics comes of a run that has any. */
export async function readApis(loaded: LoadResult, keepGoing: boolean, optionsOf: OptionsOf): Promise<ReadApis> {
  const { partial: sources, complete, diagnostics: faults } = loaded;
  if (sources === undefined) return { apis: [], complete: false, diagnostics: faults, leftOut: none };
  const groups = groupEntries(sources);
  const telling = !(keepGoing && complete);
  const sound: Sound[] = [];
  for (const { entries } of groups) sound.push(await readApi(sources, optionsOf(entries), faults, telling));
  // A fault counts unless all that it concerns is left out by choice.
  const beside = new Set(sound.flatMap((one) => [...one.beside]));
  for (const one of sound) for (const fault of one.concerning) beside.delete(fault);
  const counting = faults.filter((fault) => !beside.has(fault));
  const said = new Collector();
  if (telling) said.addAll(counting);
  for (const { diagnostics } of sound) said.addAll(diagnostics);
  said.addAll(counting);
  const apis = groups.flatMap(({ folder }, index) => {
    const { api, withoutOperations = [] } = sound[index] ?? {};
    return api === undefined ? [] : [{ folder, api, withoutOperations }];
  });
  return {
    apis,
    complete: complete && apis.length === groups.length,
    diagnostics: said.diagnostics,
    leftOut: new Set(sound.flatMap(({ leftOut }) => [...leftOut])),
  };
}

/** Most documents have no fault; what looks for all that is wrong is read for the others only. */
async function readApi(
  sources: Sources,
  options: NormaliseOptions,
  faults: readonly Diagnostic[],
  telling: boolean,
): Promise<Sound> {
  if (!faults.some(({ severity }) => severity === 'error')) {
    const read = normalise(sources, options);
    if (read.ok)
      return {
        api: read.value,
        diagnostics: read.diagnostics,
        leftOut: none,
        withoutOperations: [],
        concerning: none,
        beside: none,
      };
  }
  const { normaliseWhatIsSound } = await import('./normalise/keep-going.js');
  return normaliseWhatIsSound(sources, options, faults, telling ? 'tell' : 'leave out');
}
