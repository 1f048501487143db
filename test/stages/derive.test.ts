/** Derived JSON Schemas: seed 000 key for key, the same values as the originals, declarations that compile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runDerive } from '../../src/commands.js';
import { generate, type Options } from '../../src/generate.js';
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { memoryHost } from '../../src/memory-host.js';
import { fileStem, librarySpelling, Respelling } from '../../src/plan/respelling.js';
import { printDeclaration } from '../../src/render/declarations.js';
import { description } from '../support/api-of.js';
import { runCommand } from '../support/command-line.js';
import { listFixtures, runFixture } from '../support/fixtures.js';
import {
  type LoadedValidators,
  loadValidators,
  removeModules,
  validatorNames,
} from '../support/generated-validators.js';
import { repository } from '../support/paths.js';
import { valuesOf } from '../support/sample-values.js';
import { faultLines, typecheck } from '../support/typecheck.js';

type JsonObject = Readonly<Record<string, JsonValue>>;

const documents = join(repository, 'fixtures/documents');
const seedText = readFileSync(join(documents, 'kaption-sse/sse-stream.schema.json'), 'utf8');
const seed = JSON.parse(seedText) as JsonObject;
const seedOptions: Options['schemas'] = {
  baseUri: 'https://artifacts.apis.io/kaptionai-com/json-schema/kaptionai-com-{kebab-name}-schema.json',
  date: String(seed['x-generated']),
  declarations: false,
};

/** The files that come out of one document, by path. */
async function filesOf(document: object | string, schemas: Options['schemas'] = {}, entry = 'api.json') {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const host = memoryHost({ [`/project/${entry}`]: text }, { cwd: '/project' });
  const { files, diagnostics, ok } = await generate(
    { input: entry, refRoot: '.', targets: ['schemas'], schemas },
    host,
  );
  return { ok, diagnostics, files: new Map(files.map(({ path, text: content }) => [path as string, content])) };
}

async function schemasOf(document: object, schemas: Options['schemas'] = {}): Promise<Record<string, JsonObject>> {
  const { files, diagnostics } = await filesOf(document, { declarations: false, ...schemas });
  if (files.size === 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return Object.fromEntries(
    [...files].map(([path, text]) => [path.replace(/^schemas\/|\.schema\.json$/g, ''), JSON.parse(text) as JsonObject]),
  );
}

describe('seed 000', () => {
  const expected = JSON.stringify({ ...seed, 'x-generator': 'oasmith' }, null, 2);

  test('comes out of the description of our own, key for key', async () => {
    const text = readFileSync(join(documents, 'kaption-mcp/openapi.json'), 'utf8');
    const { files } = await filesOf(text, seedOptions, 'openapi/kaptionai-com-openapi.json');
    expect(files.get('schemas/SseStream.schema.json')).toBe(`${expected}\n`);
  });

  test('derived again is itself', async () => {
    const { files } = await filesOf(seedText, seedOptions, 'sse-stream.schema.json');
    expect(files.get('schemas/SseStream.schema.json')).toBe(`${expected}\n`);
  });

  test('has neither date nor $id where nobody gives them', async () => {
    const { files } = await filesOf(seedText, { declarations: false }, 'sse-stream.schema.json');
    const { 'x-generated': _, $id, ...rest } = seed;
    expect($id).toBeTypeOf('string');
    expect(JSON.parse(files.get('schemas/SseStream.schema.json') ?? '')).toEqual({ ...rest, 'x-generator': 'oasmith' });
  });
});

describe('a derived schema', () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

  test('leads to itself by "#", and to others by their names', async () => {
    const Node = { type: 'object', properties: { next: ref('Node'), leaf: ref('le-af') } };
    const { Node: node, LeAf: leaf } = await schemasOf(description({ Node, 'le-af': { anyOf: [ref('Node'), true] } }));
    expect(node?.['properties']).toEqual({ next: { $ref: '#' }, leaf: { $ref: '#/$defs/LeAf' } });
    expect(node?.['$defs']).toEqual({ LeAf: { anyOf: [{ $ref: '#' }, true] } });
    expect(leaf?.['$defs']).toMatchObject({ Node: { properties: { leaf: { $ref: '#' } } } });
  });

  test('says the newest draft, whatever the document says', async () => {
    const T = {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        text: { type: 'string', nullable: true, example: 'x' },
        any: { nullable: true, enum: ['a'] },
      },
    };
    const { T: derived } = await schemasOf(description({ T }, {}, '3.0.3'));
    expect(derived?.['properties']).toEqual({
      count: { type: 'integer', exclusiveMinimum: 0 },
      text: { type: ['string', 'null'], examples: ['x'] },
      any: { anyOf: [{ enum: ['a'] }, { type: 'null' }] },
    });
  });

  test('keeps what the target does not compile', async () => {
    const T = {
      allOf: [{ type: 'object' }],
      contains: { const: 1 },
      minContains: 0,
      maxContains: 2,
      unevaluatedProperties: ref('U'),
      unevaluatedItems: false,
      dependentSchemas: { a: { required: ['b'] } },
      'x-note': [1],
      readOnly: true,
    };
    const { T: derived } = await schemasOf(description({ T, U: { type: 'string' } }));
    expect(derived).toMatchObject({
      ...T,
      unevaluatedProperties: { $ref: '#/$defs/U' },
      $defs: { U: { type: 'string' } },
    });
  });

  test('names the branches of a discriminator whose spelling changes', async () => {
    const branch = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
    const discriminator = { propertyName: 'kind', mapping: { old: '#/components/schemas/Bird' } };
    const Pet = { oneOf: [ref('small-cat'), ref('Dog'), ref('Bird')], discriminator };
    const Dog = { allOf: [branch, { properties: { friend: ref('Pet') } }] };
    const schemas = await schemasOf(description({ Pet, Dog, 'small-cat': branch, Bird: branch }));
    const mapping = { old: '#/$defs/Bird', 'small-cat': '#/$defs/SmallCat' };
    expect(schemas['Pet']?.['discriminator']).toEqual({ propertyName: 'kind', mapping });
    const definitions = schemas['Dog']?.['$defs'] as Record<string, JsonObject>;
    expect(definitions['Pet']?.['discriminator']).toEqual({ propertyName: 'kind', mapping: { ...mapping, Dog: '#' } });
  });

  test('is refused where all together are too large', async () => {
    const chain = Array.from({ length: 4000 }, (_, index) => [`A${index}`, { items: ref(`A${index + 1}`) }]);
    const document = description({ ...Object.fromEntries(chain), A4000: { pattern: 'x'.repeat(100_000) } });
    const { ok, diagnostics } = await filesOf(document, { declarations: false });
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([false, ['derived-too-large']]);
  });

  test('gets its $id from a base', async () => {
    const { HTTPReply } = await schemasOf(description({ HTTPReply: {} }), { baseUri: 'https://example.com/s' });
    expect(HTTPReply?.['$id']).toBe('https://example.com/s/HTTPReply.schema.json');
    const { HTTPReply: named } = await schemasOf(description({ HTTPReply: {} }), {
      baseUri: 'urn:x:{kebab-name}:{name}',
    });
    expect(named?.['$id']).toBe('urn:x:http-reply:HTTPReply');
  });
});

describe('other spellings of names', () => {
  const names = ['Größe', 'Grosse', 'Con', 'Pet', 'PET', '用户', 'Retirement401k', 'my_pet', '_9lives'];
  const respelt = (spell: (name: string) => string): string[] => {
    const respelling = new Respelling(names, spell);
    return names.map((name) => respelling.of(name));
  };

  test('file names are ASCII, no devices, and differ by more than case', () => {
    const same = ['Retirement401k', 'my_pet', '_9lives'];
    expect(respelt(fileStem)).toEqual(['Grosse', 'Grosse_2', 'Con_', 'Pet', 'PET_2', 'U7528U6237', ...same]);
  });

  test('json-schema-to-typescript leaves its names as they are', async () => {
    const library = respelt(librarySpelling);
    expect(library.slice(-3)).toEqual(['Retirement401K', 'MyPet', '_9Lives']);
    for (const name of library)
      expect(await printDeclaration(name, { tsType: 'unknown' })).toContain(`export type ${name} = unknown`);
  });
});

const chosen = [
  'documents/kaption-mcp',
  'features/json-schema/draft-07',
  'features/null/openapi-3.0',
  'features/objects/pattern-properties',
  'features/recursion/mutual',
  'features/schemas/closure',
  'features/unions/discriminator',
  'features/unions/one-of-any-of',
  'features/access/read-only-write-only',
];
const fixtures = [...listFixtures('documents'), ...listFixtures('features')].filter(({ name }) =>
  chosen.includes(name),
);

describe('derived schemas accept the same values as the originals', () => {
  afterAll(removeModules);

  test('the cases are there', () => {
    expect(fixtures.map(({ name }) => name).sort()).toEqual([...chosen].sort());
  });

  function check(
    { result, module }: LoadedValidators,
    address: string,
    direction: 'read' | 'write',
    value: unknown,
  ): unknown {
    const is = validatorNames(result, address, direction).forms?.is ?? '';
    const guard = module[is];
    if (typeof guard !== 'function') throw new Error(`no function ${is}`);
    return guard(value);
  }

  test.each(fixtures)('$name', async ({ folder, entry = '' }) => {
    const document = parse(readFileSync(join(folder, entry), 'utf8')) as JsonObject;
    const original = await loadValidators({ documents: { [entry]: document } });
    const [first] = original.result.apis;
    const { files } = await filesOf(JSON.stringify(document), { declarations: false }, entry);
    const outcomes = new Set<unknown>();
    for (const text of files.values()) {
      const derived = JSON.parse(text) as JsonObject;
      const copy = await loadValidators({ documents: { 'derived.schema.json': derived } });
      const source = String(derived['x-source']);
      const address = [...(first?.api.schemas.keys() ?? [])].find((id) => source.endsWith(id)) ?? ('' as SchemaId);
      for (const value of await valuesOf(derived, 120, 7)) {
        for (const direction of ['read', 'write'] as const) {
          const expected = check(original, address, direction, value);
          outcomes.add(expected);
          expect(check(copy, 'derived.schema.json#', direction, value), `${source} ${JSON.stringify(value)}`).toBe(
            expected,
          );
        }
      }
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

describe('declarations', () => {
  const root = join(repository, 'node_modules/.oasmith-declarations');

  test.each(fixtures)('of $name compile', async (fixture) => {
    const text = readFileSync(join(fixture.folder, fixture.entry ?? ''), 'utf8');
    const { files } = await filesOf(text, {}, fixture.entry);
    // As modules, because the compiler is told to skip declaration files.
    const modules = [...files].filter(([path]) => path.endsWith('.d.ts'));
    expect(modules.length).toBeGreaterThan(0);
    const sources = new Map(modules.map(([path, module]) => [join(root, path.replace('.d.ts', '.ts')), module]));
    sources.set(join(root, 'schemas/package.json'), '{ "type": "module" }');
    expect(faultLines(typecheck(sources), root)).toBe('');
  });

  test('hold declarations only, whatever the document says', async () => {
    const fixture = listFixtures('features').find(({ name }) => name === 'features/schemas/odd-names');
    const { result } = await runFixture(fixture ?? { name: '', folder: '', entry: '', diagnostics: '' });
    const modules = (result?.files ?? []).filter(({ path }) => path.endsWith('.d.ts'));
    expect(modules).toHaveLength(8);
    for (const { path, text } of modules) {
      const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
      const kinds = new Set(statements.map(({ kind }) => kind));
      kinds.delete(ts.SyntaxKind.InterfaceDeclaration);
      kinds.delete(ts.SyntaxKind.TypeAliasDeclaration);
      expect([...kinds], path).toEqual([]);
      expect(text).not.toMatch(/[\u202e\u2028]/);
    }
  });

  test('do not multiply tuples and bounds', async () => {
    const nest = (wrap: (inner: object) => object): object => {
      let schema: object = { type: 'string' };
      for (let depth = 0; depth < 150; depth++) schema = wrap(schema);
      return schema;
    };
    const { files } = await filesOf(
      description({
        Bounds: nest((items) => ({ type: 'array', minItems: 20, items })),
        Tuples: nest((item) => ({ type: 'array', prefixItems: [item, { type: 'string' }] })),
        Long: { type: 'array', minItems: 1e9, items: {} },
        Pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2, items: false },
      }),
    );
    for (const name of ['Bounds', 'Tuples']) expect(files.get(`schemas/${name}.d.ts`)?.length).toBeLessThan(2000);
    expect(files.get('schemas/Long.d.ts')).toContain('export type Long = unknown[]');
    expect(files.get('schemas/Pair.d.ts')).toContain('export type Pair = [string, number]');
  });

  test('follow long chains of references', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`A${index}`, { $ref: `#/components/schemas/A${index + 1}` }]),
    );
    const options = { declarations: true };
    const { ok, files } = await filesOf(description({ ...chain, A500: { type: 'string' } }), options);
    expect(ok).toBe(true);
    expect(files.get('schemas/A0.d.ts')).toContain('export type A499 = A500');
  }, 30_000);
});

describe('oasmith derive', () => {
  const document = JSON.stringify(description({ Pet: { type: 'object' }, Toy: { type: 'string' } }));

  test('writes JSON Schemas into a folder of its own, and checks it', async () => {
    const host = memoryHost({ '/project/api.json': document }, { cwd: '/project' });
    const derive = (check: boolean, options: Options = {}) =>
      runCommand((given) => runDerive(given, check), host, { input: 'api.json', ...options });
    expect((await derive(true)).exit).toBe(1);
    expect((await derive(false)).exit).toBe(0);
    expect([...host.files.keys()].sort()).toEqual([
      '/project/api.json',
      '/project/schemas/Pet.schema.json',
      '/project/schemas/Toy.schema.json',
      '/project/schemas/oasmith.json',
    ]);
    expect((await derive(true)).exit).toBe(0);
    expect((await derive(false, { output: 'other', schemas: { declarations: true, date: '2000-01-01' } })).exit).toBe(
      0,
    );
    expect(host.files.has('/project/other/Pet.d.ts')).toBe(true);
    expect(new TextDecoder().decode(host.files.get('/project/other/Toy.schema.json'))).toContain(
      '"x-generated": "2000-01-01"',
    );
  });

  test('leaves the output of a configuration alone, and takes the rest of it', async () => {
    const config = { input: 'api.json', output: 'src/api', schemas: { baseUri: 'https://example.com/' } };
    const host = memoryHost(
      { '/project/api.json': document, '/project/oasmith.config.json': JSON.stringify(config) },
      { cwd: '/project' },
    );
    expect((await runCommand((given) => runDerive(given, false), host, { schemas: { date: '2000-01-01' } })).exit).toBe(
      0,
    );
    const text = new TextDecoder().decode(host.files.get('/project/schemas/Pet.schema.json'));
    expect(JSON.parse(text)).toMatchObject({ $id: 'https://example.com/Pet.schema.json', 'x-generated': '2000-01-01' });
    expect([...host.files.keys()].some((path) => path.startsWith('/project/src'))).toBe(false);
  });

  test.each([[{ baseUri: 'not absolute' }], [{ date: 'yesterday' }]])('refuses %j', async (schemas) => {
    const host = memoryHost({ '/project/api.json': document }, { cwd: '/project' });
    const { exit, out } = await runCommand((given) => runDerive(given, false), host, { input: 'api.json', schemas });
    expect([exit, out.stderr.includes('error[config-invalid]')]).toEqual([2, true]);
  });
});
