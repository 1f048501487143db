/** Prints an operation as plain data for the runtime: where it is, what it demands, what it may answer. */
import { boolean, type Code, code, joinCode, key, literal } from '../../../encode.js';
import type { Header, MediaType, Operation, Parameter, Response, StreamSpec } from '../../../ir/api.js';
import { ReferenceChains } from '../../../ir/resolve.js';
import type { SchemaId } from '../../../ir/schema.js';
import type { SecurityScheme } from '../../../ir/security.js';
import type { CodecText } from '../../codec-text.js';
import { endsUnderNames } from '../../event-data.js';
import { headerKind } from '../../header-kind.js';
import { headerEncodings, headerMirrors } from '../../header-mirrors.js';
import { onLines } from '../../indentation.js';
import { partMembers } from '../../sent-parts.js';
import type { Direction, PlanContext } from '../../target.js';
import { distinctContent } from './operation-types.js';
import { isRead, valueContract } from './parameter-values.js';
import type { Projections } from './projections.js';
import type { RuntimeNames } from './runtime-names.js';

/** How far the template indents the responses of an operation. */
const responseLevel = 4;

/** A line of its own in the output. */
export interface LineView {
  readonly text: Code;
}

export interface OperationContractView {
  readonly method: Code;
  readonly path: Code;
  readonly security: Code;
  readonly hasParameters: boolean;
  readonly parameters: readonly LineView[];
  /** The members that only some operations have, each a line with its comma. */
  readonly extras: readonly LineView[];
  readonly hasResponses: boolean;
  readonly responses: readonly LineView[];
}

export class ContractText {
  readonly #context: PlanContext;
  readonly #projections: Pick<Projections, 'indexOf'>;
  readonly #codecs: CodecText;
  readonly #runtime: RuntimeNames;
  /** The validators that the contract names: what the file imports. */
  readonly validators = new Set<Code>();

  constructor(
    context: PlanContext,
    projections: Pick<Projections, 'indexOf'>,
    codecs: CodecText,
    runtime: RuntimeNames,
  ) {
    this.#runtime = runtime;
    this.#codecs = codecs;
    this.#context = context;
    this.#projections = projections;
  }

  operation(operation: Operation): OperationContractView {
    const parameters = operation.parameters.filter((parameter) => isRead(this.#context.api, parameter));
    const security = operation.security.map((alternative) => {
      const demands = alternative.map(
        ({ scheme, scopes }) => code`{ scheme: ${literal(scheme)}, scopes: ${literal(scopes)} }`,
      );
      return code`[${joinCode(demands, ', ')}]`;
    });
    return {
      method: literal(operation.method),
      path: pathText(operation),
      security: code`[${joinCode(security, ', ')}]`,
      hasParameters: parameters.length > 0,
      parameters: parameters.map((parameter) => ({ text: this.#parameter(parameter) })),
      extras: this.#extras(operation).map((text) => ({ text })),
      hasResponses: operation.responses.length > 0,
      responses: operation.responses.map((response) => ({ text: this.#response(response) })),
    };
  }

  #parameter(parameter: Parameter): Code {
    const { name, in: place, required, style, explode, schema, content } = parameter;
    const parts = [code`name: ${literal(name)}`, code`in: ${literal(place)}`, code`required: ${boolean(required)}`];
    if (style !== (place === 'path' || place === 'header' ? 'simple' : 'form'))
      parts.push(code`style: ${literal(style)}`);
    if (explode !== (style === 'form' || style === 'cookie')) parts.push(code`explode: ${boolean(explode)}`);
    const read = valueContract(this.#context.api, parameter);
    if (read) parts.push(code`read: ${read}`);
    const isValue = content?.kind === 'json' || place === 'querystring';
    const checked = content === undefined ? schema : isValue ? content.schema : undefined;
    parts.push(...this.#validate(checked, 'write'), ...this.#codec(checked));
    return code`{ ${joinCode(parts, ', ')} }`;
  }

  #extras(operation: Operation): readonly Code[] {
    const extras: Code[] = [];
    const mirrors = headerMirrors(this.#context, operation).map(({ header, from, encoding }) => {
      const by = encoding ? code`, encoding: ${this.#runtime.use(headerEncodings[encoding])}` : code``;
      return code`{ header: ${literal(header)}, paths: ${literal(from)}${by} }`;
    });
    if (mirrors.length > 0) extras.push(code`mirrors: [${joinCode(mirrors, ', ')}],`);
    const { body } = operation;
    if (body && body.content.length > 0) {
      const content = distinctContent(body.content).map((media) => this.#content(media, 'write'));
      extras.push(code`body: { required: ${boolean(body.required)}, content: [${joinCode(content, ', ')}] },`);
    }
    return extras;
  }

  #headers(headers: readonly Header[]): Code {
    const dated = headers.flatMap(({ name, schema }) => {
      const { decode } = headerKind(this.#context.api, schema, this.#context.options.dates);
      const codec = decode === 'date' || decode === 'dateTime' ? this.#codecs.codecOf(schema) : undefined;
      return codec === undefined ? [] : [code`${key(name.toLowerCase())}: ${codec}`];
    });
    return dated.length === 0 ? code`` : code`, headers: { ${joinCode(dated, ', ')} }`;
  }

  #codec(schema: SchemaId | undefined): readonly Code[] {
    const codec = this.#codecs.codecOf(schema);
    return codec === undefined ? [] : [code`codec: ${codec}`];
  }

  #response({ status, content, headers }: Response): Code {
    const text =
      status.kind === 'exact'
        ? code`${status.code}`
        : literal(status.kind === 'range' ? `${status.hundred}XX` : 'default');
    const types = distinctContent(content).map((media) => this.#content(media, 'read'));
    const list = types.length > 1 ? onLines(types, responseLevel) : code`[${joinCode(types, ', ')}]`;
    return code`{ status: ${text}, content: ${list}${this.#headers(headers)} }`;
  }

  #content(media: MediaType, direction: Direction): Code {
    const kind = contentKind(media);
    const parts = [code`type: ${literal(media.essence)}`, code`kind: ${literal(kind)}`];
    if (kind === 'json') parts.push(...this.#projection(media.schema, direction), ...this.#codec(media.schema));
    // The schema of XML is not that of its text.
    if (media.kind === 'json' || media.kind === 'text') parts.push(...this.#validate(media.schema, direction));
    if (media.stream) {
      const events = media.stream.events.map((event) => {
        const { name, data, schema, contentTypes } = event;
        const inner = [code`name: ${literal(name)}`, code`data: ${literal(data)}`];
        if (contentTypes) inner.push(code`types: ${literal(contentTypes)}`);
        if (direction === 'read')
          for (const [member, value] of partMembers(this.#context.api, media, event))
            if (value !== undefined) inner.push(code`${member as Code}: ${value}`);
        inner.push(...this.#projection(schema, direction), ...this.#validate(schema, direction));
        if (data === 'json' || data === 'any') inner.push(...this.#codec(schema));
        return code`{ ${joinCode(inner, ', ')} }`;
      });
      parts.push(code`events: [${joinCode(events, ', ')}]`);
      if (!media.stream.closed) parts.push(code`anyName: true`);
      const { sentinels, configuredEnd } = media.stream;
      if (sentinels.length > 0 || configuredEnd) parts.push(code`sentinels: ${literal(sentinels)}`);
      if (endsUnderNames(media.stream)) parts.push(code`anyEnd: true`);
      if (direction === 'write') parts.push(...this.#whole(media.stream));
    }
    return code`{ ${joinCode(parts, ', ')} }`;
  }

  /** What a request must be as a whole: of items that are JSON its schema says it, of events and parts their number can be told, and whether two are equal. */
  #whole({ framing, whole }: StreamSpec): readonly Code[] {
    if (whole === undefined) return [];
    if (framing !== 'sse' && framing !== 'multipart') return this.#validate(whole, 'write');
    const { schemas } = this.#context.api;
    const schema = schemas.get(new ReferenceChains(schemas).endOf(whole).end);
    const {
      minItems,
      maxItems,
      items,
      prefixItems = [],
      uniqueItems = false,
    } = (schema?.kind === 'schema' ? schema.array : undefined) ?? {};
    const rest = items === undefined ? undefined : schemas.get(items);
    const isClosed = rest?.kind === 'boolean' && !rest.value;
    const most = isClosed ? Math.min(maxItems ?? prefixItems.length, prefixItems.length) : maxItems;
    return [
      ...(minItems === undefined ? [] : [code`minItems: ${minItems}`]),
      ...(most === undefined ? [] : [code`maxItems: ${most}`]),
      ...(uniqueItems ? [code`unique: ${this.#runtime.use('unique')}`] : []),
    ];
  }

  #projection(schema: SchemaId | undefined, direction: Direction): readonly Code[] {
    const index = this.#projections.indexOf(schema, direction);
    return index === undefined ? [] : [code`projection: ${index}`];
  }

  #validate(schema: SchemaId | undefined, direction: Direction): readonly Code[] {
    const names = schema === undefined ? undefined : this.#context.names.validatorOf(schema, direction);
    if (!names) return [];
    this.validators.add(names.validate as string as Code);
    return [code`validate: ${names.validate}`];
  }
}

function contentKind({ kind, stream }: MediaType): string {
  if (kind === 'sequence') return stream?.framing ?? 'bytes';
  if (kind === 'xml') return 'text';
  return kind === 'form' || kind === 'multipart' || kind === 'binary' ? 'bytes' : kind;
}

function pathText({ path }: Operation): Code {
  const parts = path.parts.map((part) =>
    part.kind === 'literal' ? literal(part.text) : code`{ variable: ${literal(part.name)} }`,
  );
  return code`[${joinCode(parts, ', ')}]`;
}

export function schemeText(scheme: SecurityScheme): Code {
  const name = literal(scheme.name);
  return scheme.kind === 'apiKey'
    ? code`{ name: ${name}, kind: "apiKey", in: ${literal(scheme.in)}, parameter: ${literal(scheme.parameter)} }`
    : code`{ name: ${name}, kind: ${literal(scheme.kind)} }`;
}
