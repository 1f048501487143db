/** Derived schemas beside the descriptions that they come from, and before an independent judge. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generate, type Options } from '../../src/generate.js';
import type { JsonValue } from '../../src/ir/schema.js';
import { memoryHost } from '../../src/memory-host.js';
import { description } from '../support/api-of.js';
import { listFixtures } from '../support/fixtures.js';
import {
  type LoadedValidators,
  loadValidators,
  removeModules,
  validatorNames,
} from '../support/generated-validators.js';
import { repository } from '../support/paths.js';
import { valuesOf } from '../support/sample-values.js';

type JsonObject = Readonly<Record<string, JsonValue>>;
type Files = Readonly<Record<string, string>>;

async function run(files: Files, options: Options = {}) {
  const host = memoryHost(Object.fromEntries(Object.entries(files).map(([path, text]) => [`/project/${path}`, text])), {
    cwd: '/project',
  });
  const {
    ok,
    files: made,
    diagnostics,
  } = await generate({ input: Object.keys(files), refRoot: '.', ...options }, host);
  expect(ok, JSON.stringify(diagnostics)).toBe(true);
  return { files: new Map(made.map(({ path, text }) => [path as string, text])), diagnostics };
}

/** The derived schemas of a document, by file name. */
async function derive(files: Files): Promise<Files> {
  const { files: made } = await run(files, { targets: ['schemas'], schemas: { declarations: false } });
  return Object.fromEntries(made);
}

async function typesOf(
  files: Files,
  options: Options = {},
): Promise<{ readonly types: string; readonly drift: readonly string[] }> {
  const { files: made, diagnostics } = await run(files, { targets: ['types'], ...options });
  const drift = diagnostics.filter(({ code }) => code === 'derived-drift');
  return {
    types: made.get('types.ts') ?? '',
    drift: drift.map(({ message, at, related }) =>
      [message, at, ...(related ?? []).map((one) => one.at)]
        .map((part) => (typeof part === 'object' ? `${part.document}#${part.pointer}` : part))
        .join(' | '),
    ),
  };
}

const described = [
  'documents/gallery',
  'documents/kaption-mcp',
  'documents/rail-booking',
  'features/all-of/inline-merge',
  'features/access/read-only-write-only',
  'features/null/openapi-3.0',
  'features/objects/pattern-properties',
  'features/recursion/mutual',
  'features/schemas/closure',
  'features/unions/discriminator',
  'features/unions/one-of-any-of',
];
const fixtures = [...listFixtures('documents'), ...listFixtures('features')].filter(({ name }) =>
  described.includes(name),
);

test('the cases are there', () => {
  expect(fixtures.map(({ name }) => name).sort()).toEqual([...described].sort());
});

describe('beside its description, a derived schema is what it was derived from', () => {
  test.each(fixtures)('$name', async ({ folder, entry = '' }) => {
    const document = { [entry]: readFileSync(join(folder, entry), 'utf8') };
    const copies = await derive(document);
    expect(Object.keys(copies).length).toBeGreaterThan(0);
    expect(await typesOf({ ...document, ...copies })).toEqual({ ...(await typesOf(document)), drift: [] });
  });

  test('seed 000, which another tool derived', async () => {
    const folder = join(repository, 'fixtures/documents');
    const document = {
      'openapi/kaptionai-com-openapi.json': readFileSync(join(folder, 'kaption-mcp/openapi.json'), 'utf8'),
    };
    const seed = { 'sse.schema.json': readFileSync(join(folder, 'kaption-sse/sse-stream.schema.json'), 'utf8') };
    expect(await typesOf({ ...document, ...seed })).toEqual(await typesOf(document));
  });

  test('whatever the draft, with dynamic references that are certain', async () => {
    const Tree = {
      $id: 'https://x.example/tree',
      $dynamicAnchor: 'node',
      properties: { next: { $dynamicRef: '#node' } },
    };
    const document = {
      'api.json': JSON.stringify(
        description({
          Yes: true,
          No: false,
          Tree,
          Odd: { enum: [null, { b: 1, a: [2] }], default: 0, 'x-y': { z: 1 } },
        }),
      ),
    };
    const copies = await derive(document);
    expect(JSON.parse(copies['schemas/Tree.schema.json'] ?? '')).toMatchObject({ properties: { next: { $ref: '#' } } });
    expect((await typesOf({ ...document, ...copies })).drift).toEqual([]);
  });

  test('also where the files have moved, and others refer to the copy', async () => {
    const Pet = { type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } };
    const Owner = { type: 'string', maxLength: 5 };
    const copies = await derive({ 'spec/api.json': JSON.stringify(description({ Pet, Owner })) });
    const Shelter = {
      type: 'object',
      properties: {
        pet: { $ref: '../copies/Pet.schema.json' },
        owner: { $ref: '../copies/Pet.schema.json#/$defs/Owner' },
      },
    };
    const moved = {
      'new/spec/api.json': JSON.stringify(description({ Pet, Owner, Shelter })),
      'new/copies/Pet.schema.json': copies['schemas/Pet.schema.json'] ?? '',
    };
    const { types, drift } = await typesOf(moved);
    expect(drift).toEqual([]);
    expect([...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)).toEqual([
      'Owner',
      'Pet',
      'Shelter',
    ]);
    expect(types).toContain('pet?: Pet');
    expect(types).toContain('owner?: Owner');
  });

  describe('where only references lead to it', () => {
    const Owner = { type: 'object', properties: { name: { type: 'string' } } };
    const Pet = { type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } };
    const Shelter = { type: 'object', properties: { pet: { $ref: 'Pet.schema.json' } } };
    const copyOf = async (schemas: JsonObject): Promise<Files> => ({
      'Pet.schema.json':
        (await derive({ 'api.json': JSON.stringify(description(schemas)) }))['schemas/Pet.schema.json'] ?? '',
    });
    const namesIn = (types: string): readonly (string | undefined)[] =>
      [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    const input = ['api.json'];

    test('it is its source', async () => {
      const api = { 'api.json': JSON.stringify(description({ Pet, Owner, Shelter })) };
      const { types, drift } = await typesOf({ ...api, ...(await copyOf({ Pet, Owner })) }, { input });
      expect(drift).toEqual([]);
      expect(namesIn(types)).toEqual(['Owner', 'Pet', 'Shelter']);
      expect(types).toContain('pet?: Pet');
    });

    test('drift is said', async () => {
      const changed = { ...Owner, required: ['name'] };
      const api = { 'api.json': JSON.stringify(description({ Pet, Owner: changed, Shelter })) };
      const { types, drift } = await typesOf({ ...api, ...(await copyOf({ Pet, Owner })) }, { input });
      expect(drift).toEqual([
        '"required" is missing: the source has it | Pet.schema.json#/$defs/Owner | api.json#/components/schemas/Owner',
      ]);
      expect(namesIn(types)).toEqual(['Owner', 'Pet', 'Shelter']);
    });

    test('a source that has become a reference to its copy is that copy', async () => {
      const api = {
        'api.json': JSON.stringify(
          description({
            Pet: { $ref: '#/components/schemas/Animal' },
            Animal: { $ref: 'Pet.schema.json' },
            Owner: { $ref: 'Pet.schema.json#/$defs/Owner' },
            Shelter,
          }),
        ),
      };
      const { types, drift } = await typesOf({ ...api, ...(await copyOf({ Pet, Owner })) }, { input });
      expect(drift).toEqual([]);
      expect(types.match(/owner\?: Owner/g)).toHaveLength(1);
      expect(types.match(/name\?: string/g)).toHaveLength(1);
    });
  });

  test('and a schema of its own where its description is no entry', async () => {
    const copies = await derive({ 'api.json': JSON.stringify(description({ Pet: { type: 'object' } })) });
    const other = { 'other.json': JSON.stringify(description({ Cat: { type: 'object' } })), ...copies };
    const { types, drift } = await typesOf(other);
    expect(drift).toEqual([]);
    expect(types).toContain('export interface Cat');
    expect(types).toContain('export interface Pet');
  });
});

describe('drift is said with both places', () => {
  const Owner = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 5 } } };
  const Pet = { description: 'A pet.', type: 'object', properties: { owner: { $ref: '#/components/schemas/Owner' } } };
  const driftOf = async (schemas: object): Promise<readonly string[]> => {
    const copies = await derive({ 'api.json': JSON.stringify(description({ Pet, Owner })) });
    const changed = JSON.stringify(description({ ...schemas }));
    const { types, drift } = await typesOf({
      'api.json': changed,
      'Pet.schema.json': copies['schemas/Pet.schema.json'] ?? '',
    });
    expect(types.match(/^export (?:interface|type) Pet\b/gm) ?? []).toHaveLength(1);
    return drift;
  };

  test('an assertion, deep below', async () => {
    const changed = { ...Owner, properties: { name: { type: 'string', maxLength: 7 } } };
    expect(await driftOf({ Pet, Owner: changed })).toEqual([
      '"maxLength" is 5, and 7 in the source | Pet.schema.json#/$defs/Owner/properties/name | ' +
        'api.json#/components/schemas/Owner/properties/name',
    ]);
  });

  test('members that came, went or are described otherwise', async () => {
    const changed = { ...Pet, description: 'Any pet.', properties: { toy: { type: 'string' } } };
    const places = 'Pet.schema.json# | api.json#/components/schemas/Pet';
    expect(await driftOf({ Pet: changed, Owner })).toEqual([
      `"description" is "A pet.", and "Any pet." in the source | ${places}`,
      `"properties/owner" is not in the source any more | ${places}`,
      `"properties/toy" is missing: the source has it | ${places}`,
    ]);
  });

  test('a source that is gone', async () => {
    expect(await driftOf({ Owner })).toEqual([
      '"api.json#/components/schemas/Pet" is not there any more, which this schema was derived from | Pet.schema.json# | api.json#',
    ]);
  });

  test('in time, where circles of different lengths meet', async () => {
    const circle = (length: number, ref: (index: number) => string): Record<string, object> =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [`A${index}`, { items: { $ref: ref((index + 1) % length) } }]),
      );
    const copy = {
      ...circle(1, () => '#/$defs/A0')['A0'],
      'x-method': 'derived',
      'x-source': 'api.json#/components/schemas/A0',
      $defs: circle(1009, (index) => `#/$defs/A${index}`),
    };
    const api = description(circle(1013, (index) => `#/components/schemas/A${index}`));
    const { drift } = await typesOf({ 'api.json': JSON.stringify(api), 'A0.schema.json': JSON.stringify(copy) });
    expect(drift).toEqual([]);
  });

  test('not where "contains" of 2019-09 stands aside', async () => {
    const list = (type: string) => ({
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      type: 'array',
      contains: { type },
      minContains: 2,
      unevaluatedItems: { type: ['integer', 'string'] },
    });
    const apiOf = (type: string) => ({ 'api.json': JSON.stringify(description({ List: list(type) })) });
    const { files } = await run(apiOf('integer'), { targets: ['schemas'], schemas: { declarations: false } });
    const copy = { 'List.schema.json': files.get('schemas/List.schema.json') ?? '' };
    expect(JSON.parse(copy['List.schema.json'])).toMatchObject({ allOf: [{ not: { not: { minContains: 2 } } }] });
    expect((await typesOf({ ...apiOf('integer'), ...copy })).drift).toEqual([]);
    expect((await typesOf({ ...apiOf('string'), ...copy })).drift).toEqual([
      '"type" is ["integer"], and ["string"] in the source | List.schema.json#/allOf/0/not/not/contains | api.json#/components/schemas/List/contains',
    ]);
  });

  test('through circles and long chains', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `A${index}`,
        { items: { $ref: `#/components/schemas/A${(index + 1) % 300}` } },
      ]),
    );
    const api = { 'api.json': JSON.stringify(description(schemas)) };
    const { files } = await run(api, { targets: ['schemas'], schemas: { declarations: false } });
    const copy = { 'A0.schema.json': files.get('schemas/A0.schema.json') ?? '' };
    expect((await typesOf({ ...api, ...copy })).drift).toEqual([]);
    const changed = JSON.stringify(description({ ...schemas, A200: { items: true } }));
    expect((await typesOf({ 'api.json': changed, ...copy })).drift).toEqual([
      '"items" is an object, and true in the source | A0.schema.json#/$defs/A200/items | api.json#/components/schemas/A200/items',
    ]);
  });
});

describe('an independent judge accepts the same values', () => {
  afterAll(removeModules);

  test.each(fixtures)('$name', async ({ folder, entry = '' }) => {
    const document = parse(readFileSync(join(folder, entry), 'utf8')) as JsonObject;
    const original = await loadValidators({ documents: { [entry]: document } });
    const copies = await derive({ [entry]: JSON.stringify(document) });
    const judgeOriginal = judgesOf(document);
    const outcomes = new Set<unknown>();
    for (const text of Object.values(copies)) {
      const derived = JSON.parse(text) as JsonObject;
      const judge = new Ajv2020(judging).compile(derived);
      const address = String(derived['x-source']);
      const expectations = [judgeOriginal?.(address), guardOf(original, address, text)].filter(
        (one) => one !== undefined,
      );
      expect(expectations.length).toBeGreaterThan(0);
      for (const value of await valuesOf(derived, 100, 11)) {
        const judged: unknown = judge(value);
        outcomes.add(judged);
        for (const accepts of expectations) expect(accepts(value), `${address} ${JSON.stringify(value)}`).toBe(judged);
      }
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });

  // Ajv takes 8.04 for no multiple of 0.01 unless it is told to round.
  const judging = { strict: false, validateFormats: false, validateSchema: false, multipleOfPrecision: 9 } as const;

  type Judge = (value: JsonValue) => unknown;

  /** Ajv over the description itself, where its schemas are those of the newest draft. */
  function judgesOf(document: JsonObject): ((address: string) => Judge) | undefined {
    const version = String(document['openapi'] ?? document['$schema'] ?? '');
    if (!/^3\.[12]|2020-12/.test(version)) return undefined;
    const ajv = new Ajv2020(judging).addSchema({ ...document, $id: 'https://judge.example/api' });
    return (address) =>
      ajv.compile({ $ref: `https://judge.example/api${encodeURI(address.slice(address.indexOf('#')))}` });
  }

  /** Our own validator; in one direction only, members of the other one need not be there. */
  function guardOf({ result, module }: LoadedValidators, address: string, derived: string): Judge | undefined {
    if (/"(?:read|write)Only": true/.test(derived)) return undefined;
    const guard = module[validatorNames(result, address, 'read').forms?.is ?? ''];
    if (typeof guard !== 'function') throw new Error(`no validator of ${address}`);
    return (value) => guard(value) as unknown;
  }
});
