/** Prints what a caller gives to an operation: groups by the place on the wire, keyed by the names on the wire. */
import { type Code, code, joinCode, key, literal } from '../encode.js';
import type { Api, MediaType, StreamEvent, StreamSpec } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import { docComment, docText, schemaTags } from './doc-comment.js';
import { eventDataType } from './event-data.js';
import { type InputGroup, type InputParameter, inputGroups, type OperationInput } from './operation-input.js';
import type { RuntimeImports } from './runtime-imports.js';
import type { TypePrinter } from './type-text.js';

/** An input's declaration without its name. */
export interface InputText {
  readonly isInterface: boolean;
  /** The members of the interface, or the aliased type. */
  readonly body: Code;
}

export class InputTypes {
  readonly #api: Api;
  readonly #printer: TypePrinter;
  readonly #chains: ReferenceChains;
  readonly #runtime: RuntimeImports;

  constructor(api: Api, printer: TypePrinter, runtime: RuntimeImports) {
    this.#runtime = runtime;
    this.#api = api;
    this.#printer = printer;
    this.#chains = new ReferenceChains(api.schemas);
  }

  /** A body of several media types makes a union: each goes with its `contentType`, which the first may leave out. */
  print(input: OperationInput): InputText {
    const groups = inputGroups.flatMap((group) => this.#group(group, input.parameters));
    const bodies = input.body?.content.map((media, index, all) => this.#body(media, index, all.length, input)) ?? [];
    if (bodies.length > 1) {
      const variants = bodies.map((body) => code`{\n${joinCode([...groups, body], '\n')}\n}`);
      return { isInterface: false, body: joinCode(variants, ' | ') };
    }
    const members = [...groups, ...bodies];
    return members.length === 0
      ? { isInterface: false, body: code`{ [key: string]: never }` }
      : { isInterface: true, body: joinCode(members, '\n') };
  }

  #group(group: InputGroup, parameters: readonly InputParameter[]): readonly Code[] {
    const inside = parameters.filter((parameter) => parameter.group === group);
    if (inside.length === 0) return [];
    const whole = inside.find(({ parameter }) => parameter.in === 'querystring');
    if (whole) return [this.#wholeQuery(whole)];
    const lines = inside.map((parameter) => this.#parameter(parameter));
    const required = inside.some((parameter) => parameter.required);
    return [optional(key(group), code`{\n${joinCode(lines, '\n')}\n}`, required)];
  }

  /** The query as one value: the group is the value. */
  #wholeQuery({ parameter, required }: InputParameter): Code {
    const { content, supported, docs, deprecated } = parameter;
    const doc = docComment({ text: docText(docs), deprecated });
    if (!supported || content?.schema === undefined)
      return code`${doc}${optional(key('query'), code`unknown`, required)}`;
    const type = content.kind === 'text' ? code`string` : this.#printer.typeOf(content.schema, 'write');
    return code`${doc}${optional(key('query'), type, required)}`;
  }

  #parameter(input: InputParameter): Code {
    const { name, docs, deprecated, supported, schema } = input.parameter;
    const type = supported && schema !== undefined ? this.#printer.typeOf(schema, 'write') : code`unknown`;
    const node = schema === undefined ? undefined : this.#api.schemas.get(this.#chains.endOf(schema).end);
    const text = [docText(docs) ?? (node && docText(node.docs)), sentNote(input)].filter((part) => part !== undefined);
    const doc = docComment({
      text: text.length === 0 ? undefined : text.join('\n\n'),
      deprecated: deprecated || node?.docs.deprecated,
      tags: schemaTags(node),
    });
    return code`${doc}${optional(key(name), type, input.required)}`;
  }

  #body(media: MediaType, index: number, count: number, { body }: OperationInput): Code {
    const member = optional(code`body`, this.#bodyType(media), body?.required ?? false);
    const isRange = media.essence.includes('*');
    if (count === 1 && !isRange) return member;
    const type = isRange ? code`string` : literal(media.text);
    return code`${member}\n${optional(code`contentType`, type, index > 0)}`;
  }

  #bodyType({ kind, schema, stream }: MediaType): Code {
    if (kind === 'text') return code`string`;
    if (stream) {
      const types = new Set(stream.events.map((event) => this.#streamItem(event, stream)));
      const type = joinCode([...types], ' | ');
      return code`globalThis.Iterable<${type}> | globalThis.AsyncIterable<${type}>`;
    }
    if (kind !== 'json') return code`globalThis.BodyInit`;
    return schema === undefined ? code`unknown` : this.#printer.typeOf(schema, 'write');
  }

  #streamItem({ name, data, schema }: StreamEvent, { framing, closed }: StreamSpec): Code {
    const described = schema === undefined ? undefined : this.#printer.typeOf(schema, 'write');
    const type = eventDataType(data, described);
    if (framing === 'multipart') return code`${this.#runtime.use('SentPart')}<${type}>`;
    if (framing !== 'sse') return type;
    if (name !== 'message') return code`${this.#runtime.use('SentSseEvent')}<${literal(name)}, ${type}>`;
    const unnamed = code`${this.#runtime.use('SentSseMessage')}<${type}>`;
    return closed ? unnamed : code`${this.#runtime.use('SentSseEvent')}<string, ${type}> | ${unnamed}`;
  }
}

function optional(name: Code, type: Code, required: boolean): Code {
  if (required) return code`${name}: ${type};`;
  return type === 'unknown' ? code`${name}?: ${type};` : code`${name}?: ${type} | undefined;`;
}

function sentNote({ default: value, from }: InputParameter): string | undefined {
  if (from) {
    const members = from.map((steps) => `\`body.${steps.join('.')}\``).join(', else of ');
    return `Where it is not given, the value of ${members} is sent.`;
  }
  return value === undefined ? undefined : `Where it is not given, \`${JSON.stringify(value)}\` is sent.`;
}
