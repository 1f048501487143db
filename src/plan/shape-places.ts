/** Walks along members of a value by its shape: what stands at a place, and what could stand there. */
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';

/** A shape, and the schema that it belongs to. Never a reference, a union or an intersection. */
export interface Place {
  readonly shape: Shape;
  readonly owner: SchemaId;
}

/**
 * Every shape that can stand at a path of members, of a value of the schema or of one of these shapes. Where nothing is said
 * of the members, it is `unknown`.
 */
export function placesAt(api: Api, start: SchemaId | readonly Place[], path: readonly string[]): readonly Place[] {
  let places = flat(api, typeof start === 'string' ? placeOf(api, start) : start);
  for (const step of path) {
    places = flat(
      api,
      places.flatMap((place) => memberOf(place, step)),
    );
  }
  return places;
}

/** The names of the members that are described at a path. */
export function namesAt(api: Api, start: SchemaId | readonly Place[], path: readonly string[]): readonly string[] {
  const names = placesAt(api, start, path).flatMap(({ shape }) =>
    shape.kind === 'object' ? shape.properties.map(({ name }) => name) : [],
  );
  return [...new Set(names)];
}

function placeOf(api: Api, schema: SchemaId): readonly Place[] {
  const shape = api.shapes.get(schema);
  return shape ? [{ shape, owner: schema }] : [];
}

/** The items of lists. */
export function itemPlaces(lists: readonly Place[]): readonly Place[] {
  return lists.flatMap(({ shape, owner }) => {
    if (shape.kind === 'array') return [{ shape: shape.items, owner }];
    if (shape.kind !== 'tuple') return [];
    return [...shape.items, ...(shape.rest ? [shape.rest] : [])].map((item) => ({ shape: item, owner }));
  });
}

/** Each schema is looked at once, so recursion ends. */
function flat(api: Api, start: readonly Place[]): readonly Place[] {
  const seen = new Set<SchemaId>();
  const found: Place[] = [];
  const pending = [...start].reverse();
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { shape, owner } = place;
    if (shape.kind === 'union' || shape.kind === 'intersection') {
      pending.push(...shape.members.map((member) => ({ shape: member, owner })).reverse());
    } else if (shape.kind !== 'ref') {
      found.push(place);
    } else if (!seen.has(shape.target)) {
      seen.add(shape.target);
      const target = api.shapes.get(shape.target);
      if (target) pending.push({ shape: target, owner: shape.target });
    }
  }
  return found;
}

function memberOf({ shape, owner }: Place, step: string): readonly Place[] {
  const at = (found: Shape | undefined): readonly Place[] => (found ? [{ shape: found, owner }] : []);
  const index = /^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : undefined;
  switch (shape.kind) {
    case 'unknown':
      return at(shape);
    case 'array':
      return index === undefined ? [] : at(shape.items);
    case 'tuple':
      return index === undefined ? [] : at(shape.items[index] ?? shape.rest);
    case 'object': {
      const property = shape.properties.find(({ name }) => name === step);
      if (property) return at(property.shape);
      if (shape.additional) return at(shape.additional);
      return shape.closed || shape.properties.length > 0 ? [] : at({ kind: 'unknown' });
    }
    default:
      return [];
  }
}
