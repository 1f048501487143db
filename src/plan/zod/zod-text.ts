/**
 * Schemas as expressions of Zod. An expression accepts exactly what our validators accept; where Zod and the checks of the
 * runtime can't say something, there is none, and the validator itself is asked.
 */
import { type Code, code, joinCode, literal } from '../../encode.js';
import type { Api } from '../../ir/api.js';
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { type AssertionOptions, assertedFormat } from '../checks/asserted.js';
import { classOf, Facts } from '../checks/facts.js';
import type { TypeClass } from '../checks/program.js';
import { Validity } from '../samples/validity.js';
import type { Direction, Names, ValidatorEntry } from '../target.js';
import { zodArray } from './zod-array.js';
import { zodNumber, zodString } from './zod-leaves.js';
import { zodObject } from './zod-object.js';
import { type Place, Unsayable, type UseRuntime, type ZodPrinter } from './zod-printer.js';

type Classes = ReadonlySet<TypeClass>;

const order: readonly TypeClass[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const noNames: ReadonlySet<string> = new Set();

export class ZodText implements ZodPrinter {
  readonly facts: Facts;
  readonly use: UseRuntime;
  readonly #finallyUse: UseRuntime;
  readonly #names: Names;
  readonly #assertions: AssertionOptions;
  readonly #validity: Validity;
  readonly #nameOf: (entry: ValidatorEntry) => Code;
  readonly #entries: ReadonlyMap<unknown, ValidatorEntry>;
  /** Whether something is read later in a schema or in what it refers to. */
  readonly #declared = new Map<ValidatorEntry, boolean>();
  #isLate = false;
  /** Whether a reference to what stands further down may be printed as it is, because it is read later. */
  #later = false;
  #usesLater = false;
  /** What the expression at hand uses of the runtime, until it is clear that it can be said. */
  #uses: (readonly [Parameters<UseRuntime>[0], string])[] = [];

  constructor(
    api: Api,
    names: Names,
    options: AssertionOptions,
    use: UseRuntime,
    nameOf: (entry: ValidatorEntry) => Code,
  ) {
    this.facts = new Facts(api.schemas);
    this.#validity = new Validity(api.schemas, { assertFormats: options.assertFormats });
    this.#names = names;
    this.#assertions = options;
    this.use = (file, name) => {
      this.#uses.push([file, name]);
      return code`$${name as Code}`;
    };
    this.#finallyUse = use;
    this.#nameOf = nameOf;
    this.#entries = new Map(names.validators.map((entry) => [entry.names, entry]));
  }

  /** The schema of a validator; what it refers to should have been asked for before. `undefined` where it can't be said. */
  declared(entry: ValidatorEntry): Code | undefined {
    try {
      const { direction, schema } = entry;
      this.#later = false;
      this.#isLate = false;
      this.#uses = [];
      const place: Place = { direction, ignored: noNames, around: new Set() };
      const text = this.#inline(place, schema, this.facts.classesOf(schema));
      for (const [file, name] of this.#uses) this.#finallyUse(file, name);
      return text;
    } catch (fault) {
      if (fault instanceof Unsayable) return undefined;
      throw fault;
    } finally {
      this.#declared.set(entry, this.#isLate);
    }
  }

  of(place: Place, id: SchemaId, within: Classes = this.facts.classesOf(id)): Code {
    const schema = this.facts.schema(id);
    if (schema.kind === 'boolean') return schema.value ? code`z.unknown()` : code`z.never()`;
    const entry = this.#entryOf(place.direction, id);
    const spokenOf = this.facts.mentionedNames(id);
    const own = this.facts.ignoredNames(id, place.direction);
    const isolated = ![...place.ignored].some((name) => spokenOf.has(name) && !own.has(name));
    if (entry !== undefined && isolated) return this.#reference(entry);
    return this.#inline(place, id, within);
  }

  /** A member: with a getter where it refers to what is declared further down. */
  member(print: () => Code): { readonly text: Code; readonly isLate: boolean } {
    const [later, usesLater] = [this.#later, this.#usesLater];
    this.#later = true;
    this.#usesLater = false;
    const text = print();
    const isLate = this.#usesLater;
    this.#later = later;
    // Inside of another member that is read later, it is that one that has to be.
    this.#usesLater = usesLater;
    return { text, isLate };
  }

  #entryOf(direction: Direction, id: SchemaId): ValidatorEntry | undefined {
    const names = this.#names.validatorOf(id, direction);
    return names && this.#entries.get(names);
  }

  #reference(entry: ValidatorEntry): Code {
    const name = this.#nameOf(entry);
    const isLate = this.#declared.get(entry);
    if (isLate === false) return name;
    this.#isLate = true;
    // Zod looks for circles by every way that leads through a schema, and goes on at no getter: without one, sharing costs
    // time that doubles at each level.
    if (this.#later) this.#usesLater = true;
    return this.#later || isLate !== undefined ? name : code`z.lazy(() => ${name})`;
  }

  #inline(outer: Place, id: SchemaId, within: Classes): Code {
    const schema = this.facts.schema(id);
    if (schema.kind === 'boolean') return this.of(outer, id);
    if (outer.around.has(id) || schema.dynamicRef || schema.unevaluated) throw new Unsayable();
    const place: Place = {
      direction: outer.direction,
      ignored: new Set([...outer.ignored, ...this.facts.ignoredNames(id, outer.direction)]),
      around: new Set([...outer.around, id]),
    };
    const values = this.facts.valuesOf(schema);
    if (values !== undefined) return this.#values(place, schema, values);
    const classes = new Set([...this.facts.classesOf(id)].filter((kind) => within.has(kind)));
    return this.#applied(place, schema, classes);
  }

  /** What `enum` and `const` leave is known here, whatever else the schema says. */
  #values({ direction, ignored }: Place, { id }: ObjectSchema, all: readonly JsonValue[]): Code {
    if (ignored.size > 0) throw new Unsayable();
    const values = all.filter((value) => this.#validity.accepts(id, value, direction));
    if (values.length === 0) return code`z.never()`;
    const simple = values.every((value) => value === null || typeof value !== 'object');
    const list = joinCode(values.map(literal), ', ');
    if (simple) return values.length === 1 ? code`z.literal(${list})` : code`z.literal([${list}])`;
    return code`z.unknown().refine(${this.use('zod-checks', 'isEqualTo')}(${list}), "must be one of the values")`;
  }

  #applied(place: Place, schema: ObjectSchema, classes: Classes): Code {
    const parts: Code[] = [];
    const own = this.#own(place, schema, classes);
    if (own !== undefined) parts.push(own);
    for (const id of [schema.ref, ...(schema.allOf ?? [])]) {
      if (id === undefined || this.#saysNothing(id)) continue;
      parts.push(this.of(place, id, classes));
    }
    if (schema.anyOf !== undefined) parts.push(this.#union(place, schema.anyOf, classes));
    if (schema.oneOf !== undefined) parts.push(this.#exactlyOne(place, schema.oneOf, classes));
    const [first = code`z.unknown()`, ...others] = parts;
    let text = first;
    const refine = (name: string, ...operands: readonly Code[]): void => {
      text = code`${text}.superRefine(${this.use('zod-checks', name)}(${joinCode(operands, ', ')}))`;
    };
    for (const other of others) refine('also', other);
    if (schema.not !== undefined) {
      const check = code`${this.use('zod-checks', 'isNot')}(${this.of(place, schema.not, classes)})`;
      text = code`${text}.refine(${check}, "must not be what is excluded")`;
    }
    const { conditional } = schema;
    if (conditional !== undefined && (conditional.then ?? conditional.else) !== undefined) {
      const branch = (id: SchemaId | undefined): Code =>
        id === undefined ? code`undefined` : this.of(place, id, classes);
      const otherwise = conditional.else === undefined ? [] : [branch(conditional.else)];
      refine('when', branch(conditional.if), branch(conditional.then), ...otherwise);
    }
    return text;
  }

  #saysNothing(id: SchemaId): boolean {
    const schema = this.facts.schema(id);
    return schema.kind === 'boolean' && schema.value;
  }

  #union(place: Place, branches: readonly SchemaId[], classes: Classes): Code {
    const texts = [...new Set(branches.map((branch) => this.of(place, branch, this.#within(branch, classes))))];
    const [only] = texts;
    if (only !== undefined && texts.length === 1) return only;
    return code`z.union([${joinCode(texts, ', ')}])`;
  }

  #within(branch: SchemaId, classes: Classes): Classes {
    return new Set([...this.facts.classesOf(branch)].filter((kind) => classes.has(kind)));
  }

  #exactlyOne(place: Place, branches: readonly SchemaId[], classes: Classes): Code {
    if (branches.length === 1 || this.#excludeEachOther(branches, place.direction))
      return this.#union(place, branches, classes);
    const texts = branches.map((branch) => this.of(place, branch, this.#within(branch, classes)));
    return code`${this.use('zod-checks', 'oneOf')}(${joinCode(texts, ', ')})`;
  }

  /** Values of different types, or with a member that each branch demands with other values. */
  #excludeEachOther(branches: readonly SchemaId[], direction: Direction): boolean {
    const disjoint = (sets: readonly (readonly unknown[])[]): boolean =>
      new Set(sets.flat()).size === sets.reduce((sum, { length }) => sum + length, 0);
    if (disjoint(branches.map((branch) => [...this.facts.classesOf(branch)]))) return true;
    const tags = branches.map((branch) => this.facts.tagsOf(branch, direction));
    return [...(tags[0]?.keys() ?? [])].some((name) => {
      const lists = tags.map((one) => one.get(name));
      return lists.every((list) => list !== undefined) && disjoint(lists.map((list) => [...new Set(list)]));
    });
  }

  /** What a schema says itself, for values of the classes that can be valid at all. */
  #own(place: Place, schema: ObjectSchema, classes: Classes): Code | undefined {
    const { types } = schema;
    const said = order.filter((kind) => saysOf(schema, kind, this.#assertions));
    if (types === undefined && said.length === 0) return undefined;
    const allowed = order.filter(
      (kind) => classes.has(kind) && (types === undefined || types.some((type) => classOf(type) === kind)),
    );
    if (allowed.length === 0) return code`z.never()`;
    const texts: Code[] = [];
    const rest: TypeClass[] = [];
    for (const kind of allowed) {
      if (types !== undefined || said.includes(kind)) texts.push(this.#ofClass(place, schema, kind));
      else rest.push(kind);
    }
    if (rest.length > 0) {
      if (said.length === 0 || texts.length === 0) return undefined;
      const others = order.filter((kind) => !rest.includes(kind));
      const check = code`${this.use('zod-checks', 'isNo')}(${joinCode(others.map(literal), ', ')})`;
      texts.push(code`z.unknown().refine(${check})`);
    }
    const [only] = texts;
    if (only !== undefined && texts.length === 1) return only;
    const [value, nothing] = texts;
    if (value !== undefined && nothing === code`z.null()` && texts.length === 2) return code`z.nullable(${value})`;
    return code`z.union([${joinCode(texts, ', ')}])`;
  }

  #ofClass(place: Place, schema: ObjectSchema, kind: TypeClass): Code {
    switch (kind) {
      case 'string':
        return zodString(schema, this.#assertions, this.use);
      case 'number': {
        const isInteger = schema.types?.includes('integer') === true && !schema.types.includes('number');
        return zodNumber(schema, isInteger, this.#assertions, this.use);
      }
      case 'boolean':
        return code`z.boolean()`;
      case 'null':
        return code`z.null()`;
      case 'array':
        return zodArray(this, { ...place, ignored: noNames }, schema);
      case 'object':
        return zodObject(this, place, schema);
    }
  }
}

function saysOf(schema: ObjectSchema, kind: TypeClass, assertions: AssertionOptions): boolean {
  const format = assertedFormat(schema, assertions) !== undefined;
  switch (kind) {
    case 'string':
      return format || schema.string !== undefined;
    case 'number':
      return format || schema.number !== undefined;
    case 'array':
      return schema.array !== undefined;
    case 'object':
      return schema.object !== undefined;
    default:
      return false;
  }
}
