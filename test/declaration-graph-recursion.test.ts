/** Declaration graphs of schemas that contain themselves, and graphs that people or failing exporters wrote. */
import { describe, expect, test } from 'vitest';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { description } from './support/api-of.js';
import { graphOf, idGrammar, lost, printed } from './support/graph-of.js';

describe('inline objects that contain themselves by way of a named one', () => {
  const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  const id = (name: string): string => `(resource) $shared > (model) ${name} > (schema)`;
  const object = (properties: object): object => ({ type: 'object', properties });

  test.each([
    ['$ref beside required', { ...to('N'), required: ['n'] }],
    ['allOf with required', { allOf: [to('N'), { required: ['n'] }] }],
  ])('%s: a reference, and types that have an end', async (_, n) => {
    const text = JSON.stringify(description({ N: object({ n }) }));
    const { graph } = await printed({ '/api.json': text });
    expect(Object.keys(graph)).toEqual([id('n'), `${id('n')} > (property) n`]);
    expect(graph[`${id('n')} > (property) n`]).toMatchObject({ type: { ident: 'N', $ref: id('n') } });
    const { files } = await generate(
      { input: 'a.json', targets: ['types', 'validators'] },
      memoryHost({ 'a.json': text }),
    );
    const types = files.find(({ path }) => path === 'types.ts')?.text ?? '';
    expect(types).toContain('export type NN = N & { n: NN };');
    expect(types).toMatch(/export interface N \{\s+n\?: NN;?\s+\}/);
  });

  test('merged members: once, then a reference', async () => {
    const n = { allOf: [to('N'), object({ own: { type: 'string' } })] };
    const graph = await graphOf(description({ N: object({ n }) }));
    const once = `${id('n')} > (property) n`;
    const again = `${once} > (property) n`;
    expect(Object.keys(graph)).toEqual([id('n'), once, again, `${once} > (property) own`]);
    expect(graph[once]).toMatchObject({
      type: { kind: 'HttpTypeObject' },
      children: [again, `${once} > (property) own`],
    });
    expect(graph[again]).toMatchObject({
      type: { kind: 'HttpTypeReference', ident: 'N', $ref: id('n') },
      modelPath: '(resource) $shared > (model) n',
      children: [once],
    });
  });

  test('in lists, maps and unions, the model whose member leads back is meant', async () => {
    const both = { allOf: [to('Extra'), to('Node')] };
    const kids = [
      { type: 'array', items: both },
      { type: 'object', additionalProperties: { type: 'array', items: both } },
      { anyOf: [{ type: 'string' }, both] },
      object({ deeper: both }),
    ];
    for (const one of kids) {
      const graph = await graphOf(
        description({ Extra: object({ extra: { type: 'string' } }), Node: object({ kids: one }) }),
      );
      expect(lost(graph)).toEqual([]);
      expect(Object.keys(graph).filter((key) => !idGrammar.test(key))).toEqual([]);
      expect(Object.keys(graph).length).toBeLessThan(12);
      const inline = Object.entries(graph).filter(([key]) => key.includes(') kids > '));
      expect(JSON.stringify(inline)).toContain(`{"kind":"HttpTypeReference","ident":"Node","$ref":"${id('node')}"}`);
    }
  });

  test('in bodies, answers and parameters', async () => {
    const schema = { allOf: [to('N'), object({ own: {} })] };
    const content = { 'application/json': { schema } };
    const post = {
      parameters: [{ name: 'n', in: 'query', content }],
      requestBody: { content },
      responses: { 200: { description: 'ok', content } },
    };
    const graph = await graphOf(description({ N: object({ n: schema }) }, { '/n': { post } }));
    expect(lost(graph)).toEqual([]);
    expect(Object.keys(graph).length).toBeLessThan(20);
  });

  test('many members, models, rings and ladders of them stay small', async () => {
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    const narrowed = (name: string): object => ({ allOf: [to(name), object({ own: {} })] });
    const self = object(Object.fromEntries(numbers.map((n) => [`p${n}`, narrowed('Self')])));
    const each = numbers.map((n) => [
      `M${n}`,
      object(Object.fromEntries(numbers.map((m) => [`p${m}`, narrowed(`M${m}`)]))),
    ]);
    const ladder = Array.from({ length: 60 }, (_, n) => [
      `L${n}`,
      object({ a: n < 59 ? narrowed(`L${n + 1}`) : {}, b: n < 59 ? narrowed(`L${n + 1}`) : {} }),
    ]);
    const ring = Array.from({ length: 400 }, (_, n) => [`R${n}`, object({ next: narrowed(`R${(n + 1) % 400}`) })]);
    for (const [schemas, most] of [
      [{ Self: self }, 1 + 12 + 156],
      [Object.fromEntries(each), 12 * (1 + 12 + 156 + 156)],
      [Object.fromEntries(ladder), 1000],
      [Object.fromEntries(ring), 400 * 6],
    ] as const) {
      const { text, graph } = await printed({ '/api.json': JSON.stringify(description(schemas)) });
      expect(lost(graph)).toEqual([]);
      expect(Object.keys(graph).length).toBeLessThanOrEqual(most);
      expect(text.length / Object.keys(graph).length).toBeLessThan(4000);
    }
  });

  test('are read again without a word', async () => {
    const n = { allOf: [to('N'), object({ own: { type: 'string' } })] };
    const M = { allOf: [to('N'), object({ more: n })] };
    const { text } = await printed({ '/api.json': JSON.stringify(description({ N: object({ n }), M })) });
    const { ok, diagnostics } = await generate({ input: 'g.json', targets: ['types'] }, memoryHost({ 'g.json': text }));
    expect([ok, diagnostics]).toEqual([true, []]);
  });
});

describe('what is written by hand', () => {
  const root = (name: string): string => `(resource) r > (model) ${name} > (schema)`;
  const text = (key: string): object => ({
    kind: 'HttpDeclProperty',
    key,
    type: { kind: 'HttpTypeString' },
    children: [],
  });
  const read = async (graph: object) => {
    const host = memoryHost({ 'g.json': JSON.stringify(graph) });
    const { ok, files, diagnostics } = await generate({ input: 'g.json', targets: ['types'] }, host);
    const types = files[0]?.text.split('\n').filter((line) => line.startsWith('export'));
    return { ok, types, said: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
  };
  const model = (children: readonly string[]): object => ({
    kind: 'HttpDeclTypeAlias',
    ident: 'N',
    type: { kind: 'HttpTypeObject', members: [] },
    children,
  });

  test('what its exporter could not say is said, whoever refers to it', async () => {
    const failed = { error: 'E', message: 'it broke' };
    const { ok, said } = await read({
      [root('n')]: model([`${root('n')} > (property) k`]),
      [`${root('n')} > (property) k`]: text('k'),
      [root('lost')]: failed,
    });
    expect([ok, said]).toEqual([true, ['decls-unknown: read as unknown: its exporter says "it broke"']]);
  });

  test('an intersection with an inline object has the members that are declared, also with its own model', async () => {
    const at = `${root('n')} > (property) n`;
    const types = [
      { kind: 'HttpTypeReference', $ref: root('n') },
      { kind: 'HttpTypeObject', members: [{ ident: 'k' }] },
    ];
    const n = {
      kind: 'HttpDeclProperty',
      key: 'n',
      type: { kind: 'HttpTypeIntersection', types },
      children: [`${at} > (property) k`],
    };
    const graph = { [root('n')]: model([at]), [at]: n, [`${at} > (property) k`]: text('k') };
    expect(await read(graph)).toMatchObject({ ok: true, said: [] });
    const again = await graphOf(graph);
    expect(lost(again)).toEqual([]);
    const key = Object.keys(again).find((one) => one.endsWith(' > (property) k'));
    expect(again[key ?? '']).toMatchObject({ type: { kind: 'HttpTypeString' } });
    expect(Object.keys(again).length).toBeLessThan(6);
  });

  test('an entry that is none is named, and the rest is read', async () => {
    const child = `${root('n')} > (property) k`;
    const graph = { [root('n')]: model([child]), [child]: text('k'), Pet: text('pet') };
    const { ok, said } = await read(graph);
    expect([ok, said]).toEqual([true, ['decls-unknown: read as unknown: "Pet" is no id of a declaration']]);
    const { said: other } = await read({ ...graph, Pet: 1 });
    expect(other).toEqual(['decls-unknown: read as unknown: "Pet" is no declaration']);
  });
});
