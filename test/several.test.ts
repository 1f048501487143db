/** Several descriptions in one run: one runtime, the same names, and types that a package provides. */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { checkOptions } from '../src/option-checks.js';
import type { Validation } from '../src/runtime/validation.js';
import { generatedModules } from './support/generated-modules.js';

const common =
  'Address: {type: object, required: [id], properties: {id: {type: string, readOnly: true}, country: {$ref: "#/Country"}}}\nCountry: {type: string, enum: [at, de]}\n';

function description(name: string, ref = 'common.yaml#/Address', more = ''): string {
  const content = `content: {application/json: {schema: {$ref: '${ref}'}}}`;
  return `openapi: 3.1.0
info: {title: ${name}, version: '1'}
paths:
  /${name}:
    get: {operationId: get-${name}, responses: {'200': {description: ok, ${content}}}}
    put: {operationId: put-${name}, requestBody: {${content}}, responses: {'204': {description: ok}}}
${more}`;
}

async function run(files: Record<string, string>, options: object) {
  const result = await generate(
    { input: ['shops.yaml', 'people.yaml'], ...options },
    memoryHost({ 'common.yaml': common, ...files }),
  );
  return { ...result, text: (path: string) => result.files.find((file) => file.path === path)?.text ?? '' };
}

const two = { 'shops.yaml': description('shops'), 'people.yaml': description('people') };

describe('one runtime for all', () => {
  test('lies at the root of the output, with what any of them needs, and is what they import', async () => {
    const { ok, files, text } = await run(two, { framework: ['fetch', 'node'] });
    expect(ok).toBe(true);
    const runtime = files.map(({ path }) => path).filter((path) => path.includes('runtime/'));
    expect(runtime.every((path) => path.startsWith('runtime/'))).toBe(true);
    expect(new Set(runtime).size).toBe(runtime.length);
    const imported = files.flatMap((file) =>
      [...file.text.matchAll(/from "(\.[^"]*runtime\/[^"]*)"/g)].map(([, from = '']) => [file.path, from] as const),
    );
    expect(imported.length).toBeGreaterThan(20);
    for (const [path, from] of imported) expect([path, from.startsWith('../runtime/')]).toEqual([path, true]);
    for (const [, from] of imported) expect(runtime).toContain(from.slice(3).replace(/\.js$/, '.ts'));
    expect(text('shops/client.ts')).toContain('from "../runtime/send.js"');
  });

  test('one description alone has it beside its files', async () => {
    const { files, text } = await run(two, { input: 'shops.yaml' });
    expect(text('client.ts')).toContain('from "./runtime/send.js"');
    expect(files.some(({ path }) => path === 'runtime/send.ts')).toBe(true);
  });

  test('a description whose file is named runtime does not get in its way', async () => {
    const { files } = await run(
      { ...two, 'runtime.yaml': description('other') },
      { input: ['shops.yaml', 'runtime.yaml'] },
    );
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['runtime-api/client.ts', 'runtime/send.ts']));
  });
});

describe('a schema in a file that several refer to', () => {
  const declaration = (text: string, name: string) =>
    new RegExp(`^export (?:interface|type) ${name} [\\s\\S]*?\\n(?=\\n|$(?![\\s\\S]))`, 'm').exec(text)?.[0];

  test('has the same name and the same type in all of them', async () => {
    const { text } = await run(two, { targets: ['types'] });
    for (const name of ['Address', 'AddressWrite', 'Country']) {
      expect(declaration(text('shops/types.ts'), name), name).toBeDefined();
      expect(declaration(text('people/types.ts'), name), name).toBe(declaration(text('shops/types.ts'), name));
    }
  });

  test('gives way to a component of the same name', async () => {
    const component = "components: {schemas: {Address: {type: string}, Uses: {$ref: 'common.yaml#/Address'}}}\n";
    const { text } = await run(
      { ...two, 'people.yaml': description('people', 'common.yaml#/Address', component) },
      { targets: ['types'] },
    );
    expect(text('people/types.ts')).toContain('export type Address = string;');
    expect(text('people/types.ts')).toContain('interface Uses ');
    expect(text('shops/types.ts')).toContain('interface Address ');
  });
});

describe('imports', () => {
  test('take the types of a file from a package, under the names it has there', async () => {
    const component = 'components: {schemas: {Country: {type: number}}}\n';
    const { ok, text, diagnostics } = await run(
      { ...two, 'people.yaml': description('people', 'common.yaml#/Address', component) },
      { imports: { './common.yaml': '@acme/common' } },
    );
    expect([ok, diagnostics.filter(({ severity }) => severity !== 'info')]).toEqual([true, []]);
    expect(text('shops/types.ts')).toContain(
      'import type { Address, AddressWrite, Country } from "@acme/common";\nexport type { Address, AddressWrite, Country };\n',
    );
    expect(text('people/types.ts')).toContain(
      'import type { Address, AddressWrite, Country as CountryFromCommon } from "@acme/common";',
    );
    expect(text('shops/types.ts')).not.toMatch(/interface Address|type Country =/);
    expect(text('shops/operations.ts')).toMatch(/import type \{[^}]*\bAddress\b[^}]*\} from ".\/types.js"/);
    expect(text('shops/validators.ts')).toContain('value is Address');
  });

  test('take the validators from a package where it has them, and what they find has its place', async () => {
    const text = { type: 'string', minLength: 1 };
    const node = { type: 'object', properties: { name: text, next: { $ref: '#/$defs/Node' } } };
    const common = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { Node: node, Code: { ...text, readOnly: true }, Twin: node },
    };
    const theirs = await generatedModules({ 'common.json': common }, { input: 'common.json', targets: ['validators'] });
    const to = (name: string) => ({ $ref: `common.json#/$defs/${name}` });
    const schemas = {
      Shop: {
        type: 'object',
        required: ['node'],
        properties: {
          node: to('Node'),
          nodes: { type: 'array', items: to('Node') },
          code: to('Code'),
          either: { anyOf: [to('Node'), { type: 'integer' }] },
        },
      },
      Node: { type: 'integer' },
      Same: node.properties.name,
    };
    const api = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {}, components: { schemas } };
    const place = `../${basename(theirs.folder)}`;
    const ours = await generatedModules(
      { 'api.json': api, 'common.json': common },
      {
        input: 'api.json',
        targets: ['validators'],
        imports: { 'common.json': { package: `${place}/types.js`, validators: `${place}/validators.js` } },
      },
    );
    const printed = ours.files.get('validators.ts') ?? '';
    expect(printed).toContain('isNode as isNodeFromCommon,');
    expect(printed).not.toMatch(/function (?:is|validate|assert)(?:NodeFromCommon|Code)/);
    const [own, other] = [await ours.load('validators.ts'), await theirs.load('validators.ts')];
    expect(own['isNodeFromCommon']).toBe(other['isNode']);
    const validate = own['validateShop'] as (value: unknown) => Validation<unknown>;
    expect(validate({ node: { next: { name: 'a' } }, nodes: [{}], code: 'x', either: 5 }).ok).toBe(true);
    const answer = validate({ node: { next: { name: '' } }, nodes: [{}, { name: 5 }], code: '' });
    expect(
      answer.ok ? [] : answer.issues.map(({ pointer, path, schemaPointer }) => [pointer, path, schemaPointer]),
    ).toEqual([
      ['/node/next/name', ['node', 'next', 'name'], 'common.json#/$defs/Node/properties/name/minLength'],
      ['/nodes/1/name', ['nodes', 1, 'name'], 'common.json#/$defs/Node/properties/name/type'],
      ['/code', ['code'], 'common.json#/$defs/Code/minLength'],
    ]);
  });

  test('are checked', () => {
    for (const imports of [
      { a: 5 },
      { a: {} },
      { a: { package: 'x', validators: 5 } },
      { a: { package: 'x', types: 'y' } },
    ])
      expect(checkOptions({ imports }).map(({ code }) => code)).toEqual(['config-invalid']);
    expect(checkOptions({ imports: { a: 'x', b: { package: 'x' }, c: { package: 'x', validators: true } } })).toEqual(
      [],
    );
  });

  test('a file that nothing refers to is a warning', async () => {
    const { ok, diagnostics } = await run(two, { imports: { 'other.yaml': '@acme/other' }, targets: ['types'] });
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([true, ['import-unused']]);
  });
});
