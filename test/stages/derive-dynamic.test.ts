/** Derived schemas whose sources refer dynamically: what a reference means depends on the way, and each way is a definition. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { generate, type Options } from '../../src/generate.js';
import type { JsonValue } from '../../src/ir/schema.js';
import { memoryHost } from '../../src/memory-host.js';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules, validatorNames } from '../support/generated-validators.js';
import { repository } from '../support/paths.js';
import { valuesOf } from '../support/sample-values.js';
import { typecheck } from '../support/typecheck.js';

type JsonObject = Readonly<Record<string, JsonValue>>;
type Files = Readonly<Record<string, object>>;

afterAll(removeModules);

const base = 'https://x.example/';

/** Trees that are extended twice, each time with an anchor of its own, and lists whose items are said by who uses them. */
const trees = {
  Tree: {
    $id: `${base}tree`,
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { data: { type: 'string' }, children: { type: 'array', items: { $dynamicRef: '#node' } } },
  },
  NamedTree: {
    $id: `${base}named`,
    $dynamicAnchor: 'node',
    $ref: 'tree',
    required: ['name'],
    properties: { name: { type: 'string' } },
  },
  StrictTree: { $id: `${base}strict`, $dynamicAnchor: 'node', $ref: 'named', unevaluatedProperties: false },
  List: {
    $id: `${base}list`,
    type: 'object',
    required: ['item'],
    properties: { item: { $dynamicRef: '#item' }, rest: { $ref: 'list' } },
    $defs: { any: { $dynamicAnchor: 'item', type: ['string', 'number'] } },
  },
  Numbers: { $id: `${base}numbers`, $ref: 'list', $defs: { any: { $dynamicAnchor: 'item', type: 'number' } } },
  StrictTrees: { $id: `${base}trees`, $ref: 'list', $defs: { any: { $dynamicAnchor: 'item', $ref: 'strict' } } },
  Garden: {
    type: 'object',
    properties: {
      any: { $ref: '#/components/schemas/Tree' },
      named: { $ref: '#/components/schemas/NamedTree' },
      strict: { $ref: '#/components/schemas/StrictTrees' },
      numbers: { $ref: '#/components/schemas/Numbers' },
      list: { $ref: '#/components/schemas/List' },
      inline: { $id: `${base}inline`, $dynamicAnchor: 'node', $ref: 'tree', maxProperties: 1 },
    },
  },
  Both: { $id: `${base}both`, $ref: 'named', $dynamicRef: `${base}tree#node`, allOf: [{ minProperties: 1 }] },
};

/** The same in the words of 2019-09, where all such references are of one name. */
const recursive = {
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  $defs: {
    Tree: {
      $id: `${base}old/tree`,
      $recursiveAnchor: true,
      type: 'object',
      properties: {
        data: true,
        children: { type: 'array', contains: { required: ['data'] }, items: { $recursiveRef: '#' } },
      },
    },
    Strict: { $id: `${base}old/strict`, $recursiveAnchor: true, $ref: 'tree', unevaluatedProperties: false },
    Stricter: { $id: `${base}old/stricter`, $recursiveAnchor: true, $ref: 'strict', required: ['data'] },
  },
};

async function run(files: Files, options: Options = {}) {
  const texts = Object.entries(files).map(([path, value]) => [`/project/${path}`, JSON.stringify(value)]);
  const host = memoryHost(Object.fromEntries(texts), { cwd: '/project' });
  return await generate({ input: Object.keys(files), refRoot: '.', targets: ['schemas'], ...options }, host);
}

async function derive(files: Files): Promise<Readonly<Record<string, JsonObject>>> {
  const { files: made, diagnostics } = await run(files, { schemas: { declarations: false } });
  expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  const named = made.map(({ path, text }) => [/(\w+)\.schema\.json$/.exec(path)?.[1] ?? '', JSON.parse(text)] as const);
  return Object.fromEntries(named);
}

const documents: Readonly<Record<string, object>> = {
  'openapi.json': description(trees),
  'old.schema.json': recursive,
};

describe.each(Object.entries(documents))('%s', (entry, document) => {
  test('has derived schemas that say what its components say', { timeout: 60_000 }, async () => {
    const original = await loadValidators({ documents: { [entry]: document } });
    const derived = Object.values(await derive({ [entry]: document }));
    expect(derived.length).toBeGreaterThan(2);
    const outcomes = new Set<boolean>();
    for (const schema of derived) {
      const address = String(schema['x-source']);
      const copy = await loadValidators({ documents: { 'derived.schema.json': schema } });
      const guards = [
        original.module[validatorNames(original.result, address).forms?.is ?? ''],
        copy.module[validatorNames(copy.result, 'derived.schema.json#').forms?.is ?? ''],
        new Ajv2020({ strict: false, validateFormats: false }).compile(schema),
      ] as readonly ((value: unknown) => boolean)[];
      for (const value of await valuesOf(schema, 300, 3)) {
        const said = guards.map((guard) => guard(value));
        expect(said, `${address} ${JSON.stringify(value)}`).toEqual(said.map(() => said[0]));
        outcomes.add(said[0] === true);
      }
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });

  test('is in step with them', async () => {
    const copies = await derive({ [entry]: document });
    const files = Object.fromEntries(
      Object.entries(copies).map(([name, copy]) => [`copies/${name}.schema.json`, copy]),
    );
    const { diagnostics } = await run({ [entry]: document, ...files });
    expect(diagnostics.filter(({ code }) => code === 'derived-drift')).toEqual([]);
  });
});

describe('what a way leads to', () => {
  test('is a definition named by who led there, and by its own name where that makes no difference', async () => {
    const { StrictTree, StrictTrees, Garden, Tree } = await derive({ 'api.json': description(trees) });
    expect(StrictTree).toMatchObject({ $ref: '#/$defs/NamedTreeWithStrictTree', unevaluatedProperties: false });
    expect(StrictTree?.['$defs']).toEqual({
      NamedTreeWithStrictTree: {
        $ref: '#/$defs/TreeWithStrictTree',
        required: ['name'],
        properties: { name: { type: 'string' } },
      },
      TreeWithStrictTree: {
        type: 'object',
        properties: { data: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      },
    });
    expect(Tree?.['properties']).toMatchObject({ children: { items: { $ref: '#' } } });
    expect(Object.keys(StrictTrees?.['$defs'] ?? {})).toEqual([
      'ListWithStrictTreesAny',
      'NamedTreeWithStrictTree',
      'StrictTree',
      'StrictTreesAny',
      'TreeWithStrictTree',
    ]);
    expect(Garden?.['properties']).toMatchObject({
      any: { $ref: '#/$defs/Tree' },
      named: { $ref: '#/$defs/NamedTree' },
    });
  });

  test('yields to a component of that name', async () => {
    const { StrictTree } = await derive({
      'api.json': description({ ...trees, TreeWithStrictTree: { type: 'string' } }),
    });
    expect(Object.keys(StrictTree?.['$defs'] ?? {})).toEqual(['NamedTreeWithStrictTree', 'TreeWithStrictTree2']);
  });

  test('has declarations', async () => {
    const { files } = await run({ 'api.json': description(trees) });
    const sources = new Map(
      files
        .filter(({ path }) => path.endsWith('.d.ts'))
        .map(({ path, text }) => [
          join(repository, 'node_modules/.oasmith-dynamic', path.replace('.d.ts', '.ts')),
          text,
        ]),
    );
    expect([...sources.values()].join('')).toContain('export interface TreeWithStrictTree');
    expect(typecheck(sources)).toEqual([]);
  }, 60_000);

  test('is in Standard JSON Schema, too', async () => {
    const { module } = await loadValidators({
      documents: { 'api.json': description(trees) },
      standardJsonSchema: true,
    });
    const standard = (module['StrictTreeSchema'] as { '~standard': { jsonSchema: { input(of: object): object } } })[
      '~standard'
    ];
    const judge = new Ajv2020({ strict: false }).compile(standard.jsonSchema.input({ target: 'draft-2020-12' }));
    const leaf = { name: 'leaf' };
    expect(judge({ name: 'root', children: [leaf] })).toBe(true);
    expect(judge({ name: 'root', children: [{ ...leaf, odd: 1 }] })).toBe(false);
    expect(judge({ name: 'root', children: [{ data: 'no name' }] })).toBe(false);
  });

  test('is refused where there are too many', async () => {
    const path = join(repository, 'fixtures/invalid/dynamic-too-many/openapi.yaml');
    const host = memoryHost({ '/project/api.yaml': readFileSync(path, 'utf8') }, { cwd: '/project' });
    const options = { targets: ['schemas' as const], schemas: { declarations: false } };
    const { ok, diagnostics } = await generate({ input: 'api.yaml', ...options }, host);
    expect([ok, diagnostics.map(({ code }) => code)]).toEqual([false, ['dynamic-too-many']]);
  }, 60_000);
});

describe('drift', () => {
  const driftOf = async (copy: object, schemas: object = trees): Promise<readonly string[]> => {
    const { diagnostics } = await run({ 'api.json': description({ ...schemas }), 'copy.schema.json': copy });
    return diagnostics.filter(({ code }) => code === 'derived-drift').map(({ message }) => message);
  };

  test('is none where another tool keeps the references as they are', async () => {
    const copy = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      'x-method': 'derived',
      'x-source': 'api.json#/components/schemas/StrictTree',
      $dynamicAnchor: 'node',
      $ref: 'named',
      $id: 'https://y.example/strict',
      unevaluatedProperties: false,
      $defs: {
        Named: { ...trees.NamedTree, $id: 'named' },
        Tree: { ...trees.Tree, $id: 'tree' },
      },
    };
    expect(await driftOf(copy)).toEqual([]);
    const changed = { ...copy, $defs: { ...copy.$defs, Tree: { ...copy.$defs.Tree, maxProperties: 3 } } };
    expect(await driftOf(changed)).toEqual(['"maxProperties" is not in the source any more']);
  });

  test('is told where a reference means something else by now', async () => {
    const { StrictTree } = await derive({ 'api.json': description(trees) });
    const { $dynamicAnchor: _, ...loose } = trees.StrictTree;
    expect(await driftOf(StrictTree ?? {}, { ...trees, StrictTree: loose })).toContainEqual(
      expect.stringContaining('unevaluatedProperties'),
    );
  });
});

test('a component that only names a file is no definition that refers to itself', async () => {
  const api = description({
    Pet: { $ref: './pet.json' },
    Owner: { type: 'object', properties: { pet: { $ref: '#/components/schemas/Pet' } } },
  });
  const pet = { type: 'object', properties: { friend: { $ref: './pet.json' } } };
  const host = memoryHost(
    { '/project/api.json': JSON.stringify(api), '/project/pet.json': JSON.stringify(pet) },
    { cwd: '/project' },
  );
  const { files } = await generate({ input: 'api.json', targets: ['schemas'], schemas: { declarations: false } }, host);
  const owner = JSON.parse(files.find(({ path }) => path.endsWith('Owner.schema.json'))?.text ?? '') as JsonObject;
  expect(owner['$defs']).toEqual({ Pet: { type: 'object', properties: { friend: { $ref: '#/$defs/Pet' } } } });
});
