/** Filters: what they choose, what stays because it is needed, and what they say. */
import { describe, expect, test } from 'vitest';
import { runGenerate, runIr } from '../src/commands.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { checkOptions } from '../src/option-checks.js';
import { oasmith, runCommand } from './support/command-line.js';
import { repository } from './support/paths.js';

const answer = (name: string) => ({
  200: { description: 'ok', content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
});
const operation = (operationId: string, tags: readonly string[], name: string, more: object = {}) => ({
  operationId,
  tags,
  responses: answer(name),
  ...more,
});
const model = (more: object = {}) => ({ type: 'object', properties: { id: { type: 'string' } }, ...more });

const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/pets': { get: operation('getPets', ['pets'], 'Pets'), post: operation('addPet', ['pets', 'write'], 'Pet') },
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: operation('getPet', ['pets'], 'Pet'),
    },
    '/v2/orders': { get: operation('getOrders', ['orders'], 'Order', { deprecated: true }) },
    '/v2/orders/a/b': { get: { operationId: 'getDeep', responses: { 200: { description: 'ok' } } } },
  },
  components: {
    schemas: {
      Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
      Pet: model(),
      Order: model(),
      OrderLine: model({ deprecated: true }),
      Unused: model(),
    },
  },
};

async function run(
  options: { include?: string[]; exclude?: string[]; dropUnreachable?: boolean },
  document: object = shop,
) {
  const host = memoryHost({ 'api.json': JSON.stringify(document) });
  const { ok, files, diagnostics } = await generate(
    { input: 'api.json', targets: ['types', 'validators', 'client'], ...options },
    host,
  );
  const text = (path: string) => files.find((file) => file.path === path)?.text ?? '';
  const names = (path: string, pattern: RegExp) => [...text(path).matchAll(pattern)].map(([, name]) => name).sort();
  return {
    ok,
    operations: names('client.ts', /^export function (?!createClient)(\w+)/gm),
    schemas: names('types.ts', /^export (?:interface|type) (\w+)/gm),
    validators: names('validators.ts', /^export function is(\w+)/gm),
    warnings: diagnostics.filter(({ code }) => code === 'filter-unmatched').map(({ message }) => message),
  };
}

const all = ['addPet', 'getDeep', 'getOrders', 'getPet', 'getPets'];

describe('patterns', () => {
  test.each<[string, string[], string[], string[]]>([
    ['nothing', [], [], all],
    ['a tag', ['tag:orders'], [], ['getOrders']],
    ['several, any of which', ['tag:orders', 'operation:getPet'], [], ['getOrders', 'getPet']],
    ['exclusion wins', ['tag:pets'], ['tag:write'], ['getPet', 'getPets']],
    ['an operation by its id', [], ['operation:getPet'], ['addPet', 'getDeep', 'getOrders', 'getPets']],
    ['an operation by method and path', ['operation:POST /pets'], [], ['addPet']],
    ['a star in a name', ['operation:get*s'], [], ['getOrders', 'getPets']],
    ['a path and what lies below it', ['path:/pets'], [], ['addPet', 'getPet', 'getPets']],
    ['a segment of a path', ['path:/v2/*'], [], ['getOrders']],
    ['any segments', ['path:/v2/**'], [], ['getDeep', 'getOrders']],
    ['in the middle', ['path:/**/b'], [], ['getDeep']],
    ['braces are letters', ['path:/pets/{id}'], [], ['getPet']],
    ['what is deprecated', [], ['deprecated'], ['addPet', 'getDeep', 'getPet', 'getPets']],
    ['only what is deprecated', ['deprecated'], [], ['getOrders']],
  ])('%s', async (_, include, exclude, expected) => {
    const { ok, operations, warnings } = await run({ include, exclude });
    expect([ok, operations, warnings]).toEqual([true, expected, []]);
  });

  test('one that matches nothing is a warning with the nearest name', async () => {
    const { warnings } = await run({
      include: ['tag:pet', 'path:/pets'],
      exclude: ['schema:Ordre', 'operation:zzzzzzz', 'path:/v3'],
    });
    expect(warnings).toEqual([
      'the filter "tag:pet" matches nothing; did you mean "tag:pets"?',
      'the filter "schema:Ordre" matches nothing; did you mean "schema:Order"?',
      'the filter "operation:zzzzzzz" matches nothing',
      'the filter "path:/v3" matches nothing',
    ]);
  });

  test('many stars take no time', async () => {
    const started = performance.now();
    await run(
      { include: [`operation:${'a*'.repeat(200)}b`] },
      {
        ...shop,
        paths: { '/a': { get: { operationId: 'a'.repeat(2000), responses: { 200: { description: 'ok' } } } } },
      },
    );
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('one of an unknown form is wrong usage', async () => {
    expect(checkOptions({ include: ['tags:x'] })).toHaveLength(1);
    expect(checkOptions({ exclude: ['schema:'] })).toHaveLength(1);
    const host = memoryHost({ 'api.json': JSON.stringify(shop) });
    const { exit, out } = await runCommand(runGenerate, host, { input: 'api.json', output: 'out', include: ['pets'] });
    expect([exit, out.stderr]).toEqual([2, expect.stringContaining('tag:NAME')]);
  });
});

describe('schemas', () => {
  test('those that something refers to stay, under their own name', async () => {
    const { schemas } = await run({ exclude: ['schema:Pet', 'schema:Unused'] });
    expect(schemas).toEqual(expect.arrayContaining(['Pet', 'Pets', 'Order']));
    expect(schemas).not.toContain('Unused');
  });

  test('are chosen by patterns of their own kind, operations by theirs', async () => {
    const { schemas, operations } = await run({ include: ['schema:Order*'], exclude: ['tag:orders'] });
    expect(operations).toEqual(['addPet', 'getDeep', 'getPet', 'getPets']);
    expect(schemas).toEqual(expect.arrayContaining(['Order', 'OrderLine', 'Pet']));
    expect(schemas).not.toContain('Unused');
    expect((await run({ include: ['tag:pets'] })).schemas).toEqual(expect.arrayContaining(['Order', 'Unused']));
    expect((await run({ exclude: ['deprecated'] })).schemas).not.toContain('OrderLine');
  });

  test('that nothing refers to are dropped on request, but for those that are asked for', async () => {
    const dropped = await run({ include: ['tag:pets', 'schema:Unused'], dropUnreachable: true });
    expect(dropped.schemas.filter((name) => !/Body$/.test(name ?? ''))).toEqual(['Pet', 'Pets', 'Unused']);
    expect(dropped.validators).not.toContain('Order');
  });

  test('the children of a parent with a discriminator are reached with it', async () => {
    const parent = {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind' },
    };
    const heir = (of: string) => ({ allOf: [{ $ref: `#/components/schemas/${of}` }] });
    const document = {
      ...shop,
      paths: { '/a': { get: operation('getA', [], 'Animal') } },
      components: { schemas: { Animal: parent, Cat: heir('Animal'), Other: model(), Heir: heir('Other') } },
    };
    expect((await run({ dropUnreachable: true }, document)).schemas).toEqual(['Animal', 'Cat']);
  });

  test('a fault in what is left out does not matter', async () => {
    const broken = { ...shop, components: { schemas: { ...shop.components.schemas, Order: { pattern: '[' } } } };
    expect((await run({}, broken)).ok).toBe(false);
    const { ok, operations } = await run({ exclude: ['tag:orders', 'schema:Order'] }, broken);
    expect([ok, operations]).toEqual([true, ['addPet', 'getDeep', 'getPet', 'getPets']]);
  });
});

test('the flags may be given again, and stand before the entry', async () => {
  const entry = 'fixtures/features/filters/selection/openapi.yaml';
  const { exit, stdout } = await oasmith(repository, [
    'ir',
    '--include',
    'operation:addPet',
    '--include',
    'tag:none',
    '--exclude',
    'schema:*',
    '--drop-unreachable',
    entry,
  ]);
  expect(exit).toBe(0);
  const { operations, components } = JSON.parse(stdout) as {
    operations: readonly { operationId: string }[];
    components: readonly { name: string }[];
  };
  expect([operations.map(({ operationId }) => operationId), components.map(({ name }) => name)]).toEqual([
    ['addPet'],
    ['NewPet'],
  ]);
});

describe('what the configuration says of something that is left out', () => {
  const excluded = { exclude: ['operation:getOrders', 'schema:Order*'], input: 'api.json' };
  const host = () =>
    memoryHost({
      'api.json': JSON.stringify(shop),
      'other.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} }),
    });
  const names = { getOrders: 'orders', OrderLine: 'Line', getPet: 'onePet' };

  test('is no fault, and what is there gets its name', async () => {
    const { ok, files, diagnostics } = await generate(
      {
        ...excluded,
        names,
        headersFromBody: { 'GET /v2/orders': { 'X-Order': '$request.body#/id' } },
        jsonRpc: { getOrders: { schema: 'rpc.json', requests: '#/$defs/Request' } },
        streams: { getOrders: { schema: 'data' } },
        targets: ['types', 'client'],
      },
      memoryHost({
        ...Object.fromEntries(host().files),
        'rpc.json': '{"$schema": "https://json-schema.org/draft/2020-12/schema"}',
      }),
    );
    expect([ok, diagnostics]).toEqual([true, []]);
    expect(files.find(({ path }) => path === 'client.ts')?.text).toContain('export function onePet');
  });

  test('is no fault either where another description of the run has it', async () => {
    const options = { input: ['api.json', 'other.json'], names, targets: ['types'] as const };
    expect(await generate(options, host())).toMatchObject({ ok: true, diagnostics: [] });
  });

  test('is a fault where nothing has that name', async () => {
    const { ok, diagnostics } = await generate({ ...excluded, names: { getOrder: 'x' } }, host());
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([false, ['pin-unusable']]);
  });

  test('is no fault in a declaration graph', async () => {
    const decls = { models: { OrderLine: 'orders.line', Nobody: 'a.b' }, methods: { getOrders: 'orders.list' } };
    const { exit, out } = await runCommand((given) => runIr(given, 'decls'), host(), { ...excluded, decls });
    expect(exit).toBe(0);
    expect([...out.stderr.matchAll(/^warning\[decls-name\]: (.*)$/gm)].map(([, message]) => message)).toEqual([
      'decls.models names "Nobody", which is no named schema',
    ]);
  });

  test('nothing to generate is told as what it is', async () => {
    const { diagnostics } = await generate(
      { input: 'api.json', include: ['schema:Pet'], exclude: ['path:/**'], targets: ['client'] },
      host(),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual(['the filters leave no operation']);
  });
});
