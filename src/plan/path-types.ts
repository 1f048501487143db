/** Prints operations as members of the interfaces that openapi-typescript writes. Every line is finished. */
import { type Code, code, joinCode, key, literal } from '../encode.js';
import type { ApiRequest, Body, Header, MediaType, Parameter, Response, Status } from '../ir/api.js';
import { docComment, docText } from './doc-comment.js';
import { indentBy } from './indentation.js';
import { addressKey, type SharedParts } from './shared-parts.js';
import type { Direction } from './target.js';
import { type TypePrinter, typed } from './type-text.js';

/** The groups of parameters, in the order in which they are printed. */
const groups = ['query', 'header', 'path', 'cookie'] as const;

/** A member whose type is an object: its lines are those of the members. */
export function block(level: number, name: Code, lines: readonly Code[]): Code {
  return code`${indentBy(level)}${name}: {\n${joinCode(lines, '\n')}\n${indentBy(level)}};`;
}

export function line(level: number, text: Code): Code {
  return code`${indentBy(level)}${text};`;
}

export class PathTypes {
  readonly #printer: TypePrinter;
  readonly #shared: SharedParts;

  constructor(printer: TypePrinter, shared: SharedParts) {
    this.#printer = printer;
    this.#shared = shared;
  }

  /** An operation as a member of that name. */
  operation(name: Code, { parameters, body, responses }: ApiRequest, level: number): Code {
    return block(level, name, [
      this.parameters(parameters, level + 1),
      this.#requestBody(body, level + 1),
      this.#responses(responses, level + 1, (status, response) => {
        const shared = this.#shared.responses.get(addressKey(response.at));
        if (shared === undefined) return this.response(status, response, level + 2);
        return line(level + 2, code`${status}: components["responses"][${literal(shared.name)}]`);
      }),
    ]);
  }

  /** What the service sends: here the request is what is read, and the answer what is written. */
  webhook(name: Code, { parameters, body, responses }: ApiRequest, level: number): Code {
    const content = body && this.#content(body.content, 'read', level + 2);
    return block(level, name, [
      this.parameters(parameters, level + 1, 'read'),
      content === undefined
        ? line(level + 1, code`requestBody?: never`)
        : block(level + 1, code`requestBody${body?.required ? code`` : code`?`}`, [content]),
      this.#responses(responses, level + 1, (status, response) => this.response(status, response, level + 2, 'write')),
    ]);
  }

  /** All four groups, those without a parameter as `never`. */
  parameters(parameters: readonly Parameter[], level: number, direction: Direction = 'write'): Code {
    return block(
      level,
      code`parameters`,
      groups.map((group) => this.#group(group, parameters, level + 1, direction)),
    );
  }

  /** A shared part, as a member of its section. */
  response(name: Code, response: Response, level: number, direction: Direction = 'read'): Code {
    const content = this.#content(response.content, direction, level + 1);
    return block(level, name, [
      block(level + 1, code`headers`, this.#headers(response.headers, level + 2, direction)),
      content ?? line(level + 1, code`content?: never`),
    ]);
  }

  parameter(name: Code, parameter: Parameter, level: number): Code {
    return code`${indentBy(level)}${name}${typed(this.#valueOf(parameter, 'write', level))};`;
  }

  body(name: Code, { content }: Body, level: number): Code {
    return block(level, name, [this.#content(content, 'write', level + 1) ?? line(level + 1, code`content: never`)]);
  }

  #group(group: (typeof groups)[number], parameters: readonly Parameter[], level: number, direction: Direction): Code {
    const whole = group === 'query' ? parameters.find((parameter) => parameter.in === 'querystring') : undefined;
    if (whole) return this.#member(code`query`, whole, level, direction);
    const inside = parameters.filter((parameter) => parameter.in === group);
    if (inside.length === 0) return line(level, code`${key(group)}?: never`);
    const optional = inside.every((parameter) => !parameter.required);
    const lines = inside.map((parameter) => this.#member(key(parameter.name), parameter, level + 1, direction));
    return block(level, code`${key(group)}${optional ? code`?` : code``}`, lines);
  }

  #member(name: Code, parameter: Parameter, level: number, direction: Direction): Code {
    const { docs, deprecated, required } = parameter;
    const indentation = indentBy(level);
    const doc = docComment({ text: docText(docs), deprecated }, indentation);
    const type = this.#valueOf(parameter, direction, level);
    if (required) return code`${doc}${indentation}${name}${typed(type)};`;
    // A caller may pass on what it has, also where that is `undefined`.
    return code`${doc}${indentation}${name}?${typed(type === 'unknown' ? type : code`${type} | undefined`)};`;
  }

  #requestBody(body: Body | undefined, level: number): Code {
    if (body === undefined || body.content.length === 0) return line(level, code`requestBody?: never`);
    const name = code`requestBody${body.required ? code`` : code`?`}`;
    const shared = this.#shared.requestBodies.get(addressKey(body.at));
    if (shared === undefined) return this.body(name, body, level);
    return line(level, code`${name}: components["requestBodies"][${literal(shared.name)}]`);
  }

  #responses(responses: readonly Response[], level: number, print: (status: Code, response: Response) => Code): Code {
    if (responses.length === 0) return line(level, code`responses: never`);
    // `4XX` and `4xx` are one status: the first counts.
    const members = new Map<Code, Response>();
    for (const response of responses) {
      const status = statusKey(response.status);
      if (!members.has(status)) members.set(status, response);
    }
    const lines = [...members].map(([status, response]) => print(status, response));
    return block(level, code`responses`, lines);
  }

  #headers(headers: readonly Header[], level: number, direction: Direction): readonly Code[] {
    const members = headers.map((header) => {
      const type = this.#valueOf(header, direction, level);
      return code`${indentBy(level)}${key(header.name)}${header.required ? code`` : code`?`}${typed(type)};`;
    });
    return [...members, line(level, code`[name: string]: unknown`)];
  }

  #content(content: readonly MediaType[], direction: Direction, level: number): Code | undefined {
    if (content.length === 0) return undefined;
    const members = content.map(
      (media) => code`${indentBy(level + 1)}${key(media.text)}${typed(this.#mediaType(media, direction, level + 1))};`,
    );
    return block(level, code`content`, members);
  }

  #mediaType({ kind, schema }: MediaType, direction: Direction, level: number): Code {
    if (schema !== undefined) return this.#printer.typeOf(schema, direction, level);
    // A stream that is described by its items travels as text.
    if (kind === 'text' || kind === 'event-stream' || kind === 'sequence') return code`string`;
    return code`unknown`;
  }

  #valueOf({ schema, content }: Parameter | Header, direction: Direction, level: number): Code {
    const described = schema ?? content?.schema;
    return described === undefined ? code`unknown` : this.#printer.typeOf(described, direction, level);
  }
}

function statusKey(status: Status): Code {
  if (status.kind === 'default') return code`default`;
  return status.kind === 'exact' ? code`${status.code}` : code`"${status.hundred}XX"`;
}
