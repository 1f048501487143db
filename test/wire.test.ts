/**
 * What generated clients put on the wire, held against a decoder of the test's own: values that are sampled from the schemas of
 * every fixture and of 40 documents of the directory, seeded, so that a failure can be had again.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import type { Api, MediaType, Operation, Parameter } from '../src/ir/api.js';
import { memoryHost } from '../src/memory-host.js';
import { resultOf } from './support/api-of.js';
import { listFixtures } from './support/fixtures.js';
import { runnable } from './support/generated-client.js';
import { reply, type SeenRequest, serve } from './support/http-server.js';
import { shared, sharedTitle } from './support/paths.js';
import * as decoder from './support/wire-decoder.js';
import { type Carrier, WireSampler } from './support/wire-sampler.js';

const operationsOfEach = 12;

interface Input {
  path?: Record<string, unknown>;
  query?: unknown;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  body?: unknown;
  contentType?: string;
}

const plain = ['x', '42', 'A1'];
const odd = [...plain, 'a b', "é&=?#/;,+'", '日本', '100%'];
const noSpaces: Carrier = { levels: 1, words: plain, fits: (text) => /^[\w.-]+$/.test(text), nulls: false };
const anything: Carrier = {
  levels: 1,
  words: odd,
  fits: (text) => text !== '' && !/^\.{1,2}$/.test(text),
  nulls: false,
};
const json: Carrier = { levels: 6, words: [...odd, ''], fits: () => true, nulls: true };
const deep: Carrier = { ...anything, levels: 4 };

function carrierOf({ in: place, style, content, allowReserved }: Parameter): Carrier {
  if (content?.kind === 'json' || place === 'querystring') return json;
  if (content !== undefined) return { ...noSpaces, levels: 0 };
  if (style === 'deepObject') return deep;
  const isPlain = place === 'header' || style === 'cookie' || style === 'spaceDelimited' || style === 'pipeDelimited';
  return isPlain || allowReserved ? noSpaces : anything;
}

const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
const transport = new Set([
  'host',
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** An input that can be sent; nothing where a required part of it cannot. */
function inputOf(operation: Operation, sampler: WireSampler): Input | undefined {
  const input: Input = {};
  for (const parameter of operation.parameters) {
    const { in: place, name, schema, content, required } = parameter;
    if (place === 'querystring' || (place === 'header' && transport.has(name.toLowerCase()))) continue;
    const value = sampler.value(content ? content.schema : schema, carrierOf(parameter));
    if (value === undefined || value === null) {
      if (required) return undefined;
      continue;
    }
    const group = input[groups[place]] as Record<string, unknown> | undefined;
    input[groups[place]] = { ...group, [name]: content && content.kind !== 'json' ? 'x' : value };
  }
  const [media] = operation.body?.content ?? [];
  if (!media) return input;
  const body = bodyOf(media, sampler);
  if (body !== undefined) return { ...input, body };
  return operation.body?.required ? undefined : input;
}

function bodyOf(media: MediaType, sampler: WireSampler): unknown {
  const { kind, schema } = media;
  if (kind === 'json') return sampler.value(schema, json);
  if (kind === 'text' || kind === 'xml') return '<a>é</a>';
  if (kind === 'binary') return new TextEncoder().encode('bytes é');
  if ((kind !== 'form' && kind !== 'multipart') || schema === undefined) return undefined;
  const entries = sampler.properties(schema).flatMap(({ name, shape }) => {
    const encoding = media.encoding.find((one) => one.name === name)?.encoding;
    const style = decoder.styleOf(name, encoding);
    const parts = sampler.parts(shape);
    const isFile = parts.some((part) => part.kind === 'string' && part.format === 'binary');
    if (kind === 'multipart' && isFile && !style) return [[name, new Blob(['file'], { type: 'image/png' })] as const];
    const carrier = style?.style === 'deepObject' ? deep : style ? noSpaces : json;
    const value = sampler.shape(shape, carrier);
    if (value === undefined) return [];
    return [[name, kind === 'multipart' && encoding?.headers.length ? { data: value } : value] as const];
  });
  return Object.fromEntries(entries);
}

/** Everything that is wrong with a request. */
function faultsOf(operation: Operation, input: Input, { method, url, headers, body }: SeenRequest): string[] {
  const faults = decoder.unequal('method', method, operation.method);
  const variables = decoder.pathVariables(operation, url);
  if (!variables) return [...faults, `the path is ${url}`];
  const pairs = decoder.rawPairs(url.split('?')[1] ?? '');
  const cookies = decoder.rawPairs(headers.cookie ?? '', '; ');
  for (const parameter of operation.parameters) {
    const { in: place, name, content, explode } = parameter;
    if (place === 'querystring') continue;
    const group = input[groups[place]] as Record<string, unknown> | undefined;
    if (!group || !Object.hasOwn(group, name)) {
      // A default of a required parameter is sent, which other tests look at.
      if (place === 'query' && parameter.required) decoder.takePairs(pairs, { ...parameter, explode: true }, '');
      continue;
    }
    const given = group[name];
    const isJson = content?.kind === 'json';
    const value = isJson ? JSON.stringify(given) : given;
    if (place === 'path')
      faults.push(
        ...decoder.unequal(
          name,
          decoder.decodePath({ ...parameter, ...(content && { style: 'simple' }) }, variables.get(name) ?? '', value),
          decoder.textsOf(value),
        ),
      );
    else if (place === 'query') faults.push(...decoder.takePairs(pairs, parameter, value));
    else if (place === 'cookie') {
      const isPlain = parameter.style === 'cookie' && !isJson;
      faults.push(...decoder.takePairs(cookies, parameter, value, isPlain ? (text) => text : undefined));
    } else {
      const text = String(headers[name.toLowerCase()]);
      faults.push(
        ...(isJson
          ? decoder.unequal(name, JSON.parse(text), given)
          : decoder.unequal(name, decoder.decodeHeader(text, explode, value), decoder.textsOf(value))),
      );
    }
  }
  const left = pairs.map(({ name }) => `${name} is in the query, and nobody gave it`);
  const [media] = operation.body?.content ?? [];
  return [
    ...faults,
    ...left,
    ...(media && input.body !== undefined ? bodyFaults(media, input.body, headers['content-type'] ?? '', body) : []),
  ];
}

function bodyFaults(media: MediaType, given: unknown, type: string, body: string): string[] {
  const { kind, essence, encoding } = media;
  const faults = essence.includes('*') || type.toLowerCase().startsWith(essence) ? [] : [`the media type is ${type}`];
  if (kind === 'json') return [...faults, ...decoder.unequal('body', JSON.parse(body), given)];
  if (kind === 'text' || kind === 'xml') return [...faults, ...decoder.unequal('body', body, given)];
  if (kind === 'binary') return [...faults, ...decoder.unequal('body', body, 'bytes é')];
  const pairs = kind === 'form' ? decoder.rawPairs(body) : [];
  const parts = kind === 'multipart' ? decoder.partsOf(type, body) : [];
  for (const [name, member] of Object.entries(given as object)) {
    const own = encoding.find((one) => one.name === name)?.encoding;
    const style = decoder.styleOf(name, own);
    const isJson = /^[^,]*[/+]json\b/.test(own?.contentType ?? '');
    const value = own?.headers.length && kind === 'multipart' ? member.data : member;
    if (style) {
      const from = kind === 'form' ? pairs : parts.map((part) => ({ name: part.name, raw: part.text }));
      const before = from.length;
      faults.push(...decoder.takePairs(from, style, value, kind === 'form' ? undefined : (text) => text));
      if (kind === 'multipart')
        parts.splice(
          0,
          before,
          ...from.map(
            ({ name: left, raw }) =>
              parts.find((part) => part.name === left && part.text === raw) ?? {
                name: left,
                filename: undefined,
                type: undefined,
                text: raw,
              },
          ),
        );
      continue;
    }
    const items = Array.isArray(value) && !isJson && !(own?.headers.length && kind === 'multipart') ? value : [value];
    for (const item of items) {
      if (item === null || item === undefined) continue;
      const isText = typeof item !== 'object' && !isJson;
      if (kind === 'form') {
        const at = pairs.findIndex((pair) => pair.name === name);
        const [pair] = at < 0 ? [] : pairs.splice(at, 1);
        const text = pair && decodeURIComponent(pair.raw);
        faults.push(...decoder.unequal(name, text && (isText ? text : JSON.parse(text)), isText ? String(item) : item));
      } else {
        const at = parts.findIndex((part) => part.name === name);
        const [part] = at < 0 ? [] : parts.splice(at, 1);
        if (item instanceof Blob)
          faults.push(
            ...decoder.unequal(name, [part?.text, part?.type, part?.filename], ['file', 'image/png', 'blob']),
          );
        else
          faults.push(
            ...decoder.unequal(
              name,
              part && (isText ? part.text : JSON.parse(part.text)),
              isText ? String(item) : item,
            ),
          );
      }
    }
  }
  return [...faults, ...[...pairs, ...parts].map(({ name }) => `${name} is in the body, and nobody gave it`)];
}

/** No platform sends TRACE, and of two variables that touch each other nobody knows where one ends. */
function isDecodable({ method, path }: Operation): boolean {
  return method !== 'TRACE' && !/[?#]|\}\{/.test(path.text);
}

type Call = (client: unknown, input: object) => Promise<unknown>;

/** Sends an input to each operation of a document, and gives what is wrong, and how many requests there were. */
async function travel(file: string, text: string, origin: string, seen: readonly SeenRequest[]) {
  const loaded = await resultOf({ [file]: text });
  if (!loaded.ok || loaded.value.operations.length === 0) return { sent: 0, faults: [] };
  const api: Api = loaded.value;
  const host = memoryHost({ [`/project/${file}`]: text }, { cwd: '/project' });
  const result = await generate({ input: file, targets: ['client'], sendDefaults: false }, host);
  if (!result.ok) return { sent: 0, faults: [] };
  const source = result.files.find(({ path }) => path === 'client.ts')?.text ?? '';
  const functions = [...source.matchAll(/^const \S+\$: \$OperationSpec = \{\n {2}name: "(.*)",$/gm)].map(
    ([, name]) => name,
  );
  const module = await runnable<Readonly<Record<string, unknown>>>(result);
  const create = (module['createApiClient'] ?? module['createClient']) as (options: object) => unknown;
  const client = create({ baseUrl: origin });
  const faults: string[] = [];
  let sent = 0;
  for (const [index, operation] of api.operations.entries()) {
    if (sent === operationsOfEach || !isDecodable(operation)) continue;
    const input = inputOf(operation, new WireSampler(api, index + 1));
    const call = module[functions[index] ?? ''] as Call | undefined;
    if (!input || !call || operation.body?.content[0]?.stream) continue;
    const before = seen.length;
    const error = await call(client, input).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    sent++;
    const request = seen[before];
    const found = request ? faultsOf(operation, input, request) : [`nothing arrived: ${String(error)}`];
    faults.push(...found.map((fault) => `${file} ${operation.method} ${operation.path.text}: ${fault}`));
  }
  return { sent, faults };
}

async function travelAll(documents: readonly { readonly file: string; readonly text: string }[]) {
  const server = await serve((_, response) => reply(response, 204));
  const all = { sent: 0, faults: [] as string[] };
  for (const { file, text } of documents) {
    const { sent, faults } = await travel(file, text, server.origin, server.seen);
    all.sent += sent;
    all.faults.push(...faults);
  }
  return all;
}

describe('sampled values arrive as what they were', () => {
  const fixtures = [...listFixtures('features'), ...listFixtures('documents')].flatMap(({ folder, entry }) =>
    entry?.startsWith('openapi.') ? [{ file: entry, text: readFileSync(join(folder, entry), 'utf8') }] : [],
  );

  test('of every fixture', async () => {
    const { sent, faults } = await travelAll(fixtures);
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThan(120);
  }, 120_000);

  test.skipIf(shared === undefined)(
    sharedTitle('of 40 documents of the directory'),
    async () => {
      const folder = join(shared ?? '', 'corpus/directory');
      const small = readdirSync(folder)
        .filter((name) => name.endsWith('.json.gz') && statSync(join(folder, name)).size < 12_000)
        .slice(0, 40);
      expect(small).toHaveLength(40);
      const documents = small.map((name) => ({
        file: name.slice(0, -3),
        text: gunzipSync(readFileSync(join(folder, name))).toString(),
      }));
      const { sent, faults } = await travelAll(documents);
      expect(faults).toEqual([]);
      expect(sent).toBeGreaterThan(150);
    },
    120_000,
  );
});
