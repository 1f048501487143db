/** Objects that apply to the same value are one object to its reader. */
import type { ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import { isTelling } from './telling.js';

export interface MergedObject {
  readonly properties: readonly { readonly name: string; readonly schema: SchemaId; readonly required: boolean }[];
  /** The named schemas whose members it has, by the names of the members. */
  readonly owners: ReadonlyMap<string, SchemaId>;
}

interface OpenPart {
  readonly part: ObjectSchema;
  /** What was referred to last on the way from the root. */
  readonly owner: SchemaId | undefined;
}

/**
 * The members of everything that `$ref` and `allOf` combine; nothing where a part is something else than an object. What
 * stands nearer wins. Iterative: a chain of parents may be long.
 */
export function mergeObjectParts(root: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): MergedObject | undefined {
  const members = new Map<string, SchemaId>();
  const required = new Set<string>();
  const seen = new Set<SchemaId>();
  const owners = new Map<string, SchemaId>();
  const open: OpenPart[] = [{ part: root, owner: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, owner } = next;
    if (seen.has(part.id)) continue;
    seen.add(part.id);
    if (!isPlainObject(part, schemas)) return undefined;
    for (const { name, schema } of part.object?.properties ?? []) {
      const known = members.get(name);
      if (known !== undefined && !saysNothing(schemas.get(known))) continue;
      members.set(name, schema);
      if (owner !== undefined) owners.set(name, owner);
    }
    for (const name of part.object?.required ?? []) required.add(name);
    const below = [...(part.ref === undefined ? [] : [part.ref]), ...(part.allOf ?? [])];
    for (const id of below) {
      const schema = schemas.get(id);
      if (schema?.kind === 'schema') open.push({ part: schema, owner: id === part.ref ? id : owner });
      else if (schema?.value === false) return undefined;
    }
  }
  return {
    properties: [...members].map(([name, schema]) => ({ name, schema, required: required.has(name) })),
    owners,
  };
}

/** It may be an object, and has no alternatives that tell anything. */
function isPlainObject(part: ObjectSchema, schemas: ReadonlyMap<SchemaId, Schema>): boolean {
  const { types, enum: values, const: constant, anyOf, oneOf, array, dynamicRef } = part;
  const isObject = types === undefined || types.includes('object');
  const hasChoice = [anyOf, oneOf].some((branches) =>
    branches?.every((id) => {
      const branch = schemas.get(id);
      return branch !== undefined && isTelling(branch);
    }),
  );
  return (
    isObject &&
    !hasChoice &&
    dynamicRef === undefined &&
    values === undefined &&
    constant === undefined &&
    array?.items === undefined
  );
}

function saysNothing(schema: Schema | undefined): boolean {
  if (schema === undefined || schema.kind === 'boolean') return true;
  const { types, ref, enum: values, const: constant, object, array, allOf, anyOf, oneOf } = schema;
  return [types, ref, values, constant, object, array, allOf, anyOf, oneOf].every((keyword) => keyword === undefined);
}
