/** What a generated file uses of the runtime: each use gives the private alias, and the import lines follow from the uses. */
import { outputPath } from '../output.js';
import type { PaginationKind } from './pagination/options.js';
import type { PlannedFile } from './target.js';
import { UsedRuntime } from './used-runtime.js';

/** The exports of the runtime that generated code may use, by module. `$` marks names of our own: no document's name has it. */
const modules = {
  'choose-server': { types: [], values: ['chooseServer'] },
  'client-codec': { types: [], values: ['decodeBody', 'encodeInput'] },
  codec: { types: ['Codec'], values: ['codec'] },
  client: { types: ['CallOptions', 'Client', 'ClientOptions', 'ResponseCheck'], values: ['createClient'] },
  credentials: {
    types: ['LoginSource', 'Token'],
    values: ['authorize', 'basic', 'bearer', 'keyInCookie', 'keyInHeader', 'keyInQuery', 'otherScheme'],
  },
  'cookie-styles': {
    types: [],
    values: ['cookie', 'cookieJoined', 'cookieJson', 'cookieList', 'cookieText', 'cookieTextJoined'],
  },
  'event-stream': { types: [], values: ['readEvents'] },
  follow: { types: ['LinkValue', 'Remaining'], values: ['linkedInput'] },
  'form-part': { types: ['FormPart', 'RawBody', 'Upload'], values: [] },
  'header-encoding': { types: [], values: ['base64Header', 'percentHeader'] },
  'header-styles': {
    types: [],
    values: ['headerExploded', 'headerFromBody', 'headerJson', 'headerList'],
  },
  'item-stream': { types: [], values: ['readLines', 'readRecords'] },
  'msw-handler': { types: ['MockAnswer', 'MockOptions'], values: ['mockHandler'] },
  'json-or-text': { types: [], values: ['jsonOrText'] },
  parameters: { types: [], values: ['header', 'pathText', 'query'] },
  'page-cursor': { types: [], values: ['nextCursor'] },
  'page-links': { types: [], values: ['followLink', 'nextLink', 'nextUrl'] },
  'page-number': { types: [], values: ['nextNumber', 'nextOffset'] },
  paginate: { types: ['PageOptions', 'PageSpec', 'Paginated'], values: ['paginate'] },
  'part-stream': { types: [], values: ['readParts'] },
  'path-styles': {
    types: [],
    values: [
      ...(['label', 'labelExploded', 'matrix', 'matrixExploded'] as const),
      ...(['pathJson', 'simple', 'simpleExploded'] as const),
    ],
  },
  prefer: { types: [], values: ['prefer'] },
  'query-options': {
    types: [
      ...(['HeadQueryOptions', 'InfiniteQueryOptions', 'MutationOptions', 'PageMembers', 'Pages'] as const),
      ...(['QueryCallOptions', 'QueryData', 'QueryError', 'QueryHeaders', 'QueryOptions'] as const),
    ],
    values: ['accepting', 'mutationData', 'pageInput', 'queryCall', 'queryData', 'queryHeaders', 'queryKey'],
  },
  'query-pages': { types: [], values: ['inputOf', 'knownPages'] },
  'query-string': { types: [], values: ['queryForm', 'queryJson', 'queryText'] },
  'query-styles': {
    types: [],
    values: ['deepObject', 'jsonField', 'pipeDelimited', 'queryJoined', 'queryList', 'spaceDelimited'],
  },
  'read-form': { types: [], values: ['formReader'] },
  'read-multipart': { types: [], values: ['multipartReader'] },
  'read-body': { types: [], values: ['readAny', 'readBlob', 'readJson', 'readText'] },
  'response-check': { types: ['CheckedAnswer', 'ResponseCheckMode'], values: ['responseCheck'] },
  reserved: { types: [], values: ['reservedInCookie', 'reservedInPath', 'reservedInQuery'] },
  'response-headers': {
    types: [],
    values: [
      ...(['booleanHeader', 'dateHeader', 'dateTimeHeader', 'declaredHeaders'] as const),
      ...(['integerHeader', 'numberHeader', 'textHeader'] as const),
    ],
  },
  result: {
    types: [
      ...(['Accepted', 'Except', 'Failure', 'HttpStatus', 'Success', 'Unexpected'] as const),
      ...(['Status1XX', 'Status2XX', 'Status3XX', 'Status4XX', 'Status5XX'] as const),
    ],
    values: [],
  },
  sender: { types: ['Sender'], values: ['callbackUrl', 'sendTo'] },
  'server-url': { types: ['ServerTemplate', 'ServerUrl'], values: ['fillServer'] },
  send: { types: [], values: ['send'] },
  'sse-events': {
    types: [
      ...(['EventStream', 'InvalidSseEvent', 'InvalidStreamItem', 'PayloadSseEvent'] as const),
      ...(['SentSseEvent', 'SentSseMessage', 'SseEvent', 'StreamItem', 'UnknownSseEvent'] as const),
    ],
    values: [],
  },
  'stream-part': { types: ['InvalidStreamPart', 'NamedPart', 'SentPart', 'StreamPart'], values: [] },
  'write-events': { types: [], values: ['writeEvents'] },
  'write-form': { types: [], values: ['writeForm'] },
  'write-items': { types: [], values: ['writeLines', 'writeRecords'] },
  'write-multipart': { types: [], values: ['writeMultipart'] },
  'write-parts': { types: [], values: ['writeParts'] },
  xml: { types: ['XmlOptions'], values: ['xmlReader', 'xmlWriter'] },
  'write-body': { types: [], values: ['writeAny', 'writeChoice', 'writeJson', 'writeRaw', 'writeText'] },
} as const;

type Module = keyof typeof modules;

export type RuntimeName = { [M in Module]: (typeof modules)[M]['types' | 'values'][number] }[Module];

export class RuntimeImports extends UsedRuntime<RuntimeName> {
  constructor() {
    super(modules);
  }
}

/** The runtime files that the types of operations need, themselves and by their imports. */
export const typeFiles = ['form-part.ts', 'result.ts', 'sse-events.ts', 'stream-part.ts', 'validation.ts'] as const;

/** The same for the client. */
export const clientFiles = [
  'choose-server.ts',
  'client.ts',
  'clock.ts',
  'cookie-styles.ts',
  'credentials.ts',
  'deadline.ts',
  'disposition.ts',
  'errors.ts',
  'event-spec.ts',
  'event-stream.ts',
  'follow-redirects.ts',
  'form-fields.ts',
  'header-encoding.ts',
  'hooks.ts',
  'header-styles.ts',
  'item-decode.ts',
  'item-stream.ts',
  'item-value.ts',
  'limits.ts',
  'operation.ts',
  'parameters.ts',
  'part-decode.ts',
  'part-encode.ts',
  'random-hex.ts',
  'part-stream.ts',
  'path-styles.ts',
  'prefer.ts',
  'query-string.ts',
  'query-styles.ts',
  'read-body.ts',
  'reconnect.ts',
  'reconnection.ts',
  'request.ts',
  'reserved.ts',
  'response.ts',
  'response-headers.ts',
  'retry.ts',
  'send.ts',
  'sse-decode.ts',
  'sse-encode.ts',
  'stream-values.ts',
  'token-request.ts',
  'tokens.ts',
  'unwrap.ts',
  'utf8-pieces.ts',
  'write-body.ts',
  'write-events.ts',
  'write-form.ts',
  'write-items.ts',
  'write-multipart.ts',
  'write-parts.ts',
  ...typeFiles,
] as const;

/** What paging by these functions needs, beside the client. */
export function pagingFiles(kinds: Iterable<PaginationKind>): readonly string[] {
  return ['paginate.ts', ...new Set([...kinds].map((kind) => pagingModules[kind]))];
}

const pagingModules: Readonly<Record<PaginationKind, string>> = {
  cursor: 'page-cursor.ts',
  link: 'page-links.ts',
  url: 'page-links.ts',
  page: 'page-number.ts',
  offset: 'page-number.ts',
};

export function runtimeFiles(sources: readonly string[]): readonly PlannedFile[] {
  return sources.map((source) => ({ kind: 'runtime', path: outputPath(`runtime/${source}`), source }));
}
