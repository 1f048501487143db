/**
 * The types of json-schema-to-typescript for every component of a document, each of them to be compared with ours. What a
 * reference leads to is our type in both, so that a disagreement is seen where it is and nowhere else.
 */
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { JsonValue } from '../../src/ir/schema.js';
import { componentSchemas, decodePointer, isObject } from '../support/component-schemas.js';
import { corrected, saysNothing } from './corrections.js';
import type { Compared } from './subjects.js';

const prefix = '#/definitions/';

/**
 * Its types, as members of the interface `Root`: it spells names in its own way, and members keep theirs.
 * The kinds of the corrections that were made are added to `used`.
 */
export async function theirTypes({ description, subjects }: Compared, used: Set<string>): Promise<string> {
  const definitions = componentSchemas(description, { writeOnly: 'absent' });
  const types = new Map(subjects.map(({ component, type }) => [component, type]));
  const properties = Object.fromEntries(
    subjects.map(({ component }, index) => [
      `c${index}`,
      corrected(prepared(definitions[component] ?? true, types, used), used),
    ]),
  );
  const root = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const text = await compile(root as unknown as JSONSchema, 'Root', {
    ...{ additionalProperties: false, bannerComment: '', format: false },
    ...{ ignoreMinAndMaxItems: true, unknownAny: true },
  });
  return `import type * as Ours from './types.js';\n${text}`;
}

/** The schema with our types in the place of references, and corrected where their tool is known to be wrong. */
function prepared(value: JsonValue, types: ReadonlyMap<string, string>, used: Set<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => prepared(item, types, used));
  if (!isObject(value)) return value;
  const { $ref: reference } = value;
  const members = Object.entries(value).filter(([key]) => key !== '$ref' || typeof reference !== 'string');
  const rest = Object.fromEntries(members.map(([key, member]) => [key, preparedMember(key, member, types, used)]));
  if (typeof reference !== 'string') return rest;
  const type = reference.startsWith(prefix) ? types.get(decodePointer(reference.slice(prefix.length))) : undefined;
  if (type === undefined) throw new Error(`no component is behind ${reference}`);
  const own = { tsType: `Ours.${type}` };
  return saysNothing(rest) ? own : { allOf: [own, rest] };
}

const maps = new Set(['properties', 'patternProperties']);
const schemas = new Set(['items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'not']);

function preparedMember(
  key: string,
  value: JsonValue,
  types: ReadonlyMap<string, string>,
  used: Set<string>,
): JsonValue {
  const schema = (one: JsonValue): JsonValue => corrected(prepared(one, types, used), used);
  if (maps.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, schema(member)]));
  if (!schemas.has(key)) return value;
  return Array.isArray(value) ? value.map(schema) : schema(value);
}

/** Two lines for each component: ours is assigned to theirs, and theirs to ours. */
export function comparison({ subjects }: Compared): string {
  const lines = subjects.flatMap(({ type }, index) => [
    `export const forth${index} = (value: Ours.${type}): Theirs['c${index}'] => value;`,
    `export const back${index} = (value: Theirs['c${index}']): Ours.${type} => value;`,
  ]);
  return [`import type * as Ours from './types.js'; import type { Root as Theirs } from './theirs.js';`, ...lines].join(
    '\n',
  );
}
