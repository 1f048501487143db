/** One operation: what a request carries and what answers it (OpenAPI, Operation Object). */
import { childAddress, quote } from '../diagnostics.js';
import type { ApiRequest, Body, MediaType, PathTemplate, Response, Status } from '../ir/api.js';
import type { Located } from './follow.js';
import { extensionsOf, type Members, present, sectionExtensions } from './json.js';
import type { PathItem } from './path-item.js';
import { readContent, readHeaders } from './read-content.js';
import { readExternalDocs, readLinks } from './read-details.js';
import { readParameters } from './read-parameters.js';
import { readSecurity } from './read-security.js';
import { readServers } from './read-servers.js';
import type { Reading } from './reading.js';
import { chosenFramings } from './stream-framing.js';

/** Gives the ids of the callbacks of an operation, which are read later. */
export interface CallbackMap {
  idsOf(operation: Members): readonly string[];
}

export interface RequestParts {
  readonly id: string;
  readonly method: string;
  /** Absent for what the service sends. */
  readonly path: PathTemplate | undefined;
  readonly item: PathItem;
  readonly operation: Members;
  readonly callbacks: CallbackMap;
}

export function readRequest(reading: Reading, parts: RequestParts): ApiRequest {
  const { id, method, path, item, operation, callbacks } = parts;
  const operationId = operation.string('operationId');
  reading.enter(operationId, `${method} ${path?.text ?? ''}`);
  reading.framings = chosenFramings(reading, operation);
  const body = operation.has('requestBody') ? readBody(reading, operation, method) : undefined;
  const serverOwner = item.owner('servers');
  const servers = readServers(reading, operation) ?? (serverOwner && readServers(reading, serverOwner));
  return {
    id,
    at: operation.at,
    method,
    ...present({
      operationId,
      summary: operation.text('summary') ?? item.text('summary'),
      description: operation.text('description') ?? item.text('description'),
      externalDocs: readExternalDocs(reading, operation),
    }),
    deprecated: operation.boolean('deprecated') ?? false,
    tags: operation.strings('tags') ?? [],
    parameters: readParameters(reading, item, operation, path),
    ...(body && { body }),
    responses: readResponses(reading, operation),
    security: readSecurity(reading, operation) ?? reading.rootSecurity,
    ...(servers && { servers }),
    callbacks: operation.has('callbacks') ? callbacks.idsOf(operation) : noIds,
    extensions: extensionsOf(operation.object),
    sections: sectionsOf(item, operation),
  };
}

const noIds: readonly string[] = [];
const noSections: ApiRequest['sections'] = {};

function sectionsOf(item: PathItem, operation: Members): ApiRequest['sections'] {
  const pathItem = item.objects.map((part) => sectionExtensions(part.object)).find((found) => found !== undefined);
  const responses = sectionExtensions(operation.objectMember('responses'));
  return pathItem || responses ? present({ pathItem, responses }) : noSections;
}

function readBody(reading: Reading, operation: Members, method: string): Body | undefined {
  const found = reading.follow(operation.raw('requestBody'), childAddress(operation.at, 'requestBody'));
  if (!found) return undefined;
  const members = reading.members(found);
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE') {
    reading.report.report('body-unsendable', `the body of a ${method} request is not sent: fetch refuses it`, found.at);
    return undefined;
  }
  return {
    required: members.boolean('required') ?? false,
    ...present({ description: members.text('description') }),
    content: readContent(reading, members),
    at: found.at,
    extensions: extensionsOf(found.value),
  };
}

function readResponses(reading: Reading, operation: Members): readonly Response[] {
  return reading.entries(operation, 'responses').flatMap(({ key, value, at }) => {
    if (key.startsWith('x-')) return [];
    const status = readStatus(key);
    if (!status) {
      reading.report.report('status-invalid', `${quote(key)} is not a status code, a range or "default"`, at);
      return [];
    }
    const found = reading.follow(value, at);
    return found ? [{ status, ...reading.once(readAnswer, found, at) }] : [];
  });
}

function readStatus(key: string): Status | undefined {
  if (key === 'default') return { kind: 'default' };
  const range = /^([1-5])XX$/i.exec(key);
  if (range) return { kind: 'range', hundred: Number(range[1]) as 1 | 2 | 3 | 4 | 5 };
  return /^[1-5][0-9][0-9]$/.test(key) ? { kind: 'exact', code: Number(key) } : undefined;
}

/** The media types of an answer. Parts that have no names are not taken apart, unless they are a sequence. */
function readAnswerContent(reading: Reading, members: Members): readonly MediaType[] {
  const content = readContent(reading, members);
  for (const { kind, essence, text, at } of content) {
    if (kind === 'multipart' && essence !== 'multipart/form-data')
      reading.report.report('not-yet-media-type', `an answer of the type ${quote(text)} is passed on as bytes`, at);
  }
  return content;
}

/** A response without the status that it is declared for. */
function readAnswer(reading: Reading, found: Located): Omit<Response, 'status'> {
  const members = reading.members(found);
  return {
    ...present({ summary: members.text('summary'), description: members.text('description') }),
    headers: readHeaders(reading, members),
    content: reading.inheritEvents(readAnswerContent(reading, members)),
    links: members.has('links') ? readLinks(reading, members) : [],
    at: found.at,
    extensions: extensionsOf(found.value),
  };
}
