/** The declaration graph: seed 001 key for key, its names, its ids, and what comes back when it is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runIr } from '../src/commands.js';
import { generate, type Options } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { nodeHost } from '../src/node-host.js';
import { description } from './support/api-of.js';
import { runCommand } from './support/command-line.js';
import { type Graph, graphOf, idGrammar, lost, type Members, printed } from './support/graph-of.js';
import { repository, shared, sharedTitle } from './support/paths.js';
import { faultLines, typecheck } from './support/typecheck.js';

const seedFolder = join(repository, 'fixtures/documents/openai-realtime');
const library = join(repository, 'fixtures/features/declarations/graph');
const seed = readFileSync(join(seedFolder, 'mcp-call-arguments-delta.decls.json'), 'utf8');

describe('seed 001', () => {
  test('comes out of the excerpt with the configured names, key for key', async () => {
    const { exit, out } = await runCommand(
      (given) => runIr(given, 'decls'),
      nodeHost(seedFolder),
      {},
      {
        config: join(seedFolder, 'oasmith.config.json'),
      },
    );
    expect(exit, out.stderr).toBe(0);
    expect(JSON.stringify(JSON.parse(out.stdout))).toBe(JSON.stringify(JSON.parse(seed)));
  });

  test('needs no configuration, because the document names the event', async () => {
    const text = readFileSync(join(seedFolder, 'openapi.json'), 'utf8');
    const { graph } = await printed({ '/api.json': text });
    expect(JSON.stringify(graph)).toBe(JSON.stringify(JSON.parse(seed)));
  });

  test('is read as it is copied from a page, with a header before it', async () => {
    const page = `Schema\n\nSchema name: ResponseMcpCallArgumentsDelta\n\njson\n${seed}`;
    const typesOf = async (text: string) => {
      const { files, diagnostics } = await generate(
        { input: 'a.decls.json', targets: ['types'] },
        memoryHost({ 'a.decls.json': text }),
      );
      return [files.map((file) => file.text), diagnostics.map(({ code }) => code)];
    };
    const [types] = await typesOf(seed);
    expect(await typesOf(page)).toEqual([types, ['preamble-skipped']]);
  });

  test('is read as the types that the document gives', async () => {
    const original = readFileSync(join(seedFolder, 'openapi.json'), 'utf8');
    const pairs = new Map([['RealtimeServerEventResponseMCPCallArgumentsDelta', 'ResponseMcpCallArgumentsDelta']]);
    expect(await typeFaults({ 'a.json': original }, { 'b.json': seed }, pairs)).toBe('');
  });
});

describe('the vocabulary', () => {
  test('is that of the fixture', async () => {
    const { text } = await printed({ '/library.yaml': readFileSync(join(library, 'library.yaml')) });
    expect(text).toBe(readFileSync(join(library, 'library.decls.json'), 'utf8'));
  });

  test('is complete, and every id follows the grammar and is there', () => {
    const text = readFileSync(join(library, 'library.decls.json'), 'utf8');
    const kinds = [...text.matchAll(/"kind": "(Http\w+)"/g)].map(([, kind]) => kind);
    const types =
      'Reference Object Array String Number Boolean Null Undefined Binary Unknown Literal Union Intersection';
    const declarations = 'Function Property TypeAlias Reference';
    expect([...new Set(kinds)].sort()).toEqual(
      [
        ...types.split(' ').map((name) => `HttpType${name}`),
        ...declarations.split(' ').map((name) => `HttpDecl${name}`),
      ].sort(),
    );
    const graph = JSON.parse(text) as Graph;
    expect(lost(graph)).toEqual([]);
    expect(Object.keys(graph).filter((id) => !idGrammar.test(id))).toEqual([]);
  });

  test('goes round: what is read again has the same types', async () => {
    // Without paths: members of what a request carries admit undefined, which a graph cannot know.
    const document = parse(readFileSync(join(library, 'library.yaml'), 'utf8')) as Members;
    const original = JSON.stringify({ ...document, paths: {} });
    const graph = readFileSync(join(library, 'library.decls.json'), 'utf8');
    const names = ['Book', 'Genre', 'Shelf', 'Person', 'Named', 'Tree', 'Either', 'Borrower'];
    const pairs = new Map(names.map((name) => [name, name]));
    expect(await typeFaults({ 'a.json': original }, { 'b.json': graph }, pairs)).toBe('');
  });
});

/** What the compiler finds where it is told that the types of two documents are the same. */
async function typeFaults(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
  pairs: ReadonlyMap<string, string>,
): Promise<string> {
  const root = join(repository, 'node_modules/.oasmith-graphs');
  const sources = new Map([[join(root, 'package.json'), '{ "type": "module" }']]);
  for (const [side, files] of [
    ['left', left],
    ['right', right],
  ] as const) {
    const input = Object.keys(files)[0] ?? '';
    const { ok, files: made } = await generate({ input, targets: ['types'] }, memoryHost(files));
    expect(ok).toBe(true);
    for (const { path, text } of made) sources.set(join(root, side, path), text);
  }
  const checks = [...pairs].map(([a, b]) => `  same<left.${a}, right.${b}>(true),`);
  sources.set(
    join(root, 'compare.ts'),
    [
      `import type * as left from './left/types.js';`,
      `import type * as right from './right/types.js';`,
      'type Flat<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]: T[K] } : T;',
      'type Identical<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;',
      'type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;',
      'declare function same<A, B>(truth: Identical<Flat<A>, Flat<B>> & Alike<A, B>): void;',
      `export const all: readonly void[] = [\n${checks.join('\n')}\n];`,
      '',
    ].join('\n'),
  );
  return faultLines(typecheck(sources), root);
}

describe('names', () => {
  const pet = { type: 'object', properties: { name: { type: 'string' } } };
  const answering = (name: string, more: object = {}) => ({
    ...more,
    responses: {
      200: { description: 'ok', content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
    },
  });
  const models = (graph: Graph): readonly string[] =>
    Object.keys(graph).flatMap((id) => /^\(resource\) (\S+ > \(model\) \S+) > \(schema\)$/.exec(id)?.[1] ?? []);

  test('fall back: group, tag, path, and none', async () => {
    const paths = {
      '/{id}/pet-shops': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: answering('HTTPPet'),
      },
      '/b': { get: answering('ByTag', { tags: ['Pet Care', 'other'] }) },
      '/c': { get: answering('ByGroup') },
    };
    const ByGroup = { ...pet, 'x-oaiMeta': { group: 'eval runs', name: 'The pet object' } };
    const ByMeta = { ...pet, 'x-oaiMeta': { name: 'pet.made' } };
    const graph = await graphOf(description({ HTTPPet: pet, ByTag: pet, ByGroup, ByMeta, 'odd name!': pet }, paths));
    expect(models(graph)).toEqual([
      'pet_shops > (model) http_pet',
      'pet_care > (model) by_tag',
      'eval_runs > (model) by_group',
      '$shared > (model) pet_made',
      '$shared > (model) odd_name',
    ]);
    expect(graph['(resource) pet_shops > (model) http_pet > (schema)']).toMatchObject({ ident: 'HttpPet' });
  });

  test('are given once, whatever the order of the document', async () => {
    const meta = { 'x-oaiMeta': { group: 'g', name: 'made' } };
    const schemas = { BetaPetMade: { ...pet, ...meta }, PetMade: { ...pet, ...meta }, beta_pet_made: pet };
    const turned = Object.fromEntries(Object.entries(schemas).reverse());
    const namesOf = async (given: object) =>
      Object.fromEntries(
        Object.entries(await graphOf(description({ ...given })))
          .filter(([, { kind }]) => kind === 'HttpDeclTypeAlias')
          .map(([id, { oasRef }]) => [oasRef, id]),
      );
    expect(await namesOf(schemas)).toEqual(await namesOf(turned));
    expect(Object.values(await namesOf(schemas)).sort()).toEqual([
      '(resource) $shared > (model) beta_pet_made > (schema)',
      '(resource) g > (model) beta_pet_made > (schema)',
      '(resource) g > (model) made > (schema)',
    ]);
  });

  test('are those of the configuration, and what it cannot have is said', async () => {
    const document = description({ A: pet, B: pet }, { '/a': { get: answering('A', { operationId: 'getA' }) } });
    const decls = { models: { A: 'x.y.pet', B: 'x.y.pet', C: 'z.c' }, methods: { getA: 'x.retrieve', no: 'x.no' } };
    const { graph, said } = await printed({ '/api.json': JSON.stringify(document) }, { decls });
    expect(models(graph)).toEqual(['x.y > (model) pet', '$shared > (model) b']);
    expect(graph['(resource) x > (method) retrieve']).toMatchObject({ qualified: 'x.retrieve' });
    expect(said.match(/warning\[decls-name\]: [^\n]*/g)).toEqual([
      'warning[decls-name]: decls.models names "C", which is no named schema',
      'warning[decls-name]: "B" has the configured name of another declaration',
      'warning[decls-name]: decls.methods names "no", which is no operationId',
    ]);
  });

  test('of a wrong form are refused', async () => {
    const host = memoryHost({ '/api.json': JSON.stringify(description({ A: pet })) }, { cwd: '/' });
    for (const decls of [{ models: { A: 'a' } }, { models: { A: 'a b.c' } }, { other: {} }]) {
      const { exit } = await runCommand((given) => runIr(given, 'decls'), host, {
        input: 'api.json',
        decls,
      } as Options);
      expect(exit, JSON.stringify(decls)).toBe(2);
    }
  });
});

describe('what a document may do to a graph', () => {
  test('members that look like steps, and names of the prototype', async () => {
    const names = ['a', 'a > (property) b', 'a%20%3E%20(property) b', 'a%2520%3E%20(property) b', '__proto__'];
    const inner = { type: 'object', properties: { b: { type: 'string' } } };
    const properties = Object.fromEntries(names.map((name) => [name, inner]));
    const graph = await graphOf(description({ T: { type: 'object', properties } }));
    expect(lost(graph)).toEqual([]);
    expect(Object.keys(graph)).toHaveLength(1 + 2 * names.length);
  });

  test('chains, circles and nothing to say', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`C${index}`, { $ref: `#/components/schemas/C${index + 1}` }]),
    );
    const parents = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [
        `P${index}`,
        { allOf: [{ $ref: `#/components/schemas/P${index + 1}` }, { properties: { [`p${index}`]: {} } }] },
      ]),
    );
    const List = { type: 'array', items: { $ref: '#/components/schemas/Other' } };
    const Other = { type: 'array', items: { $ref: '#/components/schemas/List' } };
    const graph = await graphOf(
      description({ ...chain, C1000: { enum: ['x'] }, List, Other, Any: true, None: false, Choice: { anyOf: [true] } }),
    );
    expect(lost(graph)).toEqual([]);
    expect(graph['(resource) $shared > (model) c0 > (schema)']).toMatchObject({
      childrenParentSchema: 'enum',
      children: ['(resource) $shared > (model) c1000 > (schema) > (member) 0'],
    });
    const inherited = await graphOf(description({ ...parents, P100: { properties: { last: { type: 'null' } } } }));
    const root = inherited['(resource) $shared > (model) p90 > (schema)'];
    expect(root?.['children']).toHaveLength(11);
  }, 60_000);

  test('a graph that leads back to itself, or grows without end, is read in time', async () => {
    const root = (name: string): string => `(resource) r > (model) ${name} > (schema)`;
    const object = (name: string, children: readonly string[]): object => ({
      kind: 'HttpDeclTypeAlias',
      ident: name,
      type: { kind: 'HttpTypeObject', members: [] },
      children,
    });
    const property = (key: string, children: readonly string[]): object => ({
      kind: 'HttpDeclProperty',
      key,
      type: { kind: 'HttpTypeObject', members: [] },
      children,
    });
    const wide: Record<string, object> = { [root('wide')]: object('Wide', ['(resource) a0', '(resource) b0']) };
    for (let level = 0; level < 100; level++) {
      const below = [`(resource) a${level + 1}`, `(resource) b${level + 1}`];
      wide[`(resource) a${level}`] = property('a', below);
      wide[`(resource) b${level}`] = property('b', below);
    }
    const read = async (graph: object) => {
      const host = memoryHost({ '/g.json': JSON.stringify(graph) }, { cwd: '/' });
      const { ok, diagnostics } = await generate({ input: 'g.json', targets: ['types'] }, host);
      return [ok, [...new Set(diagnostics.map(({ code }) => code))]];
    };
    expect(await read(wide)).toEqual([true, ['decls-unknown']]);
    const loop = { [root('loop')]: object('Loop', ['(resource) p']), '(resource) p': property('p', ['(resource) p']) };
    expect(await read(loop)).toEqual([true, []]);
    const union = { kind: 'HttpTypeUnion', types: [{ kind: 'HttpTypeObject', members: [] }] };
    const circle = { kind: 'HttpDeclTypeAlias', ident: 'Circle', type: union, children: [root('circle')] };
    expect(await read({ [root('circle')]: circle })).toEqual([false, ['ref-circular']]);
    const deep: Record<string, object> = { [root('deep')]: object('Deep', ['(resource) d0']) };
    for (let level = 0; level < 400; level++)
      deep[`(resource) d${level}`] = property('d', [`(resource) d${level + 1}`]);
    expect(await read(deep)).toEqual([false, ['too-deep']]);
  });

  test('after the last of a closed list there is nothing', async () => {
    const T = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false };
    const graph = await graphOf(description({ T }));
    expect(JSON.stringify(graph)).not.toContain('HttpTypeUndefined');
    expect(Object.keys(graph)).toHaveLength(3);
  });

  test('a model that may be null may be null again', async () => {
    const point = { type: ['object', 'null'], required: ['x'], properties: { x: { type: 'number' } } };
    const schemas = { Point: point, Word: { type: ['string', 'null'] }, Points: { type: 'array', items: point } };
    const { text } = await printed({ '/api.json': JSON.stringify(description(schemas)) });
    const { files } = await generate(
      { input: 'g.json', targets: ['types'] },
      memoryHost({ '/g.json': text }, { cwd: '/' }),
    );
    const types = files[0]?.text ?? '';
    expect(types.split('\n').filter((line) => line.startsWith('export'))).toEqual([
      'export type Point = { x: number } | null;',
      'export type Points = ({ x: number } | null)[];',
      'export type Word = string | null;',
    ]);
  });

  test('references among models stand however models are chosen', async () => {
    const graph = readFileSync(join(library, 'library.decls.json'), 'utf8');
    const host = memoryHost({ '/g.json': graph }, { cwd: '/' });
    const options: Options = {
      input: 'g.json',
      targets: ['types'],
      include: ['schema:Borrower'],
      dropUnreachable: true,
    };
    const { ok, files } = await generate(options, host);
    expect(ok).toBe(true);
    const names = [...(files[0]?.text ?? '').matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(['Borrower', 'Person']);
  });
});

describe.skipIf(shared === undefined)(sharedTitle('the whole description of OpenAI'), () => {
  test('gives a graph in seconds in which every id is there, and which is read again', async () => {
    const packed = readFileSync(join(shared ?? '', 'corpus/documents/openai.yaml.gz'));
    const begun = performance.now();
    const { text, graph } = await printed({ '/openai.yaml': gunzipSync(packed) });
    expect(performance.now() - begun).toBeLessThan(60_000);
    expect(lost(graph)).toEqual([]);
    expect(Object.keys(graph).filter((id) => !idGrammar.test(id))).toEqual([]);
    const found = Object.entries(graph).find(([, { ident }]) => ident === 'ResponseMcpCallArgumentsDelta');
    expect(found?.[0]).toBe('(resource) realtime > (model) response_mcp_call_arguments_delta > (schema)');
    const host = memoryHost({ '/openai.decls.json': text }, { cwd: '/' });
    const read = await generate({ input: 'openai.decls.json', targets: ['types'] }, host);
    expect(read.ok).toBe(true);
    expect(read.diagnostics.filter(({ code }) => code === 'decls-unknown')).toEqual([]);
  }, 120_000);
});
