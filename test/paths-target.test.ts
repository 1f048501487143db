/**
 * The target `paths`: a client in the style of openapi-fetch is typed by it, and every path, method, parameter, media type
 * and status of real documents is where such a client looks.
 */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import createFetchClient from 'openapi-fetch';
import { describe, expect, test } from 'vitest';
import { type GenerateResult, generate } from '../src/generate.js';
import type { JsonValue } from '../src/ir/schema.js';
import { memoryHost } from '../src/memory-host.js';
import { isObject, type JsonObject } from './support/component-schemas.js';
import { fetchClientTypes } from './support/fetch-client-types.js';
import { compile, compilers, generateFrom, withOutput } from './support/generated-client.js';
import { reply, serve } from './support/http-server.js';
import { repository, shared, sharedTitle } from './support/paths.js';
import { sampleDocuments } from './support/sample-documents.js';
import { faultLines, typecheck } from './support/typecheck.js';

/** What the run of openapi-fetch needs to know; its types are compiled above. */
interface AnyPaths {
  '/pets/{id}': {
    get: { parameters: { path: { id: number } }; responses: { 200: { content: { 'application/json': object } } } };
  };
  '/pets': {
    post: {
      parameters: { header: { 'X-Tenant': string } };
      requestBody: { content: { 'application/json': { name: string } } };
      responses: { 201: { content: { 'application/json': object } } };
    };
  };
}

const sameTypes = `
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function holds<T extends true>(): T;
const client = createClient<paths>({});
`;

const calls = `
import type { FetchClient, PathsWith, Same } from './fetch-client.js';
import { holds } from './fetch-client.js';
import type { paths } from './paths.js';
import type { Pet, PetWrite, ProblemDetails } from './types.js';

declare const client: FetchClient<paths>;

holds<Same<PathsWith<paths, 'get'>, '/pets' | '/pets/{id}' | '/events'>>();
holds<Same<PathsWith<paths, 'put'>, never>>();

export async function use(given: PetWrite): Promise<void> {
  const listed = await client.GET('/pets', { params: { header: { 'X-Tenant': 't' }, query: { kind: 'cat', limit: undefined } } });
  holds<Same<typeof listed.data, string | Pet[] | undefined>>();
  if (listed.error) holds<Same<typeof listed.error, ProblemDetails>>();
  const one = await client.GET('/pets/{id}', { params: { path: { id: 1 } } });
  if (one.data) holds<Same<typeof one.data, Pet>>();
  const made = await client.POST('/pets', { params: { header: { 'X-Tenant': 't' } }, body: given });
  if (made.data) holds<Same<typeof made.data, Pet>>();
  const gone = await client.DELETE('/pets/{id}', { params: { path: { id: 1 } } });
  holds<Same<typeof gone.data, undefined>>();
  await client.PATCH('/pets/{id}', { params: { path: { id: 1 } } });
  await client.GET('/events');
  // @ts-expect-error a header is required
  await client.GET('/pets');
  // @ts-expect-error no such value
  await client.GET('/pets', { params: { header: { 'X-Tenant': 't' }, query: { kind: 'cow' } } });
  // @ts-expect-error the path's variable is a number
  await client.GET('/pets/{id}', { params: { path: { id: '1' } } });
  // @ts-expect-error the body is required
  await client.POST('/pets', { params: { header: { 'X-Tenant': 't' } } });
  // @ts-expect-error read only
  await client.POST('/pets', { params: { header: { 'X-Tenant': 't' } }, body: { id: 1, name: 'Rex' } });
  // @ts-expect-error no such method
  await client.PUT('/pets/{id}', { params: { path: { id: 1 } } });
  // @ts-expect-error no such path
  await client.GET('/cats');
}
`;

describe('a client in the style of openapi-fetch', () => {
  test.each(compilers)(
    'is typed: %s',
    async (_, compiler) => {
      const folder = join(repository, 'fixtures/features/targets/paths');
      const text = readFileSync(join(folder, 'openapi.yaml'), 'utf8');
      const host = memoryHost({ '/project/openapi.yaml': text }, { cwd: '/project' });
      const result = await generate({ input: 'openapi.yaml', targets: ['paths'] }, host);
      const further = { 'fetch-client.ts': fetchClientTypes, 'calls.ts': calls };
      expect(await withOutput(result, further, (output) => compile(output, compiler))).toBe('');
    },
    60_000,
  );
});

/** The same calls by the package itself. */
const packageCalls = calls
  .replace(
    "import type { FetchClient, PathsWith, Same } from './fetch-client.js';",
    "import createClient from 'openapi-fetch';",
  )
  .replace("import { holds } from './fetch-client.js';", '')
  .replace('declare const client: FetchClient<paths>;', sameTypes)
  .replace(/^holds<Same<PathsWith.*$/gm, '')
  // Which members may be sent it does not check so exactly.
  .replace(/ {2}\/\/ @ts-expect-error read only\n.*\n/, '');

describe('openapi-fetch itself', () => {
  const generated = (): Promise<GenerateResult> => {
    const text = readFileSync(join(repository, 'fixtures/features/targets/paths/openapi.yaml'), 'utf8');
    return generate(
      { input: 'openapi.yaml', targets: ['paths'] },
      memoryHost({ '/project/openapi.yaml': text }, { cwd: '/project' }),
    );
  };

  test.each(compilers)(
    'is typed: %s',
    async (_, compiler) => {
      const found = await withOutput(await generated(), { 'calls.ts': packageCalls }, (output) => {
        mkdirSync(join(output, 'node_modules'));
        for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
          symlinkSync(join(repository, 'node_modules', name), join(output, 'node_modules', name));
        return compile(output, compiler);
      });
      expect(found).toBe('');
    },
    120_000,
  );

  test('sends what the server is to get, and gives its answer', async () => {
    const { origin, seen } = await serve((request, response) => {
      if (request.method === 'GET') reply(response, 200, { id: 1, name: 'Rex' });
      else reply(response, 201, { id: 2, name: 'Ada' });
    });
    const client = createFetchClient<AnyPaths>({ baseUrl: origin });
    const one = await client.GET('/pets/{id}', { params: { path: { id: 1 } } });
    const made = await client.POST('/pets', { params: { header: { 'X-Tenant': 't' } }, body: { name: 'Ada' } });
    expect([one.data, made.data]).toEqual([
      { id: 1, name: 'Rex' },
      { id: 2, name: 'Ada' },
    ]);
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/pets/1', ''],
      ['POST', '/pets', '{"name":"Ada"}'],
    ]);
    expect(seen[1]?.headers).toMatchObject({ 'x-tenant': 't' });
  });
});

test('dates are what travels, since nothing decodes them', async () => {
  const schema = { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const document = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: { '/now': { get: { responses } } } };
  const { files } = await generateFrom(document, { targets: ['paths'], dates: 'Date' });
  const text = files.find(({ path }) => path === 'paths.ts')?.text ?? '';
  expect(text).toMatch(/"application\/json": \w+Wire;/);
});

test('an operationId that two operations have is that of the first by address', async () => {
  const get = { operationId: 'same', responses: { 204: { description: 'done' } } };
  const textOf = async (paths: object): Promise<string> => {
    const document = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths };
    const { files } = await generateFrom(document, { targets: ['paths'] });
    return files.find(({ path }) => path === 'paths.ts')?.text ?? '';
  };
  for (const paths of [
    { '/a': { get }, '/b': { get } },
    { '/b': { get }, '/a': { get } },
  ]) {
    const text = await textOf(paths);
    expect(text.match(/operations\["same"\]/g)).toHaveLength(1);
    expect(text).toMatch(/"\/a": \{[^;]*;[^;]*;[^;]*;[^;]*;\s+\};\s+get: operations\["same"\];/);
  }
});

test('a pin cannot take a name of the target', async () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: {},
    components: { schemas: { Way: { type: 'string' } } },
  };
  const { ok, diagnostics } = await generateFrom(document, { targets: ['paths'], names: { Way: 'paths' } });
  expect({ ok, codes: diagnostics.map(({ code }) => code) }).toEqual({ ok: false, codes: ['pin-unusable'] });
});

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What a document says, as statements about the types: read here once more, by other code than the generator's. */
function statements(description: JsonObject): string {
  const lines: string[] = [];
  const hold = (left: string, right: string): void => void lines.push(`holds<Same<${left}, ${right}>>();`);
  const union = (names: readonly string[]): string =>
    names.length === 0 ? 'never' : names.map((name) => JSON.stringify(name)).join(' | ');
  const deref = (value: JsonValue | undefined): JsonObject => {
    let found = value;
    while (isObject(found) && typeof found['$ref'] === 'string') {
      let at: JsonValue | undefined = description;
      for (const step of found['$ref'].slice(2).split('/')) {
        const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
        at = isObject(at) ? at[name] : undefined;
      }
      found = at;
    }
    return isObject(found) ? found : {};
  };
  const paths = deref(description['paths']);
  for (const [path, value] of Object.entries(paths)) {
    const item = deref(value);
    // A path without operations cannot be called.
    if (!methods.some((name) => name in item)) continue;
    hold(`Required_<paths[${JSON.stringify(path)}]>`, union(['parameters', ...methods.filter((name) => name in item)]));
    for (const method of methods.filter((name) => name in item)) {
      const operation = deref(item[method]);
      const type = `paths[${JSON.stringify(path)}]['${method}']`;
      const { operationId, responses, requestBody } = operation;
      if (typeof operationId === 'string') hold(type, `operations[${JSON.stringify(operationId)}]`);
      hold(
        `Required_<${type}['responses']>`,
        Object.keys(deref(responses))
          .map((s) => (/^\d+$/.test(s) ? s : `'${s}'`))
          .join(' | '),
      );
      for (const [status, answer] of Object.entries(deref(responses))) {
        const content = Object.keys(deref(deref(answer)['content']));
        const key = /^\d+$/.test(status) ? status : `'${status}'`;
        if (content.length > 0) hold(`keyof ${type}['responses'][${key}]['content']`, union(content));
        else hold(`${type}['responses'][${key}]['content']`, 'undefined');
      }
      const sent = Object.keys(deref(deref(requestBody)['content']));
      const isSent = sent.length > 0 && !['get', 'head', 'trace'].includes(method);
      if (isSent) hold(`keyof NonNullable<${type}['requestBody']>['content']`, union(sent));
      const byKey = new Map<string, JsonObject>();
      for (const parameter of [item['parameters'], operation['parameters']].flat() as (JsonValue | undefined)[]) {
        const found = deref(parameter);
        if (found['in'] !== undefined) byKey.set(`${String(found['in'])} ${String(found['name'])}`, found);
      }
      for (const group of ['query', 'path']) {
        const inside = [...byKey.values()].filter((parameter) => parameter['in'] === group);
        const required = inside.filter((parameter) => parameter['required'] === true);
        const parameters = `NonNullable<${type}['parameters']['${group}']>`;
        hold(
          `keyof ${parameters}`,
          inside.length === 0 ? 'keyof never' : union(inside.map(({ name }) => String(name))),
        );
        if (inside.length > 0) hold(`Required_<${parameters}>`, union(required.map(({ name }) => String(name))));
      }
    }
  }
  const schemas = Object.keys(deref(deref(description['components'])['schemas']));
  hold(`keyof components['schemas']`, union(schemas));
  return lines.join('\n');
}

const wanted = 12;

describe.skipIf(shared === undefined)(sharedTitle('real documents'), () => {
  test('have everything where such a client looks', async () => {
    const documents = sampleDocuments(join(shared ?? '', 'corpus/directory'))
      .filter(({ description }) => typeof description['openapi'] === 'string')
      .filter(({ description }) => JSON.stringify(description).length < 150_000);
    const step = Math.floor(documents.length / wanted);
    const chosen = documents.filter((_, index) => index % step === 0).slice(0, wanted);
    expect(chosen).toHaveLength(wanted);
    const texts = new Map<string, string>();
    for (const { name, description } of chosen) {
      const folder = join(repository, 'test', 'paths', name.replace(/[^\w-]/g, '-'));
      const { ok, files, diagnostics } = await generateFrom(description, { targets: ['paths'] });
      expect(ok, `${name} ${diagnostics.map(({ message }) => message).join('\n')}`).toBe(true);
      for (const { path, text } of files) texts.set(join(folder, path), text);
      texts.set(join(folder, 'fetch-client.ts'), fetchClientTypes);
      const imports = `import type { FetchClient, Required_, Same } from './fetch-client.js';\nimport { holds } from './fetch-client.js';\nimport type { components, operations, paths } from './paths.js';\nexport declare const client: FetchClient<paths>;\nexport type Operations = operations;\n`;
      texts.set(join(folder, 'statements.ts'), imports + statements(description));
    }
    expect(faultLines(typecheck(texts), join(repository, 'test', 'paths'))).toBe('');
  }, 120_000);
});
