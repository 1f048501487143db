/** The published JSON Schema of the IR: in step with the types, and true of what every fixture gives, by our own validators. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveOptions } from '../src/config.js';
import { readConfiguration } from '../src/config-file.js';
import { generate } from '../src/generate.js';
import { printApi } from '../src/ir/print.js';
import { load } from '../src/load/load.js';
import { nodeHost } from '../src/node-host.js';
import { defaultNormaliseOptions, normalise } from '../src/normalise/normalise.js';
import { apiOf } from './support/api-of.js';
import { type Fixture, listFixtures } from './support/fixtures.js';
import { irSchemaText } from './support/ir-schema.js';
import { repository } from './support/paths.js';

const published = join(repository, 'src/ir/ir.schema.json');
type Validation = {
  readonly ok: boolean;
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[];
};
let folder = '';
let validate: (value: unknown) => Validation;

beforeAll(async () => {
  const host = nodeHost(dirname(published));
  const { ok, files, diagnostics } = await generate({ input: 'ir.schema.json', targets: ['validators'] }, host);
  if (!ok) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  mkdirSync(join(repository, '.cache'), { recursive: true });
  folder = mkdtempSync(join(repository, '.cache/ir-'));
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const module = (await import(/* @vite-ignore */ join(folder, 'validators.ts'))) as Readonly<Record<string, unknown>>;
  validate = module['validateTheIntermediateRepresentationOfOasmith'] as typeof validate;
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('is made of the types', () => {
  if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(published, irSchemaText());
  expect(readFileSync(published, 'utf8')).toBe(irSchemaText());
});

function faults(text: string): readonly string[] {
  const verdict = validate(JSON.parse(text));
  return (verdict.issues ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
}

async function irOf({ folder: place, entry }: Fixture): Promise<string | undefined> {
  const host = nodeHost(place);
  const { jobs } = await readConfiguration(host, undefined);
  const { input, limits, allowRemote } = resolveOptions({ ...(entry !== undefined && { input: entry }), ...jobs[0] });
  const sources = await load({ entries: input, allowRemote, limits }, host);
  const api = sources.ok ? normalise(sources.value, defaultNormaliseOptions) : undefined;
  return api?.ok ? printApi(api.value) : undefined;
}

describe('holds for', () => {
  test.each([...listFixtures('documents'), ...listFixtures('features')])('$name', async (fixture) => {
    const text = await irOf(fixture);
    if (text !== undefined) expect(faults(text)).toEqual([]);
  });
});

test('refuses what is not an IR', () => {
  expect(faults('{}').length).toBeGreaterThan(0);
});

test('nothing that a description says is lost', async () => {
  const extensions = { 'x-a': [1] };
  const document = {
    openapi: '3.2.0',
    ...extensions,
    info: {
      title: 'T',
      version: '1',
      contact: { name: 'c', ...extensions },
      license: { identifier: 'MIT', ...extensions },
      ...extensions,
    },
    externalDocs: { url: 'https://docs.example', ...extensions },
    servers: [
      {
        url: 'https://{r}.example',
        variables: { r: { default: 'a', enum: ['a', 'b'], ...extensions } },
        ...extensions,
      },
    ],
    tags: [{ name: 't', externalDocs: { url: 'u' }, ...extensions }],
    paths: {
      ...extensions,
      '/a': {
        ...extensions,
        servers: [{ url: '/other' }],
        post: {
          ...extensions,
          externalDocs: { url: 'u' },
          parameters: [{ name: 'p', in: 'query', example: 1, allowEmptyValue: true, schema: {}, ...extensions }],
          requestBody: {
            content: {
              'multipart/form-data': { encoding: { f: { contentType: 'a/b', ...extensions } }, ...extensions },
            },
            ...extensions,
          },
          responses: {
            ...extensions,
            200: {
              ...extensions,
              headers: { 'X-H': { content: { 'text/plain': { schema: {} } }, ...extensions } },
              links: {
                l: { operationRef: '#/x', requestBody: null, server: { url: 'https://b.example' }, ...extensions },
              },
              content: {
                'application/json': {
                  schema: { xml: { name: 'n' }, externalDocs: { url: 'u' }, maximum: 9007199254740992, ...extensions },
                },
              },
            },
          },
          callbacks: { done: { '{$url}': { post: { responses: { 200: { description: 'ok' } }, ...extensions } } } },
          security: [{}, { key: [], other: ['s'] }],
        },
      },
    },
    webhooks: { hook: { post: { responses: { 200: { description: 'ok' } }, ...extensions } } },
    components: {
      ...extensions,
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'k', ...extensions },
        other: { type: 'oauth2', flows: { password: { tokenUrl: 't', scopes: { s: 'S' }, ...extensions } } },
      },
    },
  };
  const written = JSON.stringify(document).replace('9007199254740992', '9007199254740993');
  const { api } = await apiOf({ 'openapi.json': written });
  const text = printApi(api);
  expect(faults(text)).toEqual([]);
  const occurrences = (needle: string, within: string): number => within.split(needle).length - 1;
  expect(occurrences('"x-a"', text)).toBe(occurrences('"x-a"', written));
  expect(JSON.parse(text)).toMatchObject({
    exactNumbers: [{ text: '9007199254740993', at: { document: 'openapi.json' } }],
    outgoing: [
      { origin: 'webhook', name: 'hook' },
      { origin: 'callback', name: 'done', expression: '{$url}' },
    ],
    operations: [
      {
        security: [[], [{ scheme: 'key' }, { scheme: 'other', scopes: ['s'] }]],
        servers: [{ url: '/other' }],
        responses: [{ headers: [{ content: { essence: 'text/plain' } }], links: [{ requestBody: { value: null } }] }],
      },
    ],
  });
  const schema = Object.values(api.schemas.size > 0 ? Object.fromEntries(api.schemas) : {}).find(({ at }) =>
    at.pointer.endsWith('application~1json/schema'),
  );
  expect(schema?.docs).toMatchObject({ xml: { name: 'n' }, externalDocs: { url: 'u' } });
});
