/** OpenAPI descriptions at random: every keyword, style and kind of body, under names that are hard to print. */
import { Random } from '../../src/plan/samples/random.js';

type Json = Readonly<Record<string, unknown>>;

/** What documents call members, and what would read as code of ours, as a name of the platform, or as the end of a text. */
const memberNames =
  'id name class constructor toString __proto__ value object depth answers key holds rules Error a.b 1st ä 日本'
    .split(' ')
    .concat(['', ' ', 'a b', '"', "'", '`${x}`', '*/', '\\', 'a/b~c', '\u2028', '</script>']);
const componentNames = 'Pet pet PET Error Array Set isDate Date rules class Result Members a.b a-b 1st Client'.split(
  ' ',
);
const formats = 'date date-time email uri uuid int32 int64 byte password ipv4 hostname unknown'.split(' ');
const patterns = ['^a', '^\\d+$', '(a+)+b', '"|`', '\\u{1F600}', '[\\w-]*/'];
const types = ['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'];

export function randomDocument(seed: number): Json {
  return new Documents(seed).document();
}

class Documents {
  readonly #random: Random;
  readonly #version: string;
  readonly #components: readonly string[];
  /** Where a composition may refer to: names further on, so that no schema is made of itself. */
  #at = 0;

  constructor(seed: number) {
    this.#random = new Random(seed * 7919 + 13);
    this.#version = this.#one(['3.0.3', '3.1.1', '3.2.0']);
    this.#components = this.#some(componentNames, 9);
  }

  document(): Json {
    const schemas = this.#components.map((name, index) => {
      this.#at = index;
      return [name, this.#schema(0)] as const;
    });
    this.#at = this.#components.length;
    return {
      openapi: this.#version,
      info: { title: this.#one(memberNames), version: '1' },
      paths: Object.fromEntries(Array.from({ length: 5 }, (_, index) => this.#path(index))),
      components: { schemas: Object.fromEntries(schemas) },
    };
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #one<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    return from[this.#random.below(from.length)] as T;
  }

  #some<T>(from: readonly T[], most: number): readonly T[] {
    return this.#random.turned(from).slice(0, 1 + this.#random.below(most));
  }

  #maybe(percent: number, members: () => Json): Json {
    return this.#chance(percent) ? members() : {};
  }

  #count(): number {
    return this.#random.below(4);
  }

  #list(depth: number, make: () => unknown = () => this.#schema(depth + 1)): readonly unknown[] {
    return Array.from({ length: 1 + this.#random.below(3) }, make);
  }

  /** Not from inside a composition of its own. */
  #reference(isComposed: boolean): Json {
    const from = isComposed ? this.#components.slice(this.#at + 1) : this.#components;
    return from.length === 0 ? { type: 'string' } : { $ref: `#/components/schemas/${this.#one(from)}` };
  }

  #schema(depth: number, isComposed = depth === 0): unknown {
    const is30 = this.#version.startsWith('3.0');
    if (!is30 && this.#chance(4)) return this.#chance(70);
    if (depth > 0 && this.#chance(25)) return this.#reference(isComposed);
    if (depth > 3) return { type: this.#one(is30 ? types.filter((type) => type !== 'null') : types) };
    const composed = (): unknown => this.#schema(depth + 1, true);
    const type = this.#one(types.slice(0, is30 ? 4 : 5));
    const form = this.#random.below(12);
    const described = {
      ...this.#maybe(15, () => ({ description: this.#one(memberNames) })),
      ...this.#maybe(8, () => ({ [this.#one(['readOnly', 'writeOnly'])]: true })),
      ...this.#maybe(10, () => (is30 ? { nullable: true, type: 'string' } : { type: this.#some(types, 3) })),
    };
    switch (form) {
      case 0:
        return { ...described, enum: this.#some<unknown>([...memberNames, 1, 1.5, true, ...(is30 ? [] : [null])], 5) };
      case 1:
        return { ...described, [this.#one(['allOf', 'anyOf', 'oneOf'])]: this.#list(depth, composed) };
      case 2:
      case 3:
        return { ...described, ...this.#array(depth, is30) };
      case 4:
      case 5:
      case 6:
      case 7:
        return { ...described, ...this.#object(depth, is30) };
      case 8:
        return is30
          ? { ...described, not: composed() }
          : { ...described, if: composed(), ...this.#maybe(80, () => ({ then: composed() })), else: composed() };
      case 9:
        return this.#union();
      default:
        return { type: type === 'null' && is30 ? 'string' : type, ...this.#scalar(type), ...described };
    }
  }

  #scalar(type: string): Json {
    if (type === 'string') {
      return {
        ...this.#maybe(30, () => ({ format: this.#one(formats) })),
        ...this.#maybe(20, () => ({ pattern: this.#one(patterns) })),
        ...this.#maybe(20, () => ({ minLength: this.#count() })),
        ...this.#maybe(20, () => ({ maxLength: 3 + this.#count() })),
      };
    }
    if (type !== 'integer' && type !== 'number') return {};
    return {
      ...this.#maybe(20, () => ({ minimum: -this.#count() })),
      ...this.#maybe(20, () => ({ maximum: 5 + this.#count() })),
      ...this.#maybe(10, () => ({ multipleOf: 0.5 })),
      ...this.#maybe(20, () => ({ format: this.#one(['int32', 'int64', 'float', 'double']) })),
    };
  }

  #array(depth: number, is30: boolean): Json {
    const inside = (): unknown => this.#schema(depth + 1);
    return {
      type: 'array',
      ...(is30 || this.#chance(80) ? { items: inside() } : {}),
      ...this.#maybe(25, () => ({ minItems: this.#count(), maxItems: 4 + this.#count() })),
      ...this.#maybe(20, () => ({ uniqueItems: true })),
      ...(is30
        ? {}
        : {
            ...this.#maybe(20, () => ({ prefixItems: this.#list(depth) })),
            ...this.#maybe(15, () => ({ contains: inside(), ...this.#maybe(50, () => ({ maxContains: 3 })) })),
            ...this.#maybe(10, () => ({ unevaluatedItems: inside() })),
          }),
    };
  }

  #object(depth: number, is30: boolean): Json {
    const inside = (): unknown => this.#schema(depth + 1);
    const names = this.#some(memberNames, 5);
    return {
      type: 'object',
      // Built from entries, so that `__proto__` is a member like others.
      properties: Object.fromEntries(names.map((name) => [name, inside()])),
      ...this.#maybe(50, () => ({ required: this.#some(names, 3) })),
      ...this.#maybe(30, () => ({ additionalProperties: this.#chance(50) ? false : inside() })),
      ...this.#maybe(10, () => ({ minProperties: this.#count() })),
      ...(is30
        ? {}
        : {
            ...this.#maybe(10, () => ({ patternProperties: { [this.#one(patterns)]: inside() } })),
            ...this.#maybe(10, () => ({ propertyNames: { maxLength: 9 } })),
            ...this.#maybe(10, () => ({ dependentRequired: { [this.#one(names)]: this.#some(names, 2) } })),
            ...this.#maybe(10, () => ({ dependentSchemas: { [this.#one(names)]: this.#schema(depth + 1, true) } })),
            ...this.#maybe(12, () => ({ unevaluatedProperties: this.#chance(50) ? false : inside() })),
          }),
    };
  }

  /** Branches that a member tells apart. */
  #union(): Json {
    const tag = this.#one(memberNames);
    const branches = this.#some(memberNames, 4).map((value) => ({
      type: 'object',
      required: [tag],
      properties: Object.fromEntries([
        [tag, { enum: [value] }],
        [this.#one(memberNames.filter((name) => name !== tag)), { type: 'string' }],
      ]),
    }));
    return { [this.#one(['oneOf', 'anyOf'])]: branches };
  }

  #path(index: number): readonly [string, Json] {
    const operationId = this.#one([
      'list',
      'delete',
      'class',
      'paginate',
      'getPet',
      'get-pet',
      'GetPet',
      'client',
      'emit',
    ]);
    const hasBody = this.#chance(60);
    const operation = {
      ...this.#maybe(90, () => ({ operationId: `${operationId}${index}` })),
      ...this.#maybe(50, () => ({ tags: this.#some(['pets', 'class', 'a b', 'ä'], 2) })),
      ...this.#maybe(30, () => ({ description: this.#one(memberNames) })),
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: this.#one(['string', 'integer']) } },
        ...this.#parameters(),
      ],
      ...(hasBody && { requestBody: { required: this.#chance(70), content: this.#content(false) } }),
      responses: Object.fromEntries(
        this.#some(['200', '201', '4XX', '404', 'default'], 3).map((status) => [status, this.#response()]),
      ),
    };
    return [`/p${index}/{id}`, { [hasBody ? this.#one(['post', 'put', 'patch']) : 'get']: operation }];
  }

  #parameters(): readonly Json[] {
    const places = { query: ['form', 'deepObject', 'pipeDelimited'], header: ['simple'], cookie: ['form'] } as const;
    const names = this.#some(
      memberNames.filter((name) => /^[\w.]+$/.test(name)),
      3,
    );
    return names.map((name) => {
      const place = this.#one(Object.keys(places) as (keyof typeof places)[]);
      const style = this.#one<string>(places[place]);
      const object = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } };
      const list = { type: 'array', items: { type: 'string' } };
      const schema =
        style === 'deepObject'
          ? object
          : style === 'pipeDelimited'
            ? list
            : this.#one<Json>([object, list, { type: 'string' }]);
      return { name, in: place, style, schema, ...this.#maybe(40, () => ({ required: true })) };
    });
  }

  #response(): Json {
    return {
      description: this.#one(memberNames),
      ...this.#maybe(30, () => ({
        headers: { 'X-Count': { schema: { type: 'integer' }, required: this.#chance(50) } },
      })),
      ...this.#maybe(85, () => ({ content: this.#content(true) })),
    };
  }

  #content(isAnswer: boolean): Json {
    const streams = ['text/event-stream', 'application/jsonl', 'application/json-seq'];
    const others = isAnswer ? ['text/plain'] : ['multipart/form-data', 'application/x-www-form-urlencoded'];
    const chosen = this.#some(['application/json', 'application/octet-stream', ...streams, ...others], 2);
    return Object.fromEntries(chosen.map((type) => [type, this.#media(type, streams)]));
  }

  #media(type: string, streams: readonly string[]): Json {
    if (type === 'application/octet-stream') return {};
    if (type === 'text/plain') return { schema: { type: 'string' } };
    if (/form/.test(type)) return { schema: this.#object(1, true) };
    if (!streams.includes(type)) return { schema: this.#schema(1, false) };
    if (type !== 'text/event-stream' || this.#chance(30)) return { itemSchema: this.#schema(1, false) };
    return {
      itemSchema: {
        oneOf: this.#some(
          memberNames.filter((name) => name !== ''),
          3,
        ).map((name) => this.#event(name)),
      },
    };
  }

  #event(name: string): Json {
    const data = this.#chance(60)
      ? { type: 'string', contentMediaType: 'application/json', contentSchema: this.#schema(1, false) }
      : { type: 'string' };
    return {
      type: 'object',
      required: ['event', 'data', ...(this.#chance(20) ? ['id'] : [])],
      properties: {
        event: { const: name },
        data,
        ...this.#maybe(20, () => ({ id: { type: 'string', maxLength: 9 } })),
      },
    };
  }
}
