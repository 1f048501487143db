/** Prints what a caller gives to an operation: groups by the place on the wire, keyed by the names on the wire. */
import { type Code, code, joinCode, key, literal } from '../encode.js';
import type { Api, MediaType, Parameter, StreamEvent, StreamSpec } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import { docComment, docText, schemaTags } from './doc-comment.js';
import { demandedFields, eventDataType } from './event-data.js';
import { admitsText, FormFields } from './form-fields.js';
import { indentBy } from './indentation.js';
import {
  type InputGroup,
  type InputParameter,
  inputGroups,
  type OperationInput,
  valueSchema,
} from './operation-input.js';
import type { RuntimeImports } from './runtime-imports.js';
import { partType } from './sent-parts.js';
import { inLine, type TypePrinter, typed } from './type-text.js';
import { isValue } from './xml-values.js';

/** An input's declaration without its name. */
export interface InputText {
  readonly isInterface: boolean;
  /** The members of the interface, or the aliased type. */
  readonly body: Code;
}

export class InputTypes {
  readonly #api: Api;
  readonly #printer: Pick<TypePrinter, 'typeOf' | 'textOf' | 'formOf'>;
  readonly #chains: ReferenceChains;
  readonly #runtime: RuntimeImports;

  constructor(api: Api, printer: Pick<TypePrinter, 'typeOf' | 'textOf' | 'formOf'>, runtime: RuntimeImports) {
    this.#runtime = runtime;
    this.#api = api;
    this.#printer = printer;
    this.#chains = new ReferenceChains(api.schemas);
  }

  /** A body of several media types makes a union: each goes with its `contentType`, which the first may leave out. */
  print(input: OperationInput): InputText {
    const content = input.body?.content ?? [];
    const groups = inputGroups.flatMap((group) => this.#group(group, input.parameters));
    const bodies = content.map((media, index) => this.#body(media, index, content.length, input));
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
    return [optional(key(group), code`{\n${joinCode(lines, '\n')}\n${indentBy(1)}}`, required, 1)];
  }

  /** The query as one value: the group is the value. */
  #wholeQuery({ parameter, required }: InputParameter): Code {
    const { content, docs, deprecated } = parameter;
    const doc = docComment({ text: docText(docs), deprecated }, indentBy(1));
    const isText = content?.kind !== 'json' && content?.kind !== 'form';
    const schema = content?.schema;
    const described = schema === undefined ? code`unknown` : this.#printer.typeOf(schema, 'write', 1);
    const type = isText ? code`string` : described;
    return code`${doc}${optional(key('query'), type, required, 1)}`;
  }

  #parameter(input: InputParameter): Code {
    const { name, docs, deprecated } = input.parameter;
    const schema = valueSchema(input.parameter);
    const type = this.#parameterType(input.parameter);
    const node = schema === undefined ? undefined : this.#api.schemas.get(this.#chains.endOf(schema).end);
    const text = [docText(docs) ?? (node && docText(node.docs)), sentNote(input)].filter((part) => part !== undefined);
    const doc = docComment(
      {
        text: text.length === 0 ? undefined : text.join('\n\n'),
        deprecated: deprecated || node?.docs.deprecated,
        tags: schemaTags(node),
      },
      indentBy(2),
    );
    return code`${doc}${optional(key(name), type, input.required, 2)}`;
  }

  #parameterType(parameter: Parameter): Code {
    const { content, allowEmptyValue } = parameter;
    const schema = valueSchema(parameter);
    if (content !== undefined && content.kind !== 'json') return code`string`;
    const type = schema === undefined ? code`unknown` : this.#printer.typeOf(schema, 'write', 2);
    const admitsEmpty = !allowEmptyValue || parameter.in !== 'query' || type === 'string' || type === 'unknown';
    return admitsEmpty ? type : code`${inLine(type, 2)} | ''`;
  }

  #body(media: MediaType, index: number, count: number, { body }: OperationInput): Code {
    const member = optional(code`body`, this.#bodyType(media), body?.required ?? false, 1);
    const isRange = media.essence.includes('*');
    if (count === 1 && !isRange) return member;
    const type = isRange ? code`string` : literal(media.text);
    return code`${member}\n${optional(code`contentType`, type, index > 0, 1)}`;
  }

  #bodyType(media: MediaType): Code {
    const { kind, schema, stream } = media;
    if (!isValue(media) && (kind === 'text' || kind === 'xml')) return code`string`;
    if (stream) {
      const types = new Set(stream.events.map((event) => this.#streamItem(event, stream, media)));
      const type = joinCode([...types], ' | ');
      return code`globalThis.Iterable<${type}> | globalThis.AsyncIterable<${type}>`;
    }
    // What is printed is imported: where the schema is not the type of the body it is not asked for.
    const described = (): Code | undefined =>
      schema === undefined ? undefined : this.#printer.typeOf(schema, 'write', 1);
    switch (kind) {
      case 'json':
      case 'xml':
        return described() ?? code`unknown`;
      case 'form':
        return code`${inLine(described() ?? anyForm, 1)} | globalThis.URLSearchParams`;
      case 'multipart':
        return this.#multipart(media);
      default:
        return schema !== undefined && admitsText(this.#api, schema)
          ? code`string | ${this.#runtime.use('RawBody')}`
          : this.#runtime.use('RawBody');
    }
  }

  /** An object whose files are bytes, and of whose members those are parts that have headers of their own. */
  #multipart(media: MediaType): Code {
    const { schema, essence } = media;
    // Of other types the platform cannot make one of a `FormData`.
    const isForm = essence === 'multipart/form-data' || essence.includes('*');
    const ready = isForm ? code` | globalThis.FormData` : code``;
    if (schema === undefined) return code`${anyForm}${ready}`;
    const { shape, parts } = new FormFields(this.#api).shapeOf(media, schema);
    const type = this.#printer.formOf(
      shape,
      schema,
      {
        file: () => this.#runtime.use('Upload'),
        member: (property, text) => (parts.has(property) ? code`${this.#runtime.use('FormPart')}<${text}>` : text),
      },
      'write',
    );
    return code`${inLine(type, 1)}${ready}`;
  }

  #streamItem(event: StreamEvent, { framing, closed }: StreamSpec, media: MediaType): Code {
    const { name } = event;
    const type = eventDataType(event, this.#printer, 'write', 1);
    if (framing === 'multipart') return code`${this.#runtime.use(partType(this.#api, media, event))}<${type}>`;
    if (framing !== 'sse') return type;
    const fields = demandedFields(this.#api, [event]);
    if (name !== 'message') return code`${this.#runtime.use('SentSseEvent')}<${literal(name)}, ${type}>${fields}`;
    const unnamed = code`${this.#runtime.use('SentSseMessage')}<${type}>${fields}`;
    return closed ? unnamed : code`${this.#runtime.use('SentSseEvent')}<string, ${type}>${fields} | ${unnamed}`;
  }
}

const anyForm = code`{ [key: string]: unknown }`;

/** A member as a finished line. */
function optional(name: Code, type: Code, required: boolean, level: number): Code {
  const member = code`${indentBy(level)}${name}`;
  if (required) return code`${member}${typed(type)};`;
  return type === 'unknown' ? code`${member}?: ${type};` : code`${member}?${typed(type)} | undefined;`;
}

function sentNote({ default: value, from }: InputParameter): string | undefined {
  if (from) {
    const members = from.map((steps) => `\`body.${steps.join('.')}\``).join(', else of ');
    return `Where it is not given, the value of ${members} is sent.`;
  }
  return value === undefined ? undefined : `Where it is not given, \`${JSON.stringify(value)}\` is sent.`;
}
