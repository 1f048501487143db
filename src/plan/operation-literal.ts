/** Prints what the runtime must know of an operation, as the members of a plain literal that a bundler can drop. */
import { type Code, code, joinCode, key, literal, number } from '../encode.js';
import type { Framing, Header, MediaType, Operation, Status, StreamEvent, StreamSpec } from '../ir/api.js';
import type { Server } from '../ir/details.js';
import { acceptable, type PlannedAnswer } from './answers.js';
import type { CodecText } from './codec-text.js';
import { type Credential, credentialOf } from './credentials.js';
import { endsUnderNames, namedEvents } from './event-data.js';
import { formReaderText, isReadForm } from './form-answers.js';
import { FormFields, hasHeaders, isJsonType } from './form-fields.js';
import { headerKind } from './header-kind.js';
import { headerEncodings } from './header-mirrors.js';
import { onLines } from './indentation.js';
import { type InputParameter, inputGroups, type OperationInput, valueSchema } from './operation-input.js';
import { fieldWriter, type ParameterWriter, parameterWriter } from './parameter-writers.js';
import type { RuntimeImports, RuntimeName } from './runtime-imports.js';
import { partMembers } from './sent-parts.js';
import type { PlanContext } from './target.js';
import { isValue, xmlBody } from './xml-values.js';

export interface MemberView {
  readonly name: Code;
  readonly value: Code;
}

/** How far the members of the literal, an argument of a call, are indented. */
const memberLevel = 3;

/** Where an operation is: the server that is asked unless the caller chooses one, and those that have names. */
export interface CallPlace {
  readonly server: Code | undefined;
  readonly servers: Code | undefined;
}

/** Gives the alias of an event's validator, or nothing where there is none to import. */
export type EventValidator = (event: StreamEvent) => Code | undefined;

export class OperationLiteral {
  readonly #context: PlanContext;
  readonly #runtime: RuntimeImports;
  readonly #validatorOf: EventValidator;
  readonly #codecs: CodecText;
  readonly #forms: FormFields;

  constructor(context: PlanContext, runtime: RuntimeImports, validatorOf: EventValidator, codecs: CodecText) {
    this.#codecs = codecs;
    this.#forms = new FormFields(context.api);
    this.#context = context;
    this.#runtime = runtime;
    this.#validatorOf = validatorOf;
  }

  members(
    operation: Operation,
    input: OperationInput,
    answers: readonly PlannedAnswer[],
    place: CallPlace,
  ): readonly MemberView[] {
    const { names } = this.#context;
    const parameters = input.parameters.filter(({ group }) => group !== 'path');
    const inputCodec = this.#inputCodec(input);
    const security = list(this.#security(operation), memberLevel);
    const accept = [...new Set(answers.flatMap(({ media }) => media?.essence ?? []))].join(', ');
    const members: readonly (readonly [string, Code | undefined])[] = [
      ['name', literal(names.operationOf(operation).function)],
      ['method', literal(operation.method)],
      ['server', place.server],
      ['servers', place.servers],
      ['choose', place.servers && this.#runtime.use('chooseServer')],
      ['path', this.#path(operation, input)],
      [
        'parameters',
        list(
          parameters.map((parameter) => this.#parameter(parameter)),
          memberLevel,
        ),
      ],
      ['body', input.body && this.#body(input.body.content)],
      ['codec', inputCodec],
      ['encode', inputCodec && this.#runtime.use('encodeInput')],
      ['security', security],
      ['authorize', security && this.#runtime.use('authorize')],
      ['accept', accept === '' ? undefined : literal(accept)],
      ['prefer', acceptable(answers).length > 1 ? this.#runtime.use('prefer') : undefined],
      [
        'answers',
        lines(
          answers.map((answer) => this.#answer(answer)),
          memberLevel,
        ),
      ],
    ];
    return members.flatMap(([name, value]) => (value === undefined ? [] : [{ name: key(name), value }]));
  }

  /** Where the dates of an input are, all groups together. */
  #inputCodec({ parameters, body }: OperationInput): Code | undefined {
    if (this.#context.names.dated.size === 0) return undefined;
    const groups = inputGroups.flatMap((group): (readonly [string, Code])[] => {
      const inside = parameters.filter((one) => one.group === group);
      const whole = inside.find(({ parameter }) => parameter.in === 'querystring');
      if (whole) {
        const part = this.#codecs.partOf(whole.parameter.content?.schema);
        return part === undefined ? [] : [[group, part]];
      }
      const members = inside.map(
        ({ parameter }) => [parameter.name, this.#codecs.partOf(valueSchema(parameter))] as const,
      );
      return members.some(([, part]) => part !== undefined) ? [[group, object([['members', object(members)]])]] : [];
    });
    const part = body && this.#codecs.bodyPart(body.content);
    const members = part === undefined ? groups : [...groups, ['body', part] as const];
    return members.length === 0 ? undefined : this.#codecs.codecFrom(object([['members', object(members)]]));
  }

  #path({ path }: Operation, { parameters }: OperationInput): Code {
    const parts = path.parts.map((part) => {
      if (part.kind === 'literal') return literal(encodePath(part.text));
      const bound = parameters.find(({ group, parameter }) => group === 'path' && parameter.name === part.name);
      return object([
        ['name', literal(part.name)],
        ...this.#writer(bound ? parameterWriter(bound.parameter, bound.list) : { write: 'pathText' }),
      ]);
    });
    return code`[${joinCode(parts, ', ')}]`;
  }

  #parameter({ parameter, list: isList, default: value, from, encoding }: InputParameter): Code {
    const { content } = parameter;
    const isForm = parameter.in === 'querystring' && content?.kind === 'form';
    return object([
      ['name', literal(parameter.name)],
      ...this.#writer(from ? { write: 'headerFromBody' } : parameterWriter(parameter, isList)),
      ['fields', isForm ? this.#fields(content, memberLevel + 1) : undefined],
      ['default', value === undefined ? undefined : literal(value)],
      ['from', from && literal(from)],
      ['encoding', encoding && this.#runtime.use(headerEncodings[encoding])],
    ]);
  }

  #writer({ write, encoder }: ParameterWriter): readonly (readonly [name: string, value: Code | undefined])[] {
    return [
      ['write', write && this.#runtime.use(write)],
      ['encoder', encoder && this.#runtime.use(encoder)],
    ];
  }

  /** The members of a form that are not written as usual. */
  #fields(media: MediaType, level: number): Code | undefined {
    const isMultipart = media.kind === 'multipart';
    const fields = this.#forms.of(media).flatMap(({ name, encoding, isFile, isArray, isList, type }) => {
      const { write, encoder } = encoding ? fieldWriter(encoding, isList) : {};
      const isJson = write === undefined && isJsonType(type);
      const members = [
        ...this.#writer(
          isMultipart
            ? { ...(write && { write }) }
            : { ...(isJson && { write: 'jsonField' }), ...(write && { write }), ...(encoder && { encoder }) },
        ),
        ['type', isMultipart && !write && type !== undefined ? literal(type) : undefined],
        ['whole', isMultipart && isJson && isArray ? code`true` : undefined],
        ['file', isMultipart && (isFile || hasHeaders(encoding)) ? code`true` : undefined],
      ] as const;
      return members.some(([, value]) => value !== undefined) ? [object([['name', literal(name)], ...members])] : [];
    });
    return list(fields, level);
  }

  #body(content: readonly MediaType[]): Code | undefined {
    const [only] = content;
    if (!only) return undefined;
    if (content.length === 1) return this.#content(only, memberLevel);
    return object([
      ['type', literal('*/*')],
      ['write', this.#runtime.use('writeChoice')],
      [
        'choices',
        lines(
          content.map((media) => this.#content(media, memberLevel + 1)),
          memberLevel,
        ),
      ],
    ]);
  }

  #content(media: MediaType, level: number): Code {
    const { stream } = media;
    const events =
      stream &&
      this.#events(stream, (event) => [
        ['codec', this.#eventCodec(event)],
        ...partMembers(this.#context.api, media, event),
      ]);
    // Of items the runtime need only know how their dates are written.
    const isTyped = stream?.framing === 'sse' || stream?.framing === 'multipart';
    const said = isTyped || stream?.events.some((event) => this.#eventCodec(event) !== undefined);
    return object([
      ['type', literal(media.text)],
      ['write', media.decoded ? this.#xml('xmlWriter', media) : this.#runtime.use(writerOf(media))],
      ['fields', media.kind === 'form' || media.kind === 'multipart' ? this.#fields(media, level) : undefined],
      ['events', said ? events : undefined],
      ['anyName', stream?.closed === false ? code`true` : undefined],
      ...endOf(stream, level),
    ]);
  }

  /**
   * The sets of credentials that this program can send. What the connection proves needs nothing in a message; an alternative
   * with a scheme that nobody can send is left to the caller.
   */
  #security({ security }: Operation): readonly Code[] {
    const schemes = new Map(this.#context.api.securitySchemes.map((scheme) => [scheme.name, scheme]));
    return security.flatMap((alternative) => {
      const credentials = alternative.flatMap(({ scheme }) => {
        const declared = schemes.get(scheme);
        const credential = declared && credentialOf(declared);
        return credential === 'transport' ? [] : [credential && this.#credential(scheme, credential)];
      });
      const known = credentials.filter((credential) => credential !== undefined);
      return known.length === 0 || known.length < credentials.length ? [] : [code`[${joinCode(known, ', ')}]`];
    });
  }

  #credential(scheme: string, { apply, parameter }: Credential): Code {
    return object([
      ['scheme', literal(scheme)],
      ['apply', this.#runtime.use(apply)],
      ['parameter', parameter === undefined ? undefined : literal(parameter)],
    ]);
  }

  #answer({ status, media, headers, outcome }: PlannedAnswer): Code {
    const events =
      media?.stream &&
      this.#events(media.stream, (event) => [
        ['validate', this.#validatorOf(event)],
        ['codec', this.#eventCodec(event)],
      ]);
    const codec = media && (isValue(media) || isReadForm(media)) ? this.#codecs.codecOf(media.schema) : undefined;
    return object([
      ['status', statusLiteral(status)],
      ['failure', status.kind === 'default' && outcome === 'failure' ? code`true` : undefined],
      ['type', media && literal(media.essence)],
      ['read', media && this.#reader(media)],
      ['codec', codec],
      ['decode', codec && this.#runtime.use('decodeBody')],
      [
        'headers',
        list(
          headers.map((header) => this.#header(header)),
          memberLevel + 1,
        ),
      ],
      ['readHeaders', headers.length > 0 ? this.#runtime.use('declaredHeaders') : undefined],
      ['events', events],
      ...endOf(media?.stream, memberLevel + 1),
      ['anyName', media?.stream?.closed === false ? code`true` : undefined],
    ]);
  }

  #reader(media: MediaType): Code {
    if (media.decoded) return this.#xml('xmlReader', media);
    if (isReadForm(media))
      return formReaderText(this.#context.api, this.#forms, media, (name) => this.#runtime.use(name));
    return this.#runtime.use(readerOf(media));
  }

  /** The codec is an option of the client. */
  #xml(name: 'xmlReader' | 'xmlWriter', media: MediaType): Code {
    const { api, names } = this.#context;
    return code`${this.#runtime.use(name)}(client, ${xmlBody(api, names, media)})`;
  }

  /** `about` gives what is said of an event beside its name and its kind. */
  #events(stream: StreamSpec, about: (event: StreamEvent) => Members): Code {
    const events = namedEvents(stream).map(({ event, text }) => {
      if (!text) return object([...nameAndData(event), ...about(event)]);
      const either = code`/* @__PURE__ */ ${this.#runtime.use('jsonOrText')}(${object(about(event))}, ${object(about(text))})`;
      return code`{ ${joinCode([...membersOf(nameAndData(text)), code`...${either}`], ', ')} }`;
    });
    return code`[${joinCode(events, ', ')}]`;
  }

  #eventCodec({ data, schema }: StreamEvent): Code | undefined {
    return data === 'json' || data === 'any' ? this.#codecs.codecOf(schema) : undefined;
  }

  #header({ name, schema }: Header): Code {
    const { decode } = headerKind(this.#context.api, schema, this.#context.options.dates);
    return object([
      ['name', literal(name)],
      ['read', this.#runtime.use(`${decode ?? 'text'}Header`)],
    ]);
  }
}

type Members = readonly (readonly [name: string, value: Code | undefined])[];

function nameAndData({ name, data, contentTypes }: StreamEvent): Members {
  return [
    ['name', literal(name)],
    ['data', literal(data)],
    ['types', contentTypes && literal(contentTypes)],
  ];
}

/** What ends a stream. A configuration can say that nothing does. */
function endOf(stream: StreamSpec | undefined, level: number): Members {
  if (!stream) return [];
  const { sentinels, configuredEnd } = stream;
  const none = configuredEnd && code`[]`;
  return [
    ['sentinels', list(sentinels.map(literal), level) ?? none],
    ['anyEnd', endsUnderNames(stream) ? code`true` : undefined],
  ];
}

function writerOf({ kind, essence, stream }: MediaType): RuntimeName {
  if (stream) return streamWriters[stream.framing];
  if (kind === 'text' || kind === 'xml') return 'writeText';
  if (kind === 'form') return 'writeForm';
  if (kind === 'multipart') return 'writeMultipart';
  if (kind !== 'json') return 'writeRaw';
  return essence.includes('*') ? 'writeAny' : 'writeJson';
}

/** The reader of a body. A range says nothing of the encoding: there the answer's own type decides. */
function readerOf({ kind, essence, stream }: MediaType): RuntimeName {
  if (stream) return readers[stream.framing];
  if (kind === 'text' || kind === 'xml') return 'readText';
  if (kind !== 'json') return 'readBlob';
  return essence.includes('*') ? 'readAny' : 'readJson';
}

const streamWriters = {
  sse: 'writeEvents',
  jsonl: 'writeLines',
  'json-seq': 'writeRecords',
  multipart: 'writeParts',
} as const satisfies Record<Framing, RuntimeName>;

const readers = {
  sse: 'readEvents',
  jsonl: 'readLines',
  'json-seq': 'readRecords',
  multipart: 'readParts',
} as const satisfies Record<Framing, RuntimeName>;

export function statusLiteral(status: Status): Code {
  if (status.kind === 'exact') return number(status.code);
  return literal(status.kind === 'range' ? `${status.hundred}XX` : 'default');
}

function membersOf(members: Members): readonly Code[] {
  return members.flatMap(([name, value]) => (value === undefined ? [] : [code`${key(name)}: ${value}`]));
}

function object(members: Members): Code {
  const said = membersOf(members);
  return said.length === 0 ? code`{}` : code`{ ${joinCode(said, ', ')} }`;
}

/** A list on one line where it fits; nothing for an empty one. */
function list(items: readonly Code[], level: number): Code | undefined {
  if (items.length === 0) return undefined;
  const line = code`[${joinCode(items, ', ')}]`;
  return line.length <= 100 ? line : lines(items, level);
}

function lines(items: readonly Code[], level: number): Code {
  return items.length === 0 ? code`[]` : onLines(items, level);
}

/**
 * Percent-encodes the literal text of a path so that no URL parser changes it: escapes that are there stay, a `?` stays
 * for the documents that put a query into the path, and nothing can end the path, leave it or name another host.
 */
function encodePath(text: string): string {
  return text
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) => (index % 2 === 1 ? piece : encodeURI(piece).replace(/[#'[\]]/g, percent)))
    .join('');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The server that operations use where the client is given none: the first one. */
export function serverOf(servers: readonly Server[] | undefined): string | undefined {
  return servers?.[0]?.resolved;
}

/** The servers by their names; nothing where none has one. */
export function serverTable(servers: readonly Server[] | undefined): Code | undefined {
  const named = (servers ?? []).flatMap(({ name, resolved }) =>
    name === undefined ? [] : [[name, literal(resolved)] as const],
  );
  return named.length === 0 ? undefined : object(named);
}
