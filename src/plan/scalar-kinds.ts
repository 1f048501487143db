/** What a text on the wire may stand for, by what the shape of its schema says. */
import { type Code, literal } from '../encode.js';
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { takenApart } from '../ir/visit.js';

export type ScalarKind = 'string' | 'integer' | 'number' | 'boolean' | 'null';

const kindOrder: readonly ScalarKind[] = ['boolean', 'null', 'integer', 'number', 'string'];

export function kindList(kinds: ReadonlySet<ScalarKind>): Code {
  const known = kindOrder.filter((kind) => kinds.has(kind));
  return literal(known.length === 0 ? ['string'] : known);
}

export function kindsOf(api: Api, shapes: readonly Shape[]): ReadonlySet<ScalarKind> {
  return new Set(shapes.flatMap((shape) => flatten(api, shape)).flatMap(scalarOf));
}

export function alternatives(api: Api, schema: SchemaId): readonly Shape[] {
  const shape = api.shapes.get(schema);
  return shape ? flatten(api, shape) : [];
}

/** What a shape may be, references, unions and intersections taken apart. */
export function flatten(api: Api, start: Shape): readonly Shape[] {
  return takenApart(start, api.shapes, compositions);
}

const compositions = new Set(['union', 'intersection'] as const);

export function scalarOf(shape: Shape): readonly ScalarKind[] {
  switch (shape.kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return [shape.kind];
    case 'number':
      return [shape.integer ? 'integer' : 'number'];
    case 'literal':
      return shape.value === null ? ['null'] : scalarNames.filter((kind) => kind === typeof shape.value);
    case 'unknown':
      return ['string'];
    default:
      return [];
  }
}

const scalarNames = ['string', 'number', 'boolean'] as const;
