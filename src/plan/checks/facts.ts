/**
 * What can be said of a schema without compiling it: the classes of values that it may accept, the members whose values
 * it fixes, and the members that only the other direction carries. Every answer is on the safe side: too many classes,
 * too few tags.
 */
import type { JsonType, JsonValue, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import type { Direction } from '../target.js';
import { type AssertionOptions, assertedFormat } from './asserted.js';
import type { TypeClass } from './program.js';

export const allClasses: readonly TypeClass[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

const everyClass: ReadonlySet<TypeClass> = new Set(allClasses);
const noClass: ReadonlySet<TypeClass> = new Set();
const classesOfType: ReadonlyMap<TypeClass, ReadonlySet<TypeClass>> = new Map(
  allClasses.map((name) => [name, new Set([name])]),
);

export function classOf(type: JsonType): TypeClass {
  return type === 'integer' ? 'number' : type;
}

function classOfValue(value: JsonValue): TypeClass {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  if (type === 'boolean' || type === 'number' || type === 'string') return type;
  return 'object';
}

/** Whether a value has one of the types; `integer` goes by value (JSON Schema validation, section 6.1.1). */
export function hasType(value: JsonValue, types: readonly JsonType[]): boolean {
  const valueClass = classOfValue(value);
  return types.some((type) => classOf(type) === valueClass && (type !== 'integer' || Number.isInteger(value)));
}

/** A member name → the primitive values that the schema allows for it, where it also demands the member. */
export type Tags = ReadonlyMap<string, readonly JsonValue[]>;

const none: readonly SchemaId[] = [];
const noTags: Tags = new Map();
const noNames: ReadonlySet<string> = new Set();

/** Chains of `$ref` and `allOf` that are longer than this are not looked through: the walks below use the call stack. */
const chainLimit = 200;

function byDirection<T>(): Readonly<Record<Direction, Map<SchemaId, T>>> {
  return { read: new Map(), write: new Map() };
}

/** The types of a schema that says nothing else that counts: what most schemas of most documents are. */
export function onlyTypes(schema: Schema, assertions?: AssertionOptions): readonly JsonType[] | undefined {
  if (schema.kind === 'boolean' || schema.types === undefined) return undefined;
  if (assertions !== undefined && assertedFormat(schema, assertions) !== undefined) return undefined;
  const { string, number, array, object, ref } = schema;
  if (string || number || array || object || ref !== undefined || schema.enum || schema.const) return undefined;
  if (schema.allOf || schema.anyOf || schema.oneOf || schema.not !== undefined || schema.conditional) return undefined;
  if (schema.unevaluated || schema.dynamicRef) return undefined;
  return schema.types;
}

export class Facts {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  readonly #classes = new Map<SchemaId, ReadonlySet<TypeClass>>();
  readonly #tags = byDirection<Tags>();
  readonly #ignored = byDirection<ReadonlySet<string>>();
  readonly #mentioned = new Map<SchemaId, ReadonlySet<string>>();
  #chain = 0;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>) {
    this.#schemas = schemas;
  }

  schema(id: SchemaId): Schema {
    const schema = this.#schemas.get(id);
    if (schema === undefined) throw new Error(`no schema ${JSON.stringify(id)}`);
    return schema;
  }

  #within<T>(unknown: T, read: () => T): T {
    if (this.#chain >= chainLimit) return unknown;
    this.#chain += 1;
    try {
      return read();
    } finally {
      this.#chain -= 1;
    }
  }

  /** The values that `const` and `enum` leave, or `undefined` where neither is there. */
  valuesOf(schema: ObjectSchema): readonly JsonValue[] | undefined {
    const values =
      schema.const === undefined
        ? schema.enum
        : schema.enum === undefined
          ? [schema.const.value]
          : schema.enum.filter((value) => sameJson(value, schema.const?.value));
    if (values === undefined || schema.types === undefined) return values;
    const { types } = schema;
    return values.filter((value) => hasType(value, types));
  }

  classesOf(id: SchemaId): ReadonlySet<TypeClass> {
    const found = this.#classes.get(id);
    if (found !== undefined) return found;
    const schema = this.schema(id);
    const [type, ...others] = onlyTypes(schema) ?? [];
    const alone = type !== undefined && others.length === 0 ? classesOfType.get(classOf(type)) : undefined;
    if (alone !== undefined) return alone;
    this.#classes.set(id, everyClass); // what a circle in place is told
    const classes = this.#within(everyClass, () => this.#readClasses(schema));
    this.#classes.set(id, classes);
    return classes;
  }

  #readClasses(schema: Schema): ReadonlySet<TypeClass> {
    if (schema.kind === 'boolean') return schema.value ? everyClass : noClass;
    let classes: ReadonlySet<TypeClass> = schema.types === undefined ? everyClass : new Set(schema.types.map(classOf));
    const keep = (other: ReadonlySet<TypeClass>): void => {
      classes = classes === everyClass ? other : new Set([...classes].filter((entry) => other.has(entry)));
    };
    const values = this.valuesOf(schema);
    if (values !== undefined) keep(new Set(values.map(classOfValue)));
    for (const part of this.#conjuncts(schema)) keep(this.classesOf(part));
    for (const union of [schema.anyOf, schema.oneOf]) {
      if (union !== undefined) keep(new Set(union.flatMap((branch) => [...this.classesOf(branch)])));
    }
    return classes;
  }

  tagsOf(id: SchemaId, direction: Direction): Tags {
    const known = this.#tags[direction];
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, noTags);
    const tags = this.#within(noTags, () => this.#readTags(this.schema(id), id, direction));
    known.set(id, tags);
    return tags;
  }

  #readTags(schema: Schema, id: SchemaId, direction: Direction): Tags {
    if (schema.kind === 'boolean') return noTags;
    const tags = new Map<string, readonly JsonValue[]>();
    const ignored = this.ignoredNames(id, direction);
    const required = new Set(schema.object?.required);
    for (const property of schema.object?.properties ?? []) {
      if (!required.has(property.name) || ignored.has(property.name)) continue;
      const values = this.#primitivesOf(property.schema);
      if (values !== undefined) tags.set(property.name, values);
    }
    for (const part of this.#conjuncts(schema)) {
      for (const [name, values] of this.tagsOf(part, direction)) if (!tags.has(name)) tags.set(name, values);
    }
    for (const union of [schema.anyOf, schema.oneOf]) {
      const branches = union?.map((branch) => this.tagsOf(branch, direction)) ?? [];
      for (const name of branches[0]?.keys() ?? []) {
        const values = branches.map((branch) => branch.get(name));
        if (tags.has(name) || values.some((entry) => entry === undefined)) continue;
        tags.set(name, [...new Set(values.flatMap((entry) => entry ?? []))]);
      }
    }
    return tags;
  }

  /** The values of a schema that fixes them to a few primitives. */
  #primitivesOf(id: SchemaId, seen = new Set<SchemaId>()): readonly JsonValue[] | undefined {
    const schema = this.schema(id);
    if (schema.kind === 'boolean' || seen.has(id) || seen.size > chainLimit) return undefined;
    seen.add(id);
    const values = this.valuesOf(schema);
    if (values === undefined) {
      for (const part of this.#conjuncts(schema)) {
        const found = this.#primitivesOf(part, seen);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    const primitive = values.every((value) => value === null || typeof value !== 'object');
    return primitive && values.length > 0 ? values : undefined;
  }

  /** The members that are not to be looked at in a direction: `readOnly` ones of a request, `writeOnly` ones of an answer. */
  ignoredNames(id: SchemaId, direction: Direction): ReadonlySet<string> {
    const known = this.#ignored[direction];
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, noNames);
    const names = this.#within(noNames, () => this.#readIgnoredNames(this.schema(id), direction));
    known.set(id, names);
    return names;
  }

  #readIgnoredNames(schema: Schema, direction: Direction): ReadonlySet<string> {
    if (schema.kind === 'boolean') return noNames;
    const names = new Set<string>();
    for (const property of schema.object?.properties ?? []) {
      if (this.#travelsOtherWay(property.schema, direction)) names.add(property.name);
    }
    const parts = this.#conjuncts(schema);
    if (names.size === 0 && parts.length === 0) return noNames;
    for (const part of parts) for (const name of this.ignoredNames(part, direction)) names.add(name);
    return names;
  }

  #travelsOtherWay(id: SchemaId, direction: Direction, before?: Set<SchemaId>): boolean {
    const schema = this.schema(id);
    if (before !== undefined && (before.has(id) || before.size > chainLimit)) return false;
    if ((direction === 'write' ? schema.docs.readOnly : schema.docs.writeOnly) === true) return true;
    const parts = schema.kind === 'schema' ? this.#conjuncts(schema) : none;
    if (parts.length === 0) return false;
    const seen = (before ?? new Set()).add(id);
    return parts.some((part) => this.#travelsOtherWay(part, direction, seen));
  }

  /** The member names that a schema speaks of at its own level. */
  mentionedNames(id: SchemaId): ReadonlySet<string> {
    const found = this.#mentioned.get(id);
    if (found !== undefined) return found;
    this.#mentioned.set(id, noNames);
    const names = this.#within(noNames, () => this.#readMentionedNames(this.schema(id)));
    this.#mentioned.set(id, names);
    return names;
  }

  #readMentionedNames(schema: Schema): ReadonlySet<string> {
    if (schema.kind === 'boolean') return noNames;
    const names = new Set(schema.object?.required);
    for (const property of schema.object?.properties ?? []) names.add(property.name);
    for (const part of this.#conjuncts(schema)) for (const name of this.mentionedNames(part)) names.add(name);
    return names;
  }

  /** The schemas that apply to the same value without condition. */
  #conjuncts(schema: ObjectSchema): readonly SchemaId[] {
    if (schema.ref === undefined) return schema.allOf ?? none;
    return schema.allOf === undefined ? [schema.ref] : [schema.ref, ...schema.allOf];
  }
}

/** JSON Schema's equality: member order does not count, 1 and 1.0 are the same number, 1 and true are not. */
function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((entry, index) => sameJson(entry, right[index]));
  }
  const one = left as { readonly [name: string]: JsonValue };
  const other = right as { readonly [name: string]: JsonValue };
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && sameJson(one[name], other[name]));
}
