// SPDX-License-Identifier: 0BSD
import { BodyFault, decodeText, parseJson, readBytes } from './server-body.js';
import type { ContentContract, OperationContract, Projection } from './server-contract.js';
import type { Exchange } from './server-exchange.js';
import { makeFault } from './server-faults.js';
import { contentFor, parseMediaType } from './server-media.js';
import { mirrorIssues, withDecodedMirrors } from './server-mirrors.js';
import type { Fault, Limits } from './server-options.js';
import {
  groupOf,
  type ParameterGroups,
  type ParameterSource,
  placed,
  readParameters,
  requestIssue,
} from './server-parameters.js';
import { project } from './server-projection.js';
import { checkSequence, decodeSequence, readSequence } from './server-sequences.js';
import type { Issue, ValueCodec } from './validation.js';

export interface RequestOptions {
  readonly limits: Limits;
  readonly prototypeKeys: 'refuse' | 'keep';
  readonly invalidStatus: 400 | 422;
  readonly projections: readonly Projection[];
  /** Whether the caller accepts one of the successes. */
  readonly acceptable: () => boolean;
}

/** What a handler is given, or why it is not called. */
export type RequestOutcome =
  | { readonly kind: 'request'; readonly request: object }
  | { readonly kind: 'fault'; readonly fault: Fault };

class Refused extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.title);
    this.fault = fault;
  }
}

/** Media types, size, parameters and body of a request, checked in this order. */
export async function readRequest(
  operation: OperationContract,
  exchange: Exchange,
  source: ParameterSource,
  options: RequestOptions,
): Promise<RequestOutcome> {
  try {
    const content = await bodyContent(operation, exchange);
    if (!options.acceptable()) throw new Refused(makeFault('not-acceptable'));
    const body = content === undefined ? undefined : await readBody(content, exchange, options);
    const { mirrors = [] } = operation;
    const { groups, issues } = readParameters(operation.parameters, withDecodedMirrors(mirrors, source));
    const contradictions = mirrorIssues(mirrors, body?.value, source).map(({ issue }) => issue);
    if (contradictions.length > 0) throw new Refused(makeFault('mirror-mismatch', { issues: contradictions }));
    const found = [...issues, ...checkBody(operation, content, body)];
    if (found.length > 0) {
      throw new Refused(makeFault('invalid-request', { status: options.invalidStatus, issues: found }));
    }
    const several = (operation.body?.content.length ?? 0) > 1;
    decodeGroups(operation, groups, options);
    const value = content && body ? decodedBody(content, body.value, options) : undefined;
    return {
      kind: 'request',
      request: { ...groups, body: value, ...(several && body !== undefined && { contentType: content?.type }) },
    };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'fault', fault: error.fault };
    throw error;
  }
}

/** Parameters as programs hold them, in place: the groups are this request's own. */
function decodeGroups({ parameters }: OperationContract, groups: ParameterGroups, options: RequestOptions): void {
  for (const { name, in: place, codec } of parameters) {
    if (codec === undefined) continue;
    if (place === 'querystring') {
      if (groups.query !== undefined) groups.query = decoded(codec, groups.query, ['query'], options);
      continue;
    }
    const group = groups[groupOf[place]] as Record<string, unknown>;
    if (Object.hasOwn(group, name)) group[name] = decoded(codec, group[name], [groupOf[place], name], options);
  }
}

function decodedBody(content: ContentContract, value: unknown, options: RequestOptions): unknown {
  const { codec } = content;
  if (codec) return decoded(codec, value, ['body'], options);
  const items = decodeSequence(content, value, (item, one, path) =>
    item.codec ? decoded(item.codec, one, path, options) : one,
  );
  return items ?? value;
}

function decoded(
  codec: ValueCodec,
  value: unknown,
  at: readonly (string | number)[],
  { invalidStatus }: RequestOptions,
): unknown {
  try {
    return codec.decode(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { path = [] } = error as { readonly path?: readonly (string | number)[] };
    const issues = [requestIssue([...at, ...path], 'format', error.message)];
    throw new Refused(makeFault('invalid-request', { status: invalidStatus, issues }));
  }
}

/** The declared content that the body is of; `undefined` where there is no body to read. */
async function bodyContent(operation: OperationContract, exchange: Exchange): Promise<ContentContract | undefined> {
  if (operation.body === undefined) return undefined;
  const header = exchange.header('content-type');
  const type = header === undefined ? undefined : parseMediaType(header);
  const content = type === undefined ? undefined : contentFor(operation.body.content, type.essence);
  // Without a byte a body is there all the same where its type says that it is a sequence: one of no items.
  if (!exchange.hasBody) return content?.events ? content : undefined;
  const encoding = exchange.header('content-encoding')?.toLowerCase() ?? 'identity';
  const readable = content?.kind === 'bytes' || [undefined, 'utf-8', 'utf8', 'us-ascii'].includes(type?.charset);
  if (content === undefined || !readable || encoding !== 'identity') {
    // A host may hand over a stream that holds nothing: without a type and without a byte there is no body.
    if (header === undefined && (await isEmpty(exchange.body()))) return undefined;
    throw new Refused(makeFault('unsupported-media-type'));
  }
  return content;
}

async function isEmpty(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const chunk of chunks) if (chunk.byteLength > 0) return false;
  return true;
}

/** The value of a body; `undefined` where it turned out to be empty. */
async function readBody(
  content: ContentContract,
  exchange: Exchange,
  options: RequestOptions,
): Promise<{ readonly value: unknown } | undefined> {
  const { limits } = options;
  const announced = exchange.header('content-length');
  if (announced !== undefined && Number(announced) > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
  try {
    const bytes = exchange.hasBody ? await readBytes(exchange.body(), limits.bodyBytes) : new Uint8Array();
    const items = readSequence(content, exchange.header('content-type') ?? '', bytes, {
      parse: (text, item, path) => itemValue(text, item, path, options),
      refuse(message, path) {
        throw malformed(path, { message });
      },
    });
    // Nothing at all is a sequence of no items.
    if (items) return { value: items };
    if (bytes.byteLength === 0) return undefined;
    if (content.kind === 'bytes') return { value: bytes };
    const text = decodeText(bytes);
    return { value: content.kind === 'json' ? jsonValue(text, content, options) : text };
  } catch (error) {
    if (!(error instanceof BodyFault)) throw error;
    if (error.reason === 'too-large') throw tooLarge(limits.bodyBytes);
    throw malformed(['body'], error);
  }
}

function malformed(path: readonly (string | number)[], { message }: Pick<BodyFault, 'message'>): Refused {
  const issues = [requestIssue(path, 'syntax', message)];
  return new Refused(makeFault('malformed-request', { detail: message, issues }));
}

function itemValue(
  text: string,
  item: Pick<ContentContract, 'projection'>,
  path: readonly (string | number)[],
  options: RequestOptions,
): unknown {
  try {
    return jsonValue(text, item, options);
  } catch (error) {
    throw error instanceof BodyFault ? malformed(path, error) : error;
  }
}

function jsonValue(
  text: string,
  { projection }: Pick<ContentContract, 'projection'>,
  options: RequestOptions,
): unknown {
  const value = parseJson(text, options.limits.jsonDepth, options.prototypeKeys);
  return projection === undefined ? value : project(value, projection, options.projections);
}

function tooLarge(limit: number): Refused {
  return new Refused(makeFault('body-too-large', { detail: `the body is larger than ${limit} bytes` }));
}

function checkBody(
  operation: OperationContract,
  content: ContentContract | undefined,
  body: { readonly value: unknown } | undefined,
): readonly Issue[] {
  if (body === undefined) {
    return operation.body?.required === true ? [requestIssue(['body'], 'required', 'is required')] : [];
  }
  const found = content && checkSequence(content, body.value);
  if (found) return found;
  const checked = content?.validate?.(body.value);
  return checked === undefined || checked.ok ? [] : checked.issues.map((issue) => placed(issue, ['body']));
}
