/** Prints where the dates and times of values are, as the plain data that the runtime's codecs walk by. */
import { type Code, code, joinCode, key, literal } from '../encode.js';
import type { Api, MediaType } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { ObjectShape, Shape } from '../ir/shape.js';
import { type CodecTest, codecTest } from './codec-tests.js';
import { dateFormat } from './dated-schemas.js';
import type { Names } from './target.js';
import { isValue } from './xml-values.js';

export class CodecText {
  readonly #api: Api;
  readonly #names: Names;
  /** Gives the name of the runtime's `codec`. */
  readonly #codec: () => Code;
  /** The named codecs that were printed: what a file must import. */
  readonly used = new Set<Code>();

  constructor(api: Api, names: Names, codec: () => Code) {
    this.#api = api;
    this.#names = names;
    this.#codec = codec;
  }

  /** A codec for a schema where it is used: the one of that name, or one of its own; nothing where it holds no dates. */
  codecOf(schema: SchemaId | undefined): Code | undefined {
    if (schema === undefined || !this.#names.dated.has(schema)) return undefined;
    const named = this.#named(schema);
    if (named !== undefined) return named;
    return this.codecFrom(this.#part({ kind: 'ref', target: schema }));
  }

  codecFrom(part: Code | undefined): Code | undefined {
    return part === undefined ? undefined : code`/* @__PURE__ */ ${this.#codec()}(${part})`;
  }

  /** The codec of a named schema itself, for its declaration. */
  declarationOf(schema: SchemaId): Code {
    const shape = this.#api.shapes.get(schema);
    return this.codecFrom((shape && this.#part(shape)) ?? code`{}`) ?? code``;
  }

  /** The part of a body: JSON has one by its schema, several media types have them all. */
  bodyPart(content: readonly MediaType[]): Code | undefined {
    const parts = content.flatMap((media) =>
      (isValue(media) || media.kind === 'form' || media.kind === 'multipart') && media.schema !== undefined
        ? [media.schema]
        : [],
    );
    return this.#alternatives(parts.map((target): Shape => ({ kind: 'ref', target })));
  }

  partOf(schema: SchemaId | undefined): Code | undefined {
    return schema === undefined ? undefined : this.#part({ kind: 'ref', target: schema });
  }

  #named(schema: SchemaId): Code | undefined {
    const name = this.#names.codecOf(schema)?.codec as Code | undefined;
    if (name !== undefined) this.used.add(name);
    return name;
  }

  #part(shape: Shape): Code | undefined {
    switch (shape.kind) {
      case 'string': {
        const format = dateFormat(shape);
        return format && literal(format);
      }
      case 'array':
        return wrapped(code`items`, this.#part(shape.items));
      case 'tuple': {
        const prefix = shape.items.map((item) => this.#part(item));
        const rest = shape.rest && this.#part(shape.rest);
        if (rest === undefined && prefix.every((item) => item === undefined)) return undefined;
        const items = joinCode(
          prefix.map((item) => item ?? code`null`),
          ', ',
        );
        return node([code`prefix: [${items}]`, ...(rest === undefined ? [] : [code`items: ${rest}`])]);
      }
      case 'object':
        return this.#object(shape);
      case 'intersection': {
        const parts = shape.members.flatMap((member) => this.#part(member) ?? []);
        const [only] = parts;
        return parts.length < 2 ? only : wrapped(code`also`, code`[${joinCode(parts, ', ')}]`);
      }
      case 'union':
        return this.#alternatives(shape.members);
      case 'ref': {
        if (!this.#names.dated.has(shape.target)) return undefined;
        const named = this.#named(shape.target);
        if (named !== undefined) return code`() => ${named}`;
        const target = this.#api.shapes.get(shape.target);
        return target && this.#part(target);
      }
      default:
        return undefined;
    }
  }

  #object({ properties, additional }: ObjectShape): Code | undefined {
    const rest = additional && this.#part(additional);
    const members = properties.flatMap(({ name, shape }) => {
      const part = this.#part(shape);
      if (part !== undefined) return [code`${key(name)}: ${part}`];
      return rest === undefined ? [] : [code`${key(name)}: null`];
    });
    const said: Code[] = [];
    if (members.length > 0) said.push(code`members: { ${joinCode(members, ', ')} }`);
    if (rest !== undefined) said.push(code`rest: ${rest}`);
    return said.length === 0 ? undefined : node(said);
  }

  /** One alternative beside null needs no choice. Those without dates are no choices: nothing is done with them. */
  #alternatives(shapes: readonly Shape[]): Code | undefined {
    const all = this.#flat(shapes).filter(({ end }) => end.kind !== 'null');
    const dated = all.flatMap(({ shape, end }) => {
      const part = this.#part(shape);
      return part === undefined ? [] : [{ part, test: codecTest(end, this.#api) }];
    });
    const [first] = dated;
    if (first === undefined || all.length === 1) return first?.part;
    const choices = dated.map(({ part, test }) => (test ? code`{ ${testText(test)}, part: ${part} }` : undefined));
    const known = choices.filter((choice) => choice !== undefined);
    const others = dated.filter(({ test }) => test === undefined).map(({ part }) => part);
    return node([
      ...(known.length > 0 ? [code`choose: [${joinCode(known, ', ')}]`] : []),
      ...(others.length > 0 ? [code`also: [${joinCode(others, ', ')}]`] : []),
    ]);
  }

  /** The alternatives with what each is at the end of its references; unions inside unions are taken apart. */
  #flat(shapes: readonly Shape[]): readonly { readonly shape: Shape; readonly end: Shape }[] {
    const found: { readonly shape: Shape; readonly end: Shape }[] = [];
    const seen = new Set<SchemaId>();
    const pending = shapes.map((shape) => ({ shape, end: shape }));
    for (const { shape, end } of pending) {
      if (end.kind === 'union') pending.push(...end.members.map((member) => ({ shape: member, end: member })));
      else if (end.kind !== 'ref') found.push({ shape, end });
      else if (!seen.has(end.target)) {
        seen.add(end.target);
        const target = this.#api.shapes.get(end.target);
        if (target) pending.push({ shape, end: target });
      }
    }
    return found;
  }
}

function node(members: readonly Code[]): Code {
  return code`{ ${joinCode(members, ', ')} }`;
}

function wrapped(name: Code, part: Code | undefined): Code | undefined {
  return part === undefined ? undefined : code`{ ${name}: ${part} }`;
}

function testText({ is, required, values, kinds }: CodecTest): Code {
  const table = (entries: CodecTest['values'] | CodecTest['kinds']): Code =>
    joinCode(
      [...entries].map(([name, list]) => code`${key(name)}: ${literal(list)}`),
      ', ',
    );
  const said = [code`is: ${literal(is)}`];
  if (required.length > 0) said.push(code`required: ${literal(required)}`);
  if (values.size > 0) said.push(code`values: { ${table(values)} }`);
  if (kinds.size > 0) said.push(code`kinds: { ${table(kinds)} }`);
  return joinCode(said, ', ');
}
