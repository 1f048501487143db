/** What generated validators do beyond yes and no: issues, directions, formats, depth, Standard Schema, names. */
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import type { StandardSchema } from '../../src/runtime/standard-schema.js';
import { isValidationError } from '../../src/runtime/validation.js';
import { description } from '../support/api-of.js';
import { generateValidators, loadValidators, removeModules, temporaryFolder } from '../support/generated-validators.js';

afterAll(removeModules);

const string = { type: 'string' };
const integer = { type: 'integer' };

async function load(schemas: Readonly<Record<string, unknown>>, options = {}) {
  return loadValidators({ documents: { 'api.json': description(schemas) }, ...options });
}

const messages = async (schema: object, value: unknown): Promise<readonly string[]> =>
  (await load({ Case: schema })).issues('Case', value).map((issue) => `${issue.pointer} ${issue.message}`);

describe('what is left over', () => {
  const address = { type: 'object', required: ['street'], properties: { street: string, city: string } };
  const closed = {
    allOf: [{ $ref: '#/components/schemas/Address' }],
    properties: { name: string },
    unevaluatedProperties: false,
  };

  test('is refused by name, and only where nothing else is wrong', async () => {
    const validators = await load({ Address: address, Closed: closed });
    expect(validators.issues('Closed', { street: 'a', name: 'b', town: 'c' })).toMatchObject([
      {
        pointer: '/town',
        keyword: 'unevaluatedProperties',
        schemaPointer: 'api.json#/components/schemas/Closed/unevaluatedProperties',
      },
    ]);
    expect(validators.issues('Closed', { name: 'b', town: 'c' }).map(({ keyword }) => keyword)).toEqual(['required']);
  });

  test('costs nothing at run time where it is known beforehand', async () => {
    const text = (await load({ Address: address, Closed: closed })).text('validators.ts');
    expect(text).not.toContain('holds');
    expect(text).toContain('key1 !== "name" && key1 !== "street" && key1 !== "city"');
  });

  test('depends on the branches that hold', async () => {
    const branch = (name: string) => ({ required: [name], properties: { [name]: true } });
    const validators = await load({
      Contact: { type: 'object', anyOf: [branch('mail'), branch('phone')], unevaluatedProperties: integer },
      Row: { type: 'array', prefixItems: [string], contains: integer, unevaluatedItems: false },
    });
    expect(validators.is('Contact', { mail: 'a', phone: 'b', age: 1 })).toBe(true);
    expect(validators.issues('Contact', { mail: 'a', other: 'b' })).toMatchObject([
      { pointer: '/other', keyword: 'type' },
    ]);
    expect(validators.is('Row', ['a', 1, 2])).toBe(true);
    expect(validators.issues('Row', ['a', 1, 'b'])).toMatchObject([{ pointer: '/2', keyword: 'unevaluatedItems' }]);
  });
});

describe('dynamic references', () => {
  const node = { $dynamicAnchor: 'node', type: 'object' };
  const tree = {
    ...node,
    $id: 'https://x.example/tree',
    properties: { children: { items: { $dynamicRef: '#node' } } },
  };
  const strict = { ...node, $id: 'https://x.example/strict', $ref: 'tree', unevaluatedProperties: false };

  test('mean what the way that led to them says', async () => {
    const validators = await load({ Tree: tree, Strict: strict });
    const value = { children: [{ children: [{ childen: 1 }] }] };
    expect(validators.is('Tree', value)).toBe(true);
    expect(validators.issues('Strict', value)).toMatchObject([
      {
        pointer: '/children/0/children/0/childen',
        schemaPointer: 'api.json#/components/schemas/Strict/unevaluatedProperties',
      },
    ]);
  });

  test('have the type of all that they may mean', async () => {
    const text = (await load({ Tree: tree, Strict: strict })).text('types.ts');
    expect(text).toContain('children?: (Tree | Strict)[]');
  });
});

describe('meta-schemas', () => {
  test('that are published need no network', async () => {
    const validators = await load({ Any: { $ref: 'https://json-schema.org/draft/2020-12/schema' } });
    expect(validators.is('Any', { type: 'string', items: [] })).toBe(false);
    expect(validators.is('Any', { type: 'string', properties: { a: { minLength: 1 } } })).toBe(true);
    expect(validators.is('Any', { properties: { a: { minLength: -1 } } })).toBe(false);
  });

  test("of somebody's own are read where they may be, and say which vocabularies count", async () => {
    const $schema = 'https://x.example/meta';
    const body = JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $vocabulary: { 'https://json-schema.org/draft/2020-12/vocab/applicator': true },
    });
    const documents = { 'case.json': { $schema, properties: { a: { type: 'string' }, b: false } } };
    const remote = { [$schema]: { body } };
    const far = await loadValidators({ documents, remote });
    expect(far.is('Case', { a: 1 })).toBe(false);
    const near = await loadValidators({ documents, remote, allowRemote: ['https://x.example'] });
    expect(near.is('Case', { a: 1 })).toBe(true);
    expect(near.is('Case', { b: 1 })).toBe(false);
  });
});

describe('schemas that say the same', () => {
  const names = ['login', 'id', 'email', 'bio', 'city', 'blog', 'company'];
  const members = Object.fromEntries(names.map((name) => [name, string]));
  const user = (more: object = {}) => ({
    type: 'object',
    required: ['login'],
    properties: {
      ...Object.fromEntries(names.map((name) => [name, string])),
      plan: { enum: ['free', 'paid'] },
      ...more,
    },
  });
  const issue = { type: 'object', properties: { author: user(), assignees: { type: 'array', items: user() } } };
  const places = (validators: Awaited<ReturnType<typeof load>>, type: string, value: unknown): readonly string[] =>
    validators
      .issues(type, value)
      .map(({ schemaPointer }) => schemaPointer.slice('api.json#/components/schemas'.length));

  test('have one function, whose issues name the place that is meant', async () => {
    const validators = await load({ Issue: issue, Pull: { allOf: [issue] }, User: user(), Own: user({ own: string }) });
    const wrong = { login: 'a', plan: 'none' };
    const plan = 'properties/plan/enum';
    expect(places(validators, 'User', { ...wrong, login: 1 })).toEqual([
      '/User/properties/login/type',
      `/User/${plan}`,
    ]);
    expect(places(validators, 'Own', wrong)).toEqual([`/Own/${plan}`]);
    expect(places(validators, 'Issue', { author: wrong, assignees: [wrong, {}] })).toEqual([
      `/Issue/properties/author/${plan}`,
      `/Issue/properties/assignees/items/${plan}`,
      '/Issue/properties/assignees/items/required',
    ]);
    expect(places(validators, 'Pull', { author: wrong })).toEqual([`/Pull/allOf/0/properties/author/${plan}`]);
    // Two functions: of the shared structure, and of the one with a member more.
    expect(validators.text('validators.ts').match(/object\["company"\]/g)).toHaveLength(2);
  });

  test('also where they are recursive', async () => {
    const node = user({ next: { $ref: '#/components/schemas/Node' } });
    const validators = await load({
      Node: node,
      Twin: { ...node, title: 'Twin' },
      List: { type: 'array', items: node },
    });
    const wrong = { login: 'a', next: { login: 'b', plan: 1 } };
    const inner = ['/Node/properties/plan/enum'];
    expect(places(validators, 'Node', wrong)).toEqual(inner);
    expect(places(validators, 'Twin', wrong)).toEqual(inner);
    expect(places(validators, 'List', [wrong, { login: 1 }])).toEqual([...inner, '/List/items/properties/login/type']);
  });

  test('have validators of parameters that share both passes, whatever their size', async () => {
    const limited = { type: 'array', items: { type: 'string', maxLength: 5 } };
    const operation = (...schemas: readonly object[]): object => ({
      parameters: schemas.map((schema, index) => ({ name: `p${index}`, in: 'query', schema })),
      responses: { 204: { description: 'nothing' } },
    });
    const paths = {
      '/a': { get: { operationId: 'a', ...operation(string, limited) } },
      '/b': { get: { operationId: 'b', ...operation(limited, string, { ...limited, maxItems: 1 }) } },
    };
    const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths };
    const validators = await loadValidators({ documents: { 'api.json': document }, targets: ['validators', 'server'] });
    const found = (validator: string, value: unknown): readonly string[] =>
      validators.issues(validator, value).map(({ pointer, schemaPointer }) => `${pointer} ${schemaPointer}`);
    const at = (path: string, index: number): string => `api.json#/paths/~1${path}/get/parameters/${index}/schema`;
    expect(found('AQueryP1', ['long text'])).toEqual([`/0 ${at('a', 1)}/items/maxLength`]);
    expect(found('BQueryP0', ['long text', 1])).toEqual([
      `/0 ${at('b', 0)}/items/maxLength`,
      `/1 ${at('b', 0)}/items/type`,
    ]);
    expect(found('BQueryP1', 1)).toEqual([` ${at('b', 1)}/type`]);
    expect(found('BQueryP2', ['a', 'b'])).toEqual([` ${at('b', 2)}/maxItems`]);
    expect(found('BQueryP0', ['a', 'b'])).toEqual([]);
    expect(validators.text('validators.ts').match(/function \$is[A-Z]/g)).toHaveLength(3);
  });

  test('but not where members differ in name only, or go another way', async () => {
    const firm = { ...user(), properties: { ...members, company: true, firm: string } };
    const nation = { ...user(), properties: { ...members, company: true, nation: string } };
    const validators = await load({
      One: { type: 'object', properties: { a: firm, b: nation } },
      Two: { type: 'object', properties: { a: user(), b: user({ plan: { enum: ['free', 'paid'], readOnly: true } }) } },
    });
    expect(validators.is('One', { a: { login: 'a', nation: 1 }, b: { login: 'b', firm: 1 } })).toBe(true);
    expect(validators.is('One', { b: { login: 'b', nation: 1 } })).toBe(false);
    expect(validators.is('Two', { b: { login: 'b', plan: 1 } })).toBe(false);
  });
});

describe('issues', () => {
  test('name the place, the keyword and its operands', async () => {
    const pets = await load({
      Pet: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer', minimum: 1 },
          tags: { type: 'array', items: { $ref: '#/components/schemas/Tag' } },
        },
      },
      Tag: { type: 'object', properties: { 'a/b': string } },
    });
    expect(pets.issues('Pet', { id: 0, tags: [{}, { 'a/b': 1 }] })).toEqual([
      {
        pointer: '/id',
        path: ['id'],
        schemaPointer: 'api.json#/components/schemas/Pet/properties/id/minimum',
        keyword: 'minimum',
        params: { minimum: 1 },
        message: 'must be at least 1',
      },
      {
        pointer: '/tags/1/a~1b',
        path: ['tags', 1, 'a/b'],
        schemaPointer: 'api.json#/components/schemas/Tag/properties/a~1b/type',
        keyword: 'type',
        params: { types: ['string'] },
        message: 'must be a string',
      },
    ]);
  });

  test.each([
    [{ type: ['string', 'null', 'integer'] }, true, [' must be a string, null or an integer']],
    [{ enum: ['a', 'b', 1] }, 2, [' must be one of "a", "b", 1']],
    [{ const: { a: 1 } }, 2, [' must be {"a":1}']],
    [{ enum: [] }, 2, [' is not allowed here']],
    [{ minLength: 1, maxLength: 0 }, '', [' must have at least 1 character']],
    [{ pattern: '^a' }, 'b', [' must match the pattern "^a"']],
    [{ required: ['x'] }, {}, [' must have the property "x"']],
    [{ additionalProperties: false }, { x: 1 }, ['/x is not allowed here']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, [' must have the property "b", since it has "a"']],
    [{ contains: string }, [1], [' must have at least 1 item of the demanded kind']],
    [{ contains: string, maxContains: 1 }, ['a', 'b'], [' must have at most 1 item of the demanded kind']],
    [{ uniqueItems: true }, [1, 1], [' must not have the same item twice']],
    [{ multipleOf: 0.01 }, 0.015, [' must be a multiple of 0.01']],
    [{ not: string }, 'a', [' must not be a value of the excluded kind']],
    [{ if: string, then: { minLength: 2 }, else: { minimum: 3 } }, 2, [' must be at least 3']],
    [{ properties: { a: false } }, { a: 1 }, ['/a is not allowed here']],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['/ab must have at most 1 character']],
  ])('%j on %j', async (schema, value, expected) => {
    expect(await messages(schema, value)).toEqual(expected);
  });

  test('are kept up to twenty', async () => {
    expect(await messages({ items: string }, Array(50).fill(1))).toHaveLength(20);
  });
});

describe('the public functions', () => {
  test('assert throws an error that copies of the runtime recognise', async () => {
    const { module } = await load({ Name: string });
    const assertName = module['assertName'] as (value: unknown) => void;
    expect(() => assertName('x')).not.toThrow();
    const error = thrownBy(() => assertName(5));
    expect(isValidationError(error)).toBe(true);
    expect((error as Error).message).toBe('The value must be a string');
  });

  test('the Standard Schema answers with messages and paths', async () => {
    const { module } = await load({ Pet: { type: 'object', properties: { id: integer } } });
    const standard = (module['PetSchema'] as StandardSchema<unknown>)['~standard'];
    const value = { id: 1 };
    expect([standard.version, standard.vendor]).toEqual([1, 'oasmith']);
    expect(standard.validate(value)).toEqual({ value });
    expect(standard.validate({ id: 'x' })).toEqual({ issues: [{ message: 'must be an integer', path: ['id'] }] });
  });

  test('a member that is undefined is absent', async () => {
    const closed = await load({
      Case: { type: 'object', properties: { a: integer, b: string }, required: ['a'], additionalProperties: false },
    });
    expect(closed.is('Case', { a: 1, b: undefined, c: undefined })).toBe(true);
    expect(closed.is('Case', { a: undefined })).toBe(false);
  });

  test('an array is no object, whatever is tested of the members', async () => {
    const loaded = await load({ Case: { type: 'object', required: ['length'], properties: { length: integer } } });
    expect(loaded.is('Case', [1])).toBe(false);
    expect(loaded.is('Case', { length: 1 })).toBe(true);
  });
});

function thrownBy(run: () => void): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('formats', () => {
  const at = { type: 'string', format: 'date-time' };

  test('are annotations unless they are asked for', async () => {
    expect((await load({ At: at })).is('At', 'soon')).toBe(true);
    const strict = await load({ At: at, Count: { type: 'integer', format: 'int32' } }, { assertFormats: true });
    expect(strict.is('At', 'soon')).toBe(false);
    expect(strict.is('At', '2024-02-29T23:59:60Z')).toBe(true);
    expect([strict.is('Count', 2 ** 31), strict.is('Count', 2 ** 31 - 1)]).toEqual([false, true]);
  });
});

describe('directions', () => {
  const schemas = {
    Pet: {
      type: 'object',
      required: ['id', 'name', 'secret'],
      properties: {
        id: { type: 'integer', readOnly: true },
        name: string,
        secret: { $ref: '#/components/schemas/Secret' },
      },
      additionalProperties: false,
    },
    Secret: { type: 'string', writeOnly: true },
    Named: { allOf: [{ properties: { id: { type: 'integer', readOnly: true } } }, { required: ['id', 'name'] }] },
  };
  const body = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const operation = (name: string) => ({
    operationId: `put${name}`,
    requestBody: body(name),
    responses: { 200: { description: '', ...body(name) } },
  });
  const paths = { '/pet': { put: operation('Pet') }, '/named': { put: operation('Named') } };

  test('a readOnly member of a request is allowed, not demanded and not looked at; so is a writeOnly one of an answer', async () => {
    const pets = await loadValidators({ documents: { 'api.json': description(schemas, paths) } });
    expect(pets.is('Pet', { id: 1, name: 'x' })).toBe(true);
    expect(pets.is('Pet', { id: 1, name: 'x', secret: 5 })).toBe(true);
    expect(pets.is('Pet', { name: 'x', secret: 's' })).toBe(false);
    expect(pets.is('PetWrite', { name: 'x', secret: 's' })).toBe(true);
    expect(pets.is('PetWrite', { id: 'no number', name: 'x', secret: 's' })).toBe(true);
    expect(pets.is('PetWrite', { id: 1, name: 'x' })).toBe(false);
    expect(pets.is('PetWrite', { name: 'x', secret: 's', other: 1 })).toBe(false);
  });

  test('also where another part of an allOf demands the member', async () => {
    const named = await loadValidators({ documents: { 'api.json': description(schemas, paths) } });
    expect([named.is('Named', { name: 'x' }), named.is('NamedWrite', { name: 'x' })]).toEqual([false, true]);
  });
});

describe('depth', () => {
  const ref = { $ref: '#/components/schemas/Tree' };
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, string]));
  const nested = (levels: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < levels; level += 1) value = { kid: value };
    return value;
  };

  test('a value that is nested too deep is refused, with an issue of its own', async () => {
    const trees = await load({ Tree: { type: 'object', properties: { ...wide, kid: ref } }, Not: { not: ref } });
    expect(trees.is('Tree', nested(900))).toBe(true);
    expect(trees.is('Tree', nested(100_000))).toBe(false);
    const [issue] = trees.issues('Tree', nested(100_000));
    expect([issue?.keyword, issue?.message, issue?.path.length]).toEqual(['depth', 'is nested too deep', 1001]);
    // No applicator on the way may turn the refusal into an acceptance.
    expect(trees.is('Not', nested(100_000))).toBe(false);
    expect(trees.issues('Not', nested(100_000)).map((entry) => entry.keyword)).toEqual(['depth']);
  });
});

describe('the output', () => {
  const contradictions = {
    // Named like globals that the generated code uses.
    Array: { type: 'array', items: string, uniqueItems: true },
    Object: { type: 'object', required: ['a'], properties: { a: integer }, additionalProperties: false },
    Set: { enum: Array.from({ length: 40 }, (_, index) => `value ${index}`) },
    Number: { type: 'number', multipleOf: 3 },
    RegExp: { type: 'string', pattern: '^[a-z]\\p{L}/$' },
    Error: { type: 'object', properties: { '*/ globalThis.x = 1; /*': string } },
    // Tests that the compiler takes for mistakes where it follows the types.
    Never: { allOf: [{ const: 'a' }, { const: 'b' }, { type: 'string', enum: [5] }] },
    Both: { type: 'string', allOf: [{ type: 'number', minimum: 3 }, { const: 5 }, { minLength: 4 }] },
    Twice: {
      allOf: [
        { $ref: '#/components/schemas/Object' },
        { $ref: '#/components/schemas/RegExp' },
        { type: 'string', minLength: 2 },
      ],
    },
    Mixed: {
      type: ['string', 'null'],
      anyOf: [{ const: 'x' }, { type: 'null' }, { type: 'integer', enum: [3] }],
      not: { const: 7 },
    },
    Refused: { type: 'object', properties: { a: false }, propertyNames: { type: 'number', minimum: 4 }, not: {} },
    Empty: { const: [], enum: [[], {}] },
    Tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
  };

  test('compiles under the strictest settings, with both compilers', async () => {
    const documents = { 'api.json': description(contradictions) };
    const result = await generateValidators({ documents, issueLimit: 5 });
    const folder = await temporaryFolder();
    // Validators are callbacks, too.
    const use = [
      "import { assertTree, validateTree } from './validators.js';",
      "import type { Tree } from './types.js';",
      "import type { Validation } from './runtime/validation.js';",
      'export const answers: readonly Validation<Tree>[] = [{}].map(validateTree);',
      '[{}].forEach(assertTree);',
      'validateTree({}, { limit: 1 });',
    ];
    await writeFile(join(folder, 'use.ts'), use.join('\n'));
    for (const { path, text } of result.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const strict = fileURLToPath(new URL('../support/strict.tsconfig.json', import.meta.url));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: strict, include: ['**/*.ts'] }));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
    await symlink(modules, join(folder, 'node_modules'));
    for (const compiler of ['typescript', 'typescript-7']) {
      const bin = join(modules, compiler, 'bin/tsc');
      const output = await promisify(execFile)(process.execPath, [bin, '-p', folder]).catch((error) => error);
      expect([compiler, output.stdout]).toEqual([compiler, '']);
    }
  });

  test('means the same where names and types contradict', async () => {
    const loaded = await load(contradictions);
    expect(loaded.is('Array', ['a', 'b'])).toBe(true);
    expect(loaded.is('Object', { a: 1 })).toBe(true);
    expect(loaded.is('Set', 'value 39')).toBe(true);
    expect(['Never', 'Both', 'Twice', 'Refused'].some((type) => loaded.is(type, 'a'))).toBe(false);
    expect(['x', null, 3, 'y'].map((value) => loaded.is('Mixed', value))).toEqual([true, true, false, false]);
  });

  test('has no dependency and evaluates nothing', async () => {
    const { text } = await load({ ...contradictions, Tag: { oneOf: [string, integer] } });
    const code = text('validators.ts');
    expect(code).not.toMatch(/\beval\b|new Function|: any\b|as any\b/);
    expect([...code.matchAll(/ from "(.*)"/g)].every(([, from]) => from?.startsWith('./'))).toBe(true);
  });
});
