/** Objects for the keywords of objects. */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { type Conjunction, conjunctionOf } from './conjunction.js';
import type { Maker } from './maker.js';

type Nodes = readonly ObjectSchema[];

const furtherNames = ['key', 'further', 'more', 'a', 'b', '1', 'x-a'];
const mostMembers = 200;
const strangers: readonly JsonValue[] = ['text', 0, null, [], {}];

export function objectSample(maker: Maker, parts: Conjunction, depth: number, varied: boolean): JsonValue | undefined {
  return new ObjectSample(maker, parts, depth, varied).object();
}

class ObjectSample {
  readonly #maker: Maker;
  readonly #parts: Conjunction;
  readonly #depth: number;
  readonly #varied: boolean;
  readonly #ignored: ReadonlySet<string>;
  readonly #members = new Map<string, JsonValue>();
  #nodes: Nodes;

  constructor(maker: Maker, parts: Conjunction, depth: number, varied: boolean) {
    this.#maker = maker;
    this.#parts = parts;
    this.#depth = depth;
    this.#varied = varied;
    this.#nodes = parts.nodes;
    const { facts } = maker.validity;
    this.#ignored = new Set(parts.nodes.flatMap(({ id }) => [...facts.ignoredNames(id, maker.options.direction)]));
  }

  object(): JsonValue | undefined {
    for (const name of this.#wanted()) this.#try(name);
    if (!this.#demanded()) return undefined;
    const { least } = this.#bounds();
    const names = [
      ...this.#named(),
      ...this.#patterned(),
      ...this.#allowedNames(),
      ...furtherNames,
      ...numbered(least),
    ];
    for (const name of names) if (this.#members.size < least) this.#try(name);
    this.#example();
    for (const other of this.#parts.others) this.#spoil(other);
    if (this.#members.size < least || !this.#demanded()) return undefined;
    return Object.fromEntries(this.#members);
  }

  /** The optional members that are wanted, as far as there is room. */
  #wanted(): readonly string[] {
    const required = new Set(this.#nodes.flatMap(requiredBy));
    const { most } = this.#bounds();
    let room = Math.min(most, mostMembers) - required.size;
    const elsewhere = new Set(this.#parts.others.flatMap((other) => this.#nodesOf(other)).flatMap(requiredBy));
    return this.#named().filter((name) => {
      if (required.has(name)) return true;
      // Without it a branch that must not hold does not.
      if (elsewhere.has(name)) return false;
      const wanted = room > 0 && this.#maker.wantsOptional(this.#depth);
      if (wanted) room--;
      return wanted;
    });
  }

  #bounds(): { readonly least: number; readonly most: number } {
    const said = this.#nodes.flatMap(({ object }) => object ?? []);
    return {
      least: Math.min(mostMembers, Math.max(0, ...said.map(({ minProperties }) => minProperties ?? 0))),
      most: Math.min(...said.map(({ maxProperties }) => maxProperties ?? Number.POSITIVE_INFINITY)),
    };
  }

  /** What `required` and `dependent…` demand of the members that are there, again and again until nothing is missing. */
  #demanded(): boolean {
    for (let round = 0; round < 10; round++) {
      this.#depend();
      const missing = this.#nodes
        .flatMap(({ object }) => [
          ...(object?.required ?? []),
          ...(object?.dependentRequired ?? []).flatMap(({ name, required }) =>
            this.#members.has(name) ? required : [],
          ),
        ])
        .filter((name) => !this.#members.has(name) && !this.#ignored.has(name));
      if (missing.length === 0) return true;
      for (const name of new Set(missing)) if (!this.#try(name, true)) return false;
    }
    return false;
  }

  /** Schemas that the presence of a member adds. */
  #depend(): void {
    const known = new Set(this.#nodes.map(({ id }) => id));
    const added = this.#nodes
      .flatMap(({ object }) => object?.dependentSchemas ?? [])
      .filter(({ name, schema }) => this.#members.has(name) && !known.has(schema));
    if (added.length === 0) return;
    const { facts } = this.#maker.validity;
    const more = conjunctionOf(
      added.map(({ schema }) => schema),
      facts,
      ([first]) => first,
    );
    const before = this.#nodes;
    this.#nodes = [...before, ...(more?.nodes ?? [])];
    // What was made without them is made anew.
    for (const name of [...this.#members.keys()])
      if (this.#idsOf(name, before).length !== this.#idsOf(name).length) this.#try(name);
  }

  #named(): readonly string[] {
    return [...new Set(this.#nodes.flatMap(({ object }) => object?.properties.map(({ name }) => name) ?? []))];
  }

  #patterned(): readonly string[] {
    return this.#nodes.flatMap(({ object }) =>
      (object?.patternProperties ?? []).flatMap(
        ({ pattern }) => this.#maker.text([{ ...this.#blank(), string: { pattern } }]) ?? [],
      ),
    );
  }

  /** Names that `propertyNames` allows. */
  #allowedNames(): readonly string[] {
    const ids = this.#nodes.flatMap(({ object }) => object?.propertyNames ?? []);
    const { least } = this.#bounds();
    if (ids.length === 0) return [];
    const names = Array.from({ length: Math.min(20, least * 3) }, () => this.#maker.value(ids, this.#depth + 1, true));
    return names.filter((name) => typeof name === 'string');
  }

  /** One member of a map, so that it shows what a map has. */
  #example(): void {
    if (this.#members.size > 0 || !this.#maker.wantsOptional(this.#depth) || this.#bounds().most < 1) return;
    const said = this.#nodes.flatMap(({ object }) => object ?? []);
    const maps = said.some((one) => one.additionalProperties !== undefined || one.patternProperties.length > 0);
    if (!maps || this.#named().length > 0) return;
    for (const name of [...this.#patterned(), 'key', ...this.#allowedNames()])
      if (this.#members.size === 0) this.#try(name);
  }

  /** A node that says nothing, for a text that has to match a pattern. */
  #blank(): ObjectSchema {
    const [node] = this.#nodes;
    if (node === undefined) throw new Error('no node');
    const { kind, id, at, behaviour } = node;
    return { kind, id, at, behaviour, docs: {}, extensions: {} };
  }

  #nodesOf(other: SchemaId): Nodes {
    return conjunctionOf([other], this.#maker.validity.facts, ([first]) => first)?.nodes ?? [];
  }

  /** Where a branch that must not hold does, a member is added that is nothing to this one and that the other refuses. */
  #spoil(other: SchemaId): void {
    const { validity, options } = this.#maker;
    const { direction } = options;
    if (!validity.accepts(other, Object.fromEntries(this.#members), direction)) return;
    const own = new Set(this.#named());
    for (const { name, schema } of this.#nodesOf(other).flatMap(({ object }) => object?.properties ?? [])) {
      if (own.has(name) || this.#members.has(name) || this.#ignored.has(name) || !this.#mayBeNamed(name)) continue;
      const ids = this.#idsOf(name);
      const value = strangers.find(
        (one) => !validity.accepts(schema, one, direction) && ids.every((id) => validity.accepts(id, one, direction)),
      );
      if (value === undefined) continue;
      this.#members.set(name, value);
      return;
    }
  }

  #try(name: string, required = false): boolean {
    if (this.#ignored.has(name) || (!required && this.#parts.forbidden.has(name))) return false;
    if (!this.#mayBeNamed(name)) return false;
    const ids = this.#idsOf(name);
    const tag = this.#parts.tags.get(name);
    const value = this.#tagged(ids, tag) ?? this.#maker.value(ids, this.#depth + 1, this.#varied);
    if (value === undefined) return false;
    this.#members.set(name, value);
    return true;
  }

  #tagged(ids: readonly SchemaId[], tag: string | undefined): string | undefined {
    if (tag === undefined) return undefined;
    const { validity, options } = this.#maker;
    return ids.every((id) => validity.accepts(id, tag, options.direction)) ? tag : undefined;
  }

  #mayBeNamed(name: string): boolean {
    const { validity, options } = this.#maker;
    return this.#nodes.every(
      ({ object }) =>
        object?.propertyNames === undefined || validity.accepts(object.propertyNames, name, options.direction),
    );
  }

  /** All schemas that apply to a member. */
  #idsOf(name: string, nodes: Nodes = this.#nodes): readonly SchemaId[] {
    const { patterns } = this.#maker.validity;
    const found = new Set<SchemaId>();
    let looked = false;
    for (const { object } of nodes) {
      if (object === undefined) continue;
      const own = [
        ...object.properties.filter((property) => property.name === name),
        ...object.patternProperties.filter(({ pattern }) => patterns.matches(pattern, name) === true),
      ];
      for (const { schema } of own) found.add(schema);
      if (own.length > 0) looked = true;
      else if (object.additionalProperties !== undefined) {
        found.add(object.additionalProperties);
        looked = true;
      }
    }
    if (looked) return [...found];
    return nodes.flatMap(({ unevaluated }) => unevaluated?.properties ?? []);
  }
}

function requiredBy({ object }: ObjectSchema): readonly string[] {
  return object?.required ?? [];
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `key${index + 1}`);
}
