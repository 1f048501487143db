/** Prints what a handler is given and what it may answer. */
import { type Code, code, joinCode, key, literal } from '../../../encode.js';
import type {
  Api,
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
  StreamEvent,
  StreamSpec,
} from '../../../ir/api.js';
import type { Shape } from '../../../ir/shape.js';
import { docComment, docText } from '../../doc-comment.js';
import { demandedFields, eventDataType } from '../../event-data.js';
import { definedAs, indentBy } from '../../indentation.js';
import { partType } from '../../sent-parts.js';
import { inLine, type TypePrinter, typed } from '../../type-text.js';
import { isRead } from './parameter-values.js';
import type { RuntimeNames } from './runtime-names.js';

/** A declaration without its name. */
export interface DeclarationText {
  readonly isInterface: boolean;
  /** What an interface extends, with the keyword; or empty. */
  readonly heritage: Code;
  readonly hasBody: boolean;
  /** The members of the interface; or the aliased type, with the `=`. */
  readonly body: Code;
}

/** One event helper of an operation: its name, the type of its data. */
export interface EmittedEvent {
  readonly name: string;
  readonly data: Code;
  /** What it must have beside its data, behind another type. */
  readonly fields: Code;
}

const groups = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
  ['cookie', 'cookies'],
] as const;

/** The media types of a body, one per essence: parameters do not tell bodies apart at run time. */
export function distinctContent(content: readonly MediaType[]): readonly MediaType[] {
  return content.filter((media, index) => content.findIndex((other) => other.essence === media.essence) === index);
}

export class OperationTypes {
  readonly #api: Api;
  readonly #printer: Pick<TypePrinter, 'typeOf' | 'textOf'>;
  readonly #runtime: RuntimeNames;

  constructor(api: Api, printer: Pick<TypePrinter, 'typeOf' | 'textOf'>, runtime: RuntimeNames) {
    this.#api = api;
    this.#printer = printer;
    this.#runtime = runtime;
  }

  /** Groups by the place on the wire; several media types make a union that `contentType` tells apart. */
  request({ parameters, body }: Operation): DeclarationText {
    const members = groups.flatMap(([place, group]) => {
      const own = parameters.filter((parameter) => parameter.in === place);
      const whole = place === 'query' ? parameters.find((parameter) => parameter.in === 'querystring') : undefined;
      if (whole) return [this.#wholeQuery(whole)];
      if (own.length === 0) return [];
      const lines = own.map((parameter) => this.#parameter(parameter));
      return [code`  readonly ${group as string as Code}: {\n${joinCode(lines, '\n')}\n  };`];
    });
    const content = distinctContent(body?.content ?? []);
    const optional = body?.required === true ? code`` : code` | undefined`;
    if (content.length > 1) {
      const variants = content.map((media) => {
        const type = inLine(this.#body(media, 'write', 1), 1);
        return code`\n${indentBy(1)}| { readonly contentType: ${typeText(media)}; readonly body: ${type} }`;
      });
      if (body?.required !== true)
        variants.push(code`\n${indentBy(1)}| { readonly contentType?: undefined; readonly body: undefined }`);
      const union = joinCode(variants, '');
      const shared = joinCode(members, '\n');
      const type = members.length === 0 ? union : code`{\n${shared}\n} & (${union}\n)`;
      return { isInterface: false, heritage: code``, hasBody: true, body: definedAs(type) };
    }
    const [only] = content;
    if (only) members.push(code`  readonly body${typed(this.#body(only, 'write', 1))}${optional};`);
    return { isInterface: true, heritage: code``, hasBody: members.length > 0, body: joinCode(members, '\n') };
  }

  /** The query as one value: the group is the value. */
  #wholeQuery(parameter: Parameter): Code {
    const { required, deprecated, docs, content } = parameter;
    const indentation = indentBy(1);
    const doc = docComment({ text: docText(docs), deprecated }, indentation);
    const optional = required ? code`` : code` | undefined`;
    if (!isRead(this.#api, parameter)) return code`${doc}${indentation}readonly query: unknown;`;
    if (content && content.kind !== 'json' && content.kind !== 'form')
      return code`${doc}${indentation}readonly query: string${optional};`;
    if (content?.schema === undefined) return code`${doc}${indentation}readonly query: unknown;`;
    const type = this.#printer.typeOf(content.schema, 'write', 1);
    return code`${doc}${indentation}readonly query${typed(type)}${optional};`;
  }

  #parameter(parameter: Parameter): Code {
    const { name, required, deprecated, docs, schema, content } = parameter;
    const indentation = indentBy(2);
    const doc = docComment({ text: docText(docs), deprecated }, indentation);
    const member = code`${doc}${indentation}readonly ${key(name)}`;
    if (!isRead(this.#api, parameter)) return code`${member}?: unknown;`;
    const inner = content?.kind === 'json' ? content.schema : content === undefined ? schema : undefined;
    const fallback = content?.kind === 'json' ? code`unknown` : code`string`;
    const type = inner === undefined ? fallback : this.#printer.typeOf(inner, 'write', 2);
    return code`${member}${required ? code`` : code`?`}${typed(type)};`;
  }

  /** Each status with the arguments that `reply` demands for it. */
  replies({ responses }: Operation): DeclarationText {
    const bases: Code[] = [];
    const lines: Code[] = [];
    const exact = responses.flatMap(({ status }) => (status.kind === 'exact' ? [status.code] : []));
    const ranges = responses.flatMap(({ status }) => (status.kind === 'range' ? [status.hundred] : []));
    for (const response of responses) {
      const { status } = response;
      if (status.kind === 'exact') {
        if (status.code >= 200)
          lines.push(code`${indentBy(1)}${status.code}${typed(this.#answer(response, status.code >= 400, 1))};`);
        continue;
      }
      const hundreds = allHundreds.filter((hundred) =>
        status.kind === 'range' ? hundred === status.hundred : !ranges.includes(hundred),
      );
      const base = (group: readonly Hundred[], isError: boolean): void => {
        const listed = exact.filter((one) => group.some((hundred) => Math.floor(one / 100) === hundred));
        const answer = this.#answer(response, isError, 0);
        const space = answer.startsWith('\n') ? code`` : code` `;
        bases.push(
          code`${this.#runtime.use('Statuses')}<${this.#statuses(group)}, ${oneOf(listed)},${space}${answer}>`,
        );
      };
      // What an error has to say may differ from what a success has where the contract says nothing.
      const differs = response.content.length === 0;
      const groups = differs ? [hundreds.filter((one) => one < 4), hundreds.filter((one) => one >= 4)] : [hundreds];
      for (const group of groups) if (group.length > 0) base(group, (group[0] ?? 0) >= 4);
    }
    const heritage = bases.length === 0 ? code`` : code` extends ${joinCode(bases, ', ')}`;
    return { isInterface: true, heritage, hasBody: lines.length > 0, body: joinCode(lines, '\n') };
  }

  #statuses(hundreds: readonly Hundred[]): Code {
    if (hundreds.length === allHundreds.length) return this.#runtime.use('HttpStatus');
    return joinCode(
      hundreds.map((hundred) => this.#runtime.use(`Status${hundred}XX`)),
      ' | ',
    );
  }

  #answer(response: Response, isError: boolean, level: number): Code {
    const options = this.#options(response.headers);
    const content = distinctContent(response.content);
    // What an error without declared content carries is the handler's choice: many contracts leave it out.
    if (content.length === 0)
      return isError && options.optional
        ? code`[body?: unknown, ${options.text}]`
        : isError
          ? code`[body: unknown, ${options.text}]`
          : code`[${options.text}]`;
    const several = content.length > 1;
    const tuples = content.map((media) => {
      const type = several ? code`type: ${typeText(media)}, ` : code``;
      const ownLevel = several ? level + 1 : level;
      const body = inLine(this.#body(media, 'read', ownLevel), ownLevel);
      return code`[${type}body: ${body}, ${options.text}]`;
    });
    if (!several) return joinCode(tuples, ' | ');
    const next = code`\n${indentBy(level + 1)}| `;
    return code`${next}${joinCode(tuples, next)}`;
  }

  #options(headers: readonly Header[]): { readonly optional: boolean; readonly text: Code } {
    if (headers.length === 0) return { optional: true, text: code`options?: ${this.#runtime.use('ReplyOptions')}` };
    const required = headers.some((header) => header.required);
    const members = headers.map((header) => {
      const type = this.#headerType(header);
      return header.required
        ? code`readonly ${key(header.name)}: ${type}`
        : code`readonly ${key(header.name)}?: ${type} | undefined`;
    });
    const declared = code`{ ${joinCode(members, '; ')} }`;
    return required
      ? { optional: false, text: code`options: ${this.#runtime.use('HeadedOptions')}<${declared}>` }
      : { optional: true, text: code`options?: ${this.#runtime.use('ReplyOptions')}<${declared}>` };
  }

  /** Scalars as they are typed; everything else as what can be written into a header. */
  #headerType({ schema }: Header): Code {
    const any = (): Code => {
      const scalar = this.#runtime.use('HeaderScalar');
      return code`${scalar} | readonly ${scalar}[]`;
    };
    if (schema === undefined) return any();
    const seen = new Set<Shape>();
    const pending: (Shape | undefined)[] = [this.#api.shapes.get(schema)];
    for (const shape of pending) {
      if (!shape) return any();
      if (seen.has(shape)) continue;
      seen.add(shape);
      if (shape.kind === 'union') pending.push(...shape.members);
      else if (shape.kind === 'ref') pending.push(this.#api.shapes.get(shape.target));
      else if (!isScalar(shape)) return any();
    }
    return this.#printer.typeOf(schema, 'read');
  }

  #body(media: MediaType, direction: 'read' | 'write', level: number): Code {
    if (media.kind === 'text' || media.kind === 'xml') return code`string`;
    if (media.kind === 'event-stream')
      return direction === 'write' ? this.#received(media.stream, level) : this.#events(media.stream, level);
    if (media.stream?.framing === 'multipart') {
      const wrapper = (part: StreamEvent): Code =>
        this.#runtime.use(direction === 'write' ? 'ReceivedPart' : partType(this.#api, media, part));
      const types = media.stream.events.map(
        (part) => code`${wrapper(part)}<${this.#eventData(part, direction, level)}>`,
      );
      const union = joinCode([...new Set(types)], ' | ');
      return direction === 'write' ? code`readonly (${union})[]` : code`${this.#runtime.use('Items')}<${union}>`;
    }
    if (media.kind === 'sequence') {
      const [item] = media.stream?.events ?? [];
      const type = item?.schema === undefined ? code`unknown` : this.#printer.typeOf(item.schema, direction, level);
      return direction === 'write'
        ? code`readonly (${inLine(type, level)})[]`
        : code`${this.#runtime.use('Items')}<${type}>`;
    }
    if (media.kind === 'json') {
      return media.schema === undefined ? code`unknown` : this.#printer.typeOf(media.schema, direction, level);
    }
    return direction === 'write' ? code`globalThis.Uint8Array` : this.#runtime.use('Bytes');
  }

  #events({ events = [], closed = true }: Partial<StreamSpec> = {}, level: number): Code {
    const members = events.map((event) => {
      const data = this.#eventData(event, 'read', level);
      const fields = demandedFields(this.#api, [event]);
      if (event.name !== 'message')
        return code`${this.#runtime.use('SseNamed')}<${literal(event.name)}, ${data}>${fields}`;
      const unnamed = code`${this.#runtime.use('SseMessage')}<${data}>${fields}`;
      return closed ? unnamed : code`${this.#runtime.use('SseNamed')}<string, ${data}>${fields} | ${unnamed}`;
    });
    return code`${this.#runtime.use('Events')}<${joinCode(members, ' | ')}>`;
  }

  /** The events of a request's body, which have a name always: `message` where the wire has none. */
  #received({ events = [], closed = true }: Partial<StreamSpec> = {}, level: number): Code {
    const members = events.map((event) => {
      const name = closed || event.name !== 'message' ? literal(event.name) : code`string`;
      const fields = demandedFields(this.#api, [event]);
      return code`${this.#runtime.use('SseNamed')}<${name}, ${this.#eventData(event, 'write', level)}>${fields}`;
    });
    return code`readonly (${joinCode(members, ' | ')})[]`;
  }

  #eventData(event: StreamEvent, direction: 'read' | 'write', level: number): Code {
    return inLine(eventDataType(event, this.#printer, direction, level), level);
  }

  /** The events that an operation can send, one per name. */
  emitted({ responses }: Operation): readonly EmittedEvent[] {
    const byName = new Map<string, StreamEvent[]>();
    for (const event of responses.flatMap(({ content }) =>
      content.flatMap(({ stream }) => (stream?.framing === 'sse' ? stream.events : [])),
    )) {
      const same = byName.get(event.name);
      if (same === undefined) byName.set(event.name, [event]);
      else same.push(event);
    }
    return [...byName].map(([name, events]) => {
      const types = new Set(events.map((event) => this.#eventData(event, 'read', 2)));
      return { name, data: joinCode([...types], ' | '), fields: demandedFields(this.#api, events) };
    });
  }
}

type Hundred = 2 | 3 | 4 | 5;

const allHundreds: readonly Hundred[] = [2, 3, 4, 5];

function oneOf(statuses: readonly number[]): Code {
  if (statuses.length === 0) return code`never`;
  return joinCode(
    statuses.map((status) => code`${status}`),
    ' | ',
  );
}

function isScalar({ kind }: Shape): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'literal';
}

function typeText({ essence }: MediaType): Code {
  return literal(essence);
}
