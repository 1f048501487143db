/** Prints the named answers of an operation, their headers and the events of their streams. */
import { type Code, code, type Identifier, joinCode, key, literal, number } from '../encode.js';
import type { Api, Framing, Header, MediaType, Status, StreamEvent } from '../ir/api.js';
import type { PlannedAnswer } from './answers.js';
import { docComment, saidOf } from './doc-comment.js';
import { demandedFields, eventDataType } from './event-data.js';
import { isReadForm } from './form-answers.js';
import { FormFields } from './form-fields.js';
import { headerKind } from './header-kind.js';
import { definedAs, indentBy } from './indentation.js';
import type { RuntimeImports } from './runtime-imports.js';
import type { PlanContext } from './target.js';
import { type TypePrinter, typed } from './type-text.js';
import { isValue } from './xml-values.js';

export interface EventsView {
  readonly name: Identifier;
  /** With the `=`. */
  readonly type: Code;
}

export interface AnswerView {
  /** A comment with its line end, or empty. */
  readonly doc: Code;
  readonly name: Identifier;
  /** An interface, unless the answer stands for successes and failures both. */
  readonly isInterface: boolean;
  /** What the interface extends; or the aliased type, with the `=`. */
  readonly type: Code;
}

export class AnswerTypes {
  readonly #context: PlanContext;
  readonly #printer: Pick<TypePrinter, 'typeOf' | 'textOf' | 'formOf'>;
  readonly #runtime: RuntimeImports;

  constructor(
    context: PlanContext,
    printer: Pick<TypePrinter, 'typeOf' | 'textOf' | 'formOf'>,
    runtime: RuntimeImports,
  ) {
    this.#context = context;
    this.#printer = printer;
    this.#runtime = runtime;
  }

  answer(answer: PlannedAnswer): AnswerView {
    const { name, outcome, response } = answer;
    const doc = docComment({ text: saidOf(response).join('\n\n') || undefined });
    if (outcome !== 'both') {
      return {
        doc,
        name,
        isInterface: true,
        type: this.#arm(answer, outcome, this.#status(answer.status, answer.except)),
      };
    }
    const arms = [
      this.#arm(answer, 'success', this.#status({ kind: 'range', hundred: 2 }, [])),
      this.#arm(answer, 'failure', this.#status(answer.status, [...answer.except, { kind: 'range', hundred: 2 }])),
    ];
    return { doc, name, isInterface: false, type: definedAs(unionOf(arms)) };
  }

  /** The union of a stream's events; nothing where the answer is no stream. */
  events({ event, media }: PlannedAnswer): readonly EventsView[] {
    if (event === undefined || !media?.stream) return [];
    const { events, framing, closed } = media.stream;
    const isSse = framing === 'sse';
    const arms = [...new Set(events.map((one) => this.#event(one, framing, closed)))];
    if (isSse && closed) arms.push(this.#runtime.use('UnknownSseEvent'));
    if (framing === 'multipart') arms.push(this.#runtime.use('InvalidStreamPart'));
    else if (events.some(({ data, schema, fields }) => data === 'json' || (schema ?? fields) !== undefined)) {
      arms.push(this.#runtime.use(isSse ? 'InvalidSseEvent' : 'InvalidStreamItem'));
    }
    return [{ name: event, type: definedAs(unionOf(arms)) }];
  }

  #event(event: StreamEvent, framing: Framing, closed: boolean): Code {
    const data = this.#eventData(event);
    if (framing === 'multipart') return code`${this.#runtime.use('StreamPart')}<${data}>`;
    if (framing !== 'sse') return code`${this.#runtime.use('StreamItem')}<${data}>`;
    // An id there is always: the last one.
    const retry = demandedFields(this.#context.api, [event], ['retry']);
    if (!closed && event.name === 'message') return code`${this.#runtime.use('PayloadSseEvent')}<${data}>${retry}`;
    return code`${this.#runtime.use('SseEvent')}<${literal(event.name)}, ${data}>${retry}`;
  }

  #eventData(event: StreamEvent): Code {
    return eventDataType(event, this.#printer, 'read', 1);
  }

  #arm(answer: PlannedAnswer, outcome: 'success' | 'failure', status: Code): Code {
    const base = this.#runtime.use(outcome === 'success' ? 'Success' : 'Failure');
    const [contentType, body] = this.#content(answer, outcome);
    const headers = this.#headers(answer.headers);
    return code`${base}<${joinCode([status, contentType, body, ...headers], ', ')}>`;
  }

  /** A failure without declared content may have a body all the same: what it is, only the answer tells. */
  #content({ media, event }: PlannedAnswer, outcome: 'success' | 'failure'): readonly [Code, Code] {
    if (!media)
      return outcome === 'success' ? [code`undefined`, code`undefined`] : [code`string | undefined`, code`unknown`];
    const contentType = media.essence.includes('*') ? code`string` : literal(media.essence);
    return [contentType, event === undefined ? this.#body(media) : code`${this.#runtime.use('EventStream')}<${event}>`];
  }

  #body(media: MediaType): Code {
    const { kind, schema } = media;
    if (isReadForm(media)) return formAnswerType(this.#context.api, this.#printer, media);
    if (!isValue(media)) return kind === 'text' || kind === 'xml' ? code`string` : code`globalThis.Blob`;
    return schema === undefined ? code`unknown` : this.#printer.typeOf(schema, 'read');
  }

  #headers(headers: readonly Header[]): readonly Code[] {
    if (headers.length === 0) return [];
    const members = headers.map(({ name, required, schema }) => {
      const kind = headerKind(this.#context.api, schema, this.#context.options.dates);
      const type = kind.typed && schema !== undefined ? this.#printer.typeOf(schema, 'read', 1) : code`string`;
      return code`${indentBy(1)}readonly ${key(name)}${required ? code`` : code`?`}${typed(type)};`;
    });
    return [code`{\n${joinCode(members, '\n')}\n}`];
  }

  #status(status: Status, except: readonly Status[]): Code {
    if (status.kind === 'exact') return number(status.code);
    const all = this.#statuses(status);
    if (except.length === 0) return all;
    const inner = except.map((one) => this.#statuses(one));
    return code`${this.#runtime.use('Except')}<${all}, ${joinCode(inner, ' | ')}>`;
  }

  #statuses(status: Status): Code {
    if (status.kind === 'exact') return number(status.code);
    return this.#runtime.use(status.kind === 'default' ? 'HttpStatus' : (`Status${status.hundred}XX` as const));
  }
}

const anyForm = code`{ [key: string]: string | string[] }`;
const anyMultipart = code`{ [key: string]: string | globalThis.File | (string | globalThis.File)[] }`;

/** What a program has of the form. Files are a `File`, whatever the schema says of their bytes. */
function formAnswerType(api: Api, printer: Pick<TypePrinter, 'typeOf' | 'formOf'>, media: MediaType): Code {
  const { kind, schema } = media;
  if (schema === undefined) return kind === 'form' ? anyForm : anyMultipart;
  if (kind === 'form') return printer.typeOf(schema, 'read');
  const { shape } = new FormFields(api).shapeOf(media, schema);
  return printer.formOf(shape, schema, { file: () => code`globalThis.File`, member: (_, text) => text }, 'read');
}

/** A union on one line where it fits, else with a line for each member. */
export function unionOf(members: readonly (Code | Identifier)[]): Code {
  const line = joinCode(members, ' | ');
  return line.length <= 90 && !line.includes('\n') ? line : code`\n  | ${joinCode(members, '\n  | ')}`;
}
