/** Sample values of every component, judged by ajv. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../src/ir/schema.js';
import type { Fullness } from '../../src/plan/samples/maker.js';
import { changedValue, strangeNames } from '../../src/plan/samples/neighbours.js';
import { Random } from '../../src/plan/samples/random.js';
import { Sampler } from '../../src/plan/samples/sampler.js';
import { componentSchemas, encodePointer, isObject, type JsonObject } from '../support/component-schemas.js';
import type { Compared } from './subjects.js';

export interface Sample {
  readonly component: string;
  readonly value: JsonValue;
  /** What ajv says of the value. */
  readonly accepted: boolean;
  /** What it says where a schema with `properties` alone is one of an object, as types and authors have it. */
  readonly acceptedAsMeant: boolean;
}

type Schemas = Readonly<Record<string, JsonValue>>;

/** By how full they are: more than enough to find a few that are accepted. */
const attempts: readonly Fullness[] = ['all', 'least', 'some', 'some', 'some', 'all', 'some', 'some', 'all'];
const acceptedPerComponent = 4;
const changesPerValue = 3;

/** A pattern counts as Unicode where it can. */
const engine = Object.assign(
  (pattern: string): RegExp => {
    try {
      return new RegExp(pattern, 'u');
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

/** Accepted values and changed ones of all components of a document; the same ones each time. */
export function sampleValues({ description, api, subjects }: Compared): readonly Sample[] {
  const sampler = new Sampler(api, { assertFormats: false });
  const [judge, judgeAsMeant] = judgesOf(description);
  const found: Sample[] = [];
  for (const [index, { component, schema }] of subjects.entries()) {
    const [accepts, acceptsAsMeant] = [judge(component), judgeAsMeant(component)];
    const random = new Random(index + 1);
    const seen = new Set<string>();
    let good = 0;
    const add = (value: JsonValue): boolean => {
      const text = JSON.stringify(value);
      if (seen.has(text)) return false;
      seen.add(text);
      const accepted = accepts(value) === true;
      found.push({ component, value, accepted, acceptedAsMeant: acceptsAsMeant(value) === true });
      return accepted;
    };
    for (const [seed, fullness] of attempts.entries()) {
      if (good >= acceptedPerComponent) break;
      const value = sampler.sample(schema, 'read', { seed, fullness, documented: false });
      if (value === undefined || !add(value)) continue;
      good++;
      for (let count = 0; count < changesPerValue; count++) add(changedValue(value, random));
    }
  }
  return found;
}

type Judge = (component: string) => ValidateFunction;

const urn = (step: string): string => `urn:component:${step}`;

/** What ajv says of the schemas as they are written, and as they are meant. */
function judgesOf(description: JsonObject): readonly [Judge, Judge] {
  const [written, meant] = [false, true].map((impliedTypes) =>
    componentSchemas(description, { writeOnly: 'unchecked', impliedTypes, reference: urn }),
  ) as [Schemas, Schemas];
  const judge = judgeOf(written);
  return [judge, JSON.stringify(written) === JSON.stringify(meant) ? judge : judgeOf(meant)];
}

/** Each component is a document of its own to ajv, which compiles a part of a document once for each user. */
function judgeOf(schemas: Schemas): Judge {
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, validateSchema: false, logger: false, inlineRefs: false },
    code: { regExp: engine, optimize: false },
  });
  for (const [name, schema] of Object.entries(schemas)) {
    const id = urn(encodePointer(name));
    ajv.addSchema(isObject(schema) ? { ...schema, $id: id } : { $id: id, allOf: [schema] });
  }
  return (component) => {
    const found = ajv.getSchema(urn(encodePointer(component)));
    if (found === undefined) throw new Error(`ajv does not know ${component}`);
    return found as ValidateFunction;
  };
}

/**
 * The most exact type of a value. A variable of it is what a program has that was told nothing else. An object that has
 * nothing but members that no schema knows is printed empty: TypeScript refuses it where all members of a type are
 * optional (TS2559, weak types), whatever the type says.
 */
export function exactType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(exactType).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.every(([name]) => strangeNames.includes(name))) return '{}';
  return `{ ${entries.map(([name, member]) => `${JSON.stringify(name)}: ${exactType(member)}`).join('; ')} }`;
}
