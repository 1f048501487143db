/** The fast reader of YAML: js-yaml by the core schema of YAML 1.2. The only file that imports it. */
import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';
import type { JsonValue } from '../ir/schema.js';
import { isExactNumber } from './exact-number.js';
import { type PlainScalar, plainScalar } from './yaml-scalars.js';

function scalarType(name: string, kinds: readonly PlainScalar['kind'][], construct: (text: string) => JsonValue): Type {
  return new Type(`tag:yaml.org,2002:${name}`, {
    kind: 'scalar',
    resolve: (text) => kinds.includes(plainScalar(text ?? '').kind),
    construct: (text) => construct(text ?? ''),
  });
}

function constructNumber(text: string): JsonValue {
  const scalar = plainScalar(text);
  if (scalar.kind !== 'number' || !isExactNumber(text)) throw new RangeError('the careful reader must say where');
  return scalar.value;
}

const schema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalarType('null', ['null'], () => null),
    scalarType('bool', ['true', 'false'], (text) => plainScalar(text).kind === 'true'),
    scalarType('float', ['number', 'not-json'], constructNumber),
  ],
});

/** The value; `undefined` where there is a fault or a number that a double cannot hold. */
export function readYamlFast(text: string, nesting: number): JsonValue | undefined {
  try {
    return load(text, { schema, maxDepth: nesting }) as JsonValue | undefined;
  } catch {
    return undefined;
  }
}
