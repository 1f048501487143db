/** Several descriptions in one run: one runtime, the same names, and types that a package provides. */
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';

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

  test('a file that nothing refers to is a warning', async () => {
    const { ok, diagnostics } = await run(two, { imports: { 'other.yaml': '@acme/other' }, targets: ['types'] });
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([true, ['import-unused']]);
  });
});
