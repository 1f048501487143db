/** By what a codec tells the branches of a union apart: the surface of a value, members included, nothing below. */
import type { Api } from '../ir/api.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import type { PropertyShape, Shape } from '../ir/shape.js';
import { jsonKind, takenApart } from '../ir/visit.js';
import { dateFormat } from './dated-schemas.js';

export type CodecKind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'date' | 'date-time';

export interface CodecTest {
  readonly is: CodecKind;
  readonly required: readonly string[];
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  readonly kinds: ReadonlyMap<string, readonly CodecKind[]>;
}

/** The test of a shape without references; nothing where its surface says nothing. */
export function codecTest(shape: Shape, api: Api): CodecTest | undefined {
  const properties = propertiesOf(shape, api);
  if (properties === undefined) {
    const is = kindOf(shape);
    return is && { is, required: [], values: new Map(), kinds: new Map() };
  }
  const values = new Map<string, readonly JsonValue[]>();
  const kinds = new Map<string, readonly CodecKind[]>();
  for (const { name, shape: member } of properties) {
    const ends = alternatives(member, api);
    const literals = ends.map((end) => (end.kind === 'literal' ? end.value : end.kind === 'null' ? null : undefined));
    const scalars = literals.filter((value) => value !== undefined && (typeof value !== 'object' || value === null));
    const found = ends.map(kindOf);
    // One member may be described several times: the more exact word counts.
    if (ends.length > 0 && scalars.length === ends.length) {
      const known = values.get(name);
      if (known === undefined || scalars.length < known.length) values.set(name, scalars as readonly JsonValue[]);
    } else if (ends.length > 0 && !found.includes(undefined) && !kinds.has(name))
      kinds.set(name, [...new Set(found.filter((kind) => kind !== undefined))]);
  }
  for (const name of values.keys()) kinds.delete(name);
  const required = properties.filter((property) => property.required && property.access === 'both');
  return { is: 'object', required: [...new Set(required.map(({ name }) => name))], values, kinds };
}

/** All members that an object or an intersection describes; nothing for other shapes. */
function propertiesOf(start: Shape, api: Api): readonly PropertyShape[] | undefined {
  if (start.kind !== 'object' && start.kind !== 'intersection') return undefined;
  const found: PropertyShape[] = [];
  const seen = new Set<SchemaId>();
  const pending: Shape[] = [start];
  for (const shape of pending) {
    if (shape.kind === 'object') found.push(...shape.properties);
    else if (shape.kind === 'intersection') pending.push(...shape.members);
    else if (shape.kind === 'ref' && !seen.has(shape.target)) {
      seen.add(shape.target);
      const target = api.shapes.get(shape.target);
      if (target) pending.push(target);
    }
  }
  return found;
}

/** What a shape can be, references and unions taken apart. */
function alternatives(start: Shape, api: Api): readonly Shape[] {
  return takenApart(start, api.shapes, unions);
}

const unions = new Set(['union'] as const);

function kindOf(shape: Shape): CodecKind | undefined {
  return shape.kind === 'string' ? (dateFormat(shape) ?? 'string') : jsonKind(shape);
}
