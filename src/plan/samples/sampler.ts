/**
 * Sample values for schemas of the IR: of documentation and mock answers, and of tests. The same for the same seed,
 * whatever else was asked before. Every value that is given out has been judged by `Validity`, so that generated
 * validators accept it; where none is found, there is none.
 */
import type { Api } from '../../ir/api.js';
import { isPureReference } from '../../ir/resolve.js';
import type { JsonValue, SchemaId } from '../../ir/schema.js';
import type { AssertionOptions } from '../checks/asserted.js';
import type { Direction } from '../target.js';
import { heightsOf } from './heights.js';
import type { Fullness } from './maker.js';
import { changedValue } from './neighbours.js';
import { Random } from './random.js';
import { Validity } from './validity.js';
import { ValueMaker } from './value-maker.js';
import { visibleValue } from './visible-value.js';

export interface SampleOptions {
  /** Another seed gives other values; 0, the default, gives the plainest one. */
  readonly seed?: number;
  readonly fullness?: Fullness;
  /** Take `example`, `examples` and `default` of the document where they are valid (default: with seed 0). */
  readonly documented?: boolean;
}

const longestChain = 100;

export class Sampler {
  readonly validity: Validity;
  readonly #api: Pick<Api, 'schemas' | 'directional'>;
  #heights: ReadonlyMap<SchemaId, number> | undefined;

  constructor(api: Pick<Api, 'schemas' | 'directional'>, options: AssertionOptions) {
    this.#api = api;
    this.validity = new Validity(api.schemas, options);
  }

  accepts(schema: SchemaId, value: JsonValue, direction: Direction): boolean {
    return this.validity.accepts(schema, value, direction);
  }

  /** `undefined` where no valid value was found. */
  sample(schema: SchemaId, direction: Direction, options: SampleOptions = {}): JsonValue | undefined {
    const { seed = 0, fullness = 'all', documented = seed === 0 } = options;
    const maker = new ValueMaker(this.validity, {
      direction,
      fullness,
      random: new Random(seed + hashOf(schema)),
      varied: seed !== 0,
      documented: documented ? (id) => this.#documented(id, direction) : () => undefined,
      heights: () => {
        this.#heights ??= heightsOf(this.#api.schemas);
        return this.#heights;
      },
    });
    return maker.value([schema], 0);
  }

  /** Different values, of every fullness: at most `count`, fewer where the schema has no more that are found. */
  samples(schema: SchemaId, direction: Direction, count: number, seed = 1): readonly JsonValue[] {
    const found = new Map<string, JsonValue>();
    for (let attempt = 0; attempt < count * 2 && found.size < count; attempt++) {
      const fullness = (['all', 'least', 'some'] as const)[attempt % 3] ?? 'some';
      const value = this.sample(schema, direction, { seed: attempt === 0 ? 0 : seed * 7919 + attempt, fullness });
      if (value !== undefined) found.set(JSON.stringify(value), value);
    }
    return [...found.values()];
  }

  /** Values that are like a valid one and are not valid: one part is removed, added or replaced. */
  neighbours(schema: SchemaId, direction: Direction, value: JsonValue, count: number, seed = 1): readonly JsonValue[] {
    const random = new Random(seed + hashOf(schema));
    const found = new Map<string, JsonValue>();
    for (let attempt = 0; attempt < count * 6 && found.size < count; attempt++) {
      const changed = changedValue(value, random);
      if (!this.accepts(schema, changed, direction)) found.set(JSON.stringify(changed), changed);
    }
    return [...found.values()];
  }

  /** An example as it travels in a direction, where it is valid: without the members that the other one alone carries. */
  example(schema: SchemaId, value: JsonValue, direction: Direction): JsonValue | undefined {
    const visible = this.#api.directional.has(schema) ? visibleValue(schema, value, direction, this.validity) : value;
    return this.accepts(schema, visible, direction) ? visible : undefined;
  }

  #documented(given: SchemaId, direction: Direction): JsonValue | undefined {
    let id = given;
    for (let step = 0; step < longestChain; step++) {
      const schema = this.#api.schemas.get(id);
      const { examples = [], default: preset } = schema?.docs ?? {};
      for (const example of preset === undefined ? examples : [...examples, preset.value]) {
        const valid = this.example(id, example, direction);
        if (valid !== undefined) return this.accepts(given, valid, direction) ? valid : undefined;
      }
      if (!isPureReference(schema)) return undefined;
      id = schema.ref;
    }
    return undefined;
  }
}

/** FNV-1a: the values of a schema do not depend on what else was sampled. */
function hashOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
