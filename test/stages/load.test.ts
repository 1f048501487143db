import { describe, expect, test } from 'vitest';
import type { Address, DocumentUri, JsonPointer } from '../../src/diagnostics.js';
import { defaultLimits, type LoadLimits } from '../../src/load/limits.js';
import { type LoadRequest, load } from '../../src/load/load.js';
import type { Sources } from '../../src/load/sources.js';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from '../../src/memory-host.js';

type Files = Record<string, unknown>;

function hostOf(files: Files, options?: MemoryHostOptions): MemoryHost {
  const texts = Object.entries(files).map(([path, content]) => {
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    return [path, raw ? content : JSON.stringify(content)] as const;
  });
  return memoryHost(Object.fromEntries(texts), options);
}

function run(host: MemoryHost, entries: readonly string[] = ['api.json'], request: Partial<LoadRequest> = {}) {
  return load({ entries, allowRemote: [], limits: defaultLimits, ...request }, host);
}

function limits(changes: Partial<LoadLimits>): { readonly limits: LoadLimits } {
  return { limits: { ...defaultLimits, ...changes } };
}

/** `code document#pointer` of each diagnostic. */
async function codes(...parameters: Parameters<typeof run>): Promise<readonly string[]> {
  const { diagnostics } = await run(...parameters);
  return diagnostics.map(({ code, at }) => (at ? `${code} ${at.document}#${at.pointer}` : code));
}

async function sourcesOf(...parameters: Parameters<typeof run>): Promise<Sources> {
  const result = await run(...parameters);
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return result.value;
}

function address(document: string, pointer: string): Address {
  return { document: document as DocumentUri, pointer: pointer as JsonPointer };
}

/** Where a reference leads, as `document#pointer`, or the code of the failure. */
function target(sources: Sources, document: string, pointer: string, ref: string): string {
  const found = sources.resolve(address(document, pointer), ref);
  return found.ok ? `${found.at.document}#${found.at.pointer}` : found.code;
}

function openapi(schemas: Record<string, unknown>, more: Record<string, unknown> = {}) {
  return { openapi: '3.0.3', info: { title: 't', version: '1' }, paths: {}, components: { schemas }, ...more };
}

describe('entries', () => {
  test('kinds are told by content, not by name', async () => {
    const kind = async (content: unknown) =>
      (await sourcesOf(hostOf({ x: content }), ['x'])).documents.get('x' as DocumentUri);
    expect(await kind(openapi({}))).toMatchObject({ kind: { kind: 'openapi', version: '3.0.3' }, format: 'json' });
    expect(await kind('swagger: "2.0"\npaths: {}')).toMatchObject({
      kind: { kind: 'openapi', version: '2.0' },
      format: 'yaml',
    });
    for (const version of ['3.0', '3.1.2', '3.2.0']) {
      expect(await kind({ openapi: version })).toMatchObject({ kind: { kind: 'openapi', version } });
    }
    const dialect = 'https://json-schema.org/draft/2020-12/schema';
    expect(await kind({ $schema: dialect })).toMatchObject({ kind: { kind: 'json-schema', dialect } });
    expect(await kind({ properties: {} })).toMatchObject({ kind: { kind: 'json-schema' } });
    expect(await kind('{openapi: 3.1.0, paths: {}}')).toMatchObject({ kind: { kind: 'openapi' }, format: 'yaml' });
  });

  test('a preamble of a few lines is skipped with a warning', async () => {
    const text = 'Schema\nSchema name: X\njson\n{\n  "type": "object"\n}\n';
    const result = await run(hostOf({ 'x.txt': text }), ['x.txt']);
    expect(result.ok && [...result.value.documents.values()][0]?.value).toEqual({ type: 'object' });
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['preamble-skipped']);
    expect(await codes(hostOf({ x: `${'one\n'.repeat(6)}{"type":"object"}` }), ['x'])).toEqual(['document-kind x#']);
    expect(await codes(hostOf({ x: 'Schema name: X\n{"type": }' }), ['x'])).toEqual([
      'preamble-skipped x#',
      'syntax-error x#/type',
    ]);
  });

  test('byte order marks, UTF-16, bytes that are not UTF-8 and NUL', async () => {
    const text = JSON.stringify({ type: 'string', title: 'é' });
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const content of [`\ufeff${text}`, new Uint8Array(utf16), new Uint8Array(Buffer.from(utf16).swap16())]) {
      const { documents } = await sourcesOf(hostOf({ x: content }), ['x']);
      expect([...documents.values()][0]?.value).toEqual({ type: 'string', title: 'é' });
    }
    expect(await codes(hostOf({ x: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]) }), ['x'])).toEqual([
      'syntax-error x#',
    ]);
    expect(await codes(hostOf({ x: 'a: b\u0000' }), ['x'])).toEqual(['syntax-error x#']);
  });

  test('what is not there or not usable is told for every entry in one run', async () => {
    const host = hostOf(
      { 'dir/x': '', empty: ' \n', 'comment.yaml': '# nothing\n', plain: 'hello', list: '[1]', decls: { a: 1 } },
      { special: ['pipe'] },
    );
    expect(await codes(host, ['none', 'dir', 'pipe', 'empty', 'comment.yaml', 'plain', 'list', 'decls'])).toEqual([
      'file-not-found',
      'file-unreadable',
      'file-unreadable',
      'document-empty empty#',
      'document-empty comment.yaml#',
      'document-kind plain#',
      'document-kind list#',
      'document-kind decls#',
    ]);
  });

  test('unknown versions are refused', async () => {
    for (const document of [
      { openapi: '4.0.0' },
      { openapi: '3.3.0' },
      { swagger: '1.2' },
      { openapi: 3.1 },
      { swagger: 2 },
    ]) {
      const [name] = Object.keys(document);
      expect(await codes(hostOf({ 'api.json': document }))).toEqual([`document-version api.json#/${name}`]);
    }
    for (const $schema of ['urn:mine', 'http://json-schema.org/draft-03/schema#', 'draft-07']) {
      expect(await codes(hostOf({ 'api.json': { $schema } }))).toEqual(['document-version api.json#/$schema']);
    }
    await sourcesOf(hostOf({ 'api.json': { $schema: 'https://example.com/my-dialect' } }));
  });

  test('an API version without quotes is a warning', async () => {
    const text = 'openapi: 3.0.3\ninfo: {title: t, version: 1.10}\npaths: {}\n';
    const result = await run(hostOf({ x: text }), ['x']);
    expect(result.ok).toBe(true);
    expect(result.diagnostics).toMatchObject([
      { code: 'version-unquoted', severity: 'warning', at: { pointer: '/info/version' } },
    ]);
  });

  test('standard input, and a URL with what stands beside it', async () => {
    const stdin = hostOf({ 'b.json': { type: 'string' } }, { standardInput: JSON.stringify({ $ref: 'b.json' }) });
    expect([...(await sourcesOf(stdin, ['-'])).documents.keys()]).toEqual(['-', 'b.json']);
    const remote = {
      'http://localhost:3000/api.json': {
        body: JSON.stringify(openapi({ A: { $ref: 'b.json' }, B: { $ref: '/c.json' } })),
      },
      'http://localhost:3000/b.json': { body: '{"type":"string"}' },
      'http://localhost:3000/c.json': { body: '{"type":"string"}' },
    };
    const { documents, files } = await sourcesOf(hostOf({}, { remote }), ['http://localhost:3000/api.json']);
    expect([...documents.keys()].sort()).toEqual(Object.keys(remote).sort());
    expect(files.size).toBe(0);
  });

  test('a failure still gives the texts and the files that were looked for', async () => {
    const host = hostOf({
      'a/api.json': openapi({ A: { $ref: 'bad.json' }, B: { $ref: 'missing.json' } }),
      'a/bad.json': '{"a"',
    });
    const result = await run(host, ['a/api.json']);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['syntax-error', 'file-not-found']);
    expect([...result.texts.keys()]).toEqual(['api.json', 'bad.json']);
    expect([...result.files.values()].sort()).toEqual([
      '/project/a/api.json',
      '/project/a/bad.json',
      '/project/a/missing.json',
    ]);
  });

  test('the same file twice is one document, two folders have names from the common one', async () => {
    const schema = { type: 'string' };
    const host = hostOf({ 'a/x.json': schema, 'b/x.json': schema });
    const sources = await sourcesOf(host, ['a/x.json', './a/../a/x.json', 'b/x.json']);
    expect(sources.entries).toEqual(['a/x.json', 'b/x.json']);
  });
});

describe('texts', () => {
  const problems = async (text: string) => {
    const { diagnostics } = await run(hostOf({ x: text }), ['x']);
    return diagnostics.map(({ code, offset, at }) => `${code} ${offset} ${at?.pointer}`);
  };

  test('JSON is read strictly, and the place of a fault is told', async () => {
    expect(await problems('{"a":1,}')).toEqual(['syntax-error 7 /a']);
    expect(await problems('{"a":[1 2]}')).toEqual(['syntax-error 8 /a/0']);
    expect(await problems('{"a":01}')).toEqual(['syntax-error 5 /a']);
    expect(await problems('{"a":1} x')).toEqual(['syntax-error 8 ']);
    expect(await problems('{"a":"\\x"}')).toEqual(['syntax-error 6 /a']);
    expect(await problems('{"a":"x\ny"}')).toEqual(['syntax-error 7 /a']);
    expect(await problems('{"a":1 // no\n}')).toEqual(['syntax-error 7 /a']);
    expect(await problems('{"openapi":"3.0.3","info":{"ti')).toEqual(['syntax-error 27 /info']);
    expect(await problems('{"a":\'x\'}')).toEqual(['syntax-error 5 /a']);
  });

  test('duplicate keys are errors in JSON and YAML, however they are spelt, all of them', async () => {
    expect(await problems('{"type":"object","a":{"b":1,"\\u0062":2},"type":"string"}')).toEqual([
      'duplicate-key 28 /a/b',
      'duplicate-key 40 /type',
    ]);
    expect(await problems('type: object\na: {b: 1, "b": 2}\ntype: string\n')).toEqual([
      'duplicate-key 23 /a/b',
      'duplicate-key 31 /type',
    ]);
    const { diagnostics } = await run(hostOf({ x: '{"a":1,"a":2}' }), ['x']);
    expect(diagnostics[0]?.message).toBe('duplicate key "a"');
    expect(diagnostics[0]?.related).toEqual([{ message: 'the first one is here', at: address('x', '/a') }]);
  });

  test('__proto__ is a name like any other', async () => {
    for (const text of [
      '{"type":"object","properties":{"__proto__":{"type":"string"}}}',
      'type: object\nproperties:\n  __proto__: {type: string}\n',
    ]) {
      const sources = await sourcesOf(hostOf({ x: text }), ['x']);
      expect(sources.valueAt(address('x', '/properties/__proto__'))).toEqual({ type: 'string' });
      expect(sources.valueAt(address('x', '/properties/constructor'))).toBeUndefined();
    }
    expect(Object.hasOwn(Object.prototype, 'type')).toBe(false);
  });

  test('numbers that a double cannot hold are warned of', async () => {
    expect(
      await problems('{"maximum":9223372036854775807,"minimum":0.1,"const":1e400,"enum":[12345678901234567000]}'),
    ).toEqual(['number-inexact 11 /maximum', 'number-inexact 53 /const']);
    expect(await problems('maximum: 9223372036854775807\nminimum: 0.1\n')).toEqual(['number-inexact 9 /maximum']);
  });

  test('YAML is read by the core schema of 1.2', async () => {
    const text =
      'type: object\nx: {date: 2024-01-01, no: no, octal: 0o17, old: 0777, under: 1_000, hex: 0x1F, null: ~, <: 1}\n200: a\n1.0: b\ntrue: c\n';
    const { documents } = await sourcesOf(hostOf({ x: text }), ['x']);
    expect([...documents.values()][0]?.value).toEqual({
      type: 'object',
      x: { date: '2024-01-01', no: 'no', octal: 15, old: 777, under: '1_000', hex: 31, null: null, '<': 1 },
      200: 'a',
      '1.0': 'b',
      true: 'c',
    });
  });

  test('YAML that has no form in JSON is refused', async () => {
    expect(await problems('a: .nan\nb: -.inf\nc: !!js/function "x"\nd: *none\n? [x]\n: 1\n')).toEqual([
      'syntax-error 3 /a',
      'syntax-error 11 /b',
      'syntax-error 34 /c',
      'syntax-error 41 /d',
      'syntax-error 49 ',
    ]);
    expect(await problems('a: &a [*a]')).toEqual(['syntax-error 7 /a/0']);
    expect(await problems('type: object\n---\ntype: string\n')).toEqual(['syntax-error 13 ']);
    expect(await problems('base: &base {a: 1}\nb: {<<: *base}\n')).toEqual(['yaml-merge-key 23 /b']);
    expect(await problems('a:\n\tb: 1\n')).toEqual(['syntax-error 3 ']);
  });

  test('YAML aliases are shared values', async () => {
    const sources = await sourcesOf(hostOf({ x: 'type: object\nx: &a {b: 1}\ny: [*a, *a]\n' }), ['x']);
    expect(sources.valueAt(address('x', '/y/1'))).toEqual({ b: 1 });
  });

  test('depth, nodes and bytes are bounded', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(await problems(`{"a":${nested(100_000)}}`)).toEqual(['too-deep 2004 ']);
    for (const text of [
      `a: ${nested(20_000)}`,
      `a: ${'{b: '.repeat(20_000)}`,
      '- '.repeat(20_000),
      '? '.repeat(20_000),
    ]) {
      expect(await problems(text)).toEqual(['too-deep undefined ']);
    }
    const bomb = Array.from({ length: 30 }, (_, level) => `x${level + 1}: &x${level + 1} [*x${level}, *x${level}]`);
    expect(await problems(`x0: &x0 {type: string}\n${bomb.join('\n')}\n`)).toEqual(['too-many-nodes undefined ']);
    const host = hostOf({
      'api.json': openapi({ A: { $ref: 'b.json' } }),
      'b.json': { type: 'string', title: 'x'.repeat(500) },
    });
    const at = '#/components/schemas/A';
    expect(await codes(host, undefined, limits({ documentBytes: 400 }))).toEqual([`file-too-large api.json${at}`]);
    expect(await codes(host, undefined, limits({ totalBytes: 600 }))).toEqual([`file-too-large api.json${at}`]);
    expect(await codes(host, undefined, limits({ documents: 1 }))).toEqual([`too-many-documents api.json${at}`]);
    expect(await codes(host, undefined, limits({ nodes: 5 }))).toEqual(['too-many-nodes api.json#']);
  });
});

describe('a mistake in YAML is one fault, whatever follows from it', () => {
  const cases: readonly [string, string, readonly string[]][] = [
    ['two brackets in one another', 'R: {description: [}\n', ['1:19']],
    ['a bracket of the other kind', 'a:\n  b: {c: [1, 2}\n  d: {e: 1}\nf: 1\n', ['2:15']],
    ['a missing comma', 'a:\n  - {b: c d: e, f: [g: h}\n  - ok\n', ['2:9']],
    ['lines that are swallowed', 'a: {b: 1, c: {d: 2, e: {f: 3}\ng: 1\n', ['2:1']],
    ['two mistakes are two', 'a: [1, 2\nb: 3\nc: {x: 1\nd: 4\n', ['2:1', '4:1']],
    ['in parts of one map too', 'p:\n  a: {x: 1\n  b: {y: 2}\n  c: [z\n  d: 1\n', ['3:3', '5:3']],
  ];
  test.each(cases)('%s', async (_, text, expected) => {
    const { diagnostics } = await load(
      { entries: ['a.yaml'], allowRemote: [], limits: defaultLimits },
      memoryHost({ 'a.yaml': text }),
    );
    const places = diagnostics.map(({ code, offset = 0 }) => {
      expect(code).toBe('syntax-error');
      const before = text.slice(0, offset).split('\n');
      return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    });
    expect(places).toEqual(expected);
  });
});

describe('references', () => {
  test('files are followed, each from where it lies, and pointers are decoded', async () => {
    const host = hostOf({
      'api.json': openapi({ A: { $ref: 'models/a%20b.json#/x~1y/z~0' } }),
      'models/a b.json': { 'x/y': { 'z~': { properties: { next: { $ref: '../models/c.yaml' } } } } },
      'models/c.yaml': 'type: string\n',
    });
    const sources = await sourcesOf(host);
    expect([...sources.documents.keys()]).toEqual(['api.json', 'models/a b.json', 'models/c.yaml']);
    expect(sources.files.get('models/c.yaml' as DocumentUri)).toBe('/project/models/c.yaml');
    expect(target(sources, 'api.json', '/components/schemas/A', 'models/a%20b.json#/x~1y/z~0')).toBe(
      'models/a b.json#/x~1y/z~0',
    );
    expect(target(sources, 'models/a b.json', '/x~1y/z~0/properties/next', '../models/c.yaml')).toBe('models/c.yaml#');
  });

  test('what is data is not followed', async () => {
    const data = { $ref: 'secret.json' };
    const schema = {
      properties: { $ref: { type: 'string' }, default: { type: 'string' }, enum: { type: 'string' } },
      default: data,
      example: data,
      examples: [data],
      enum: [data],
      const: data,
      'x-extension': data,
      unknown: data,
    };
    const media = {
      'application/json': { schema: { type: 'object' }, example: data, examples: { e: { value: data } } },
    };
    const paths = { '/a': { get: { responses: { 200: { description: 'ok', content: media } } } }, 'x-y': data };
    const host = hostOf({ 'api.json': openapi({ A: schema }, { paths, 'x-root': data }), 'secret.json': 'TOKEN' });
    expect([...(await sourcesOf(host)).documents.keys()]).toEqual(['api.json']);
    expect(host.read).toEqual(['/project/api.json']);
  });

  test('references stand wherever OpenAPI has objects', async () => {
    const ref = (name: string) => ({ $ref: `parts.yaml#/${name}` });
    const document = openapi(
      {
        S: {
          allOf: [ref('schema')],
          items: ref('schema'),
          discriminator: { propertyName: 'k', mapping: { a: 'parts.yaml#/nope' } },
        },
      },
      {
        paths: {
          '/a': { $ref: 'parts.yaml#/pathItem' },
          '/b': {
            parameters: [ref('parameter')],
            get: {
              requestBody: ref('body'),
              responses: {
                200: ref('response'),
                default: { headers: { h: ref('header') }, links: { l: ref('link') } },
              },
              callbacks: { c: { '{$request.body#/url}': { post: { responses: { 200: ref('missing') } } } } },
            },
          },
        },
      },
    );
    const parts = {
      schema: { type: 'string' },
      pathItem: { get: { responses: { 200: { content: { 'a/b': { schema: { $ref: '#/lost' } } } } } } },
      parameter: { schema: { $ref: '#/schema' } },
      body: {},
      response: {},
      header: {},
      link: {},
    };
    expect(await codes(hostOf({ 'api.json': document, 'parts.yaml': parts }))).toEqual([
      'ref-not-found api.json#/paths/~1b/get/callbacks/c/{$request.body#~1url}/post/responses/200',
      'ref-not-found api.json#/components/schemas/S/discriminator/mapping',
      'ref-not-found parts.yaml#/pathItem/get/responses/200/content/a~1b/schema',
    ]);
  });

  test('every bad reference is told in one run', async () => {
    const host = hostOf({
      'api.json': openapi(
        {
          T: {
            properties: {
              a: { $ref: '' },
              b: { $ref: '#' },
              c: { $ref: '#/components/schemas/%E0%A4%A' },
              d: { $ref: 42 },
              e: { $ref: '#/components/schemas/Nope' },
              f: { $ref: '#/paths/~1t/post' },
              g: { $ref: '#/components/schemas/toString' },
              h: { $ref: '#/components/schemas/__proto__' },
              i: { $ref: '#/components/~2' },
              j: { $ref: '#nowhere' },
            },
          },
        },
        { paths: { '/t': { post: { responses: {} } } } },
      ),
    });
    const found = await codes(host);
    const properties = found.map((text) => text.replace('api.json#/components/schemas/T/properties/', '')).sort();
    expect(properties).toEqual([
      'ref-invalid a',
      'ref-invalid b',
      'ref-invalid c',
      'ref-invalid d',
      'ref-invalid f',
      'ref-invalid i',
      'ref-not-found e',
      'ref-not-found g',
      'ref-not-found h',
      'ref-not-found j',
    ]);
  });

  test('files outside of the reference root are not even looked at', async () => {
    const refs = [
      '../secret.env',
      '/etc/hostname',
      'file:///etc/hostname',
      'FILE:///etc/hostname',
      'file://host/share/x.json',
      '\\\\host\\share\\x.json',
      'C:\\x.json',
      '//host/x.json',
      '%2e%2e/secret.env',
      'link.json',
      'sub/../../secret.env',
    ];
    const schemas = Object.fromEntries(refs.map(($ref, index) => [`S${index}`, { $ref }]));
    const host = hostOf(
      { 'proj/api.json': openapi(schemas), 'secret.env': 'TOKEN: topsecret\n' },
      { links: { 'proj/link.json': '../secret.env' } },
    );
    const { diagnostics } = await run(host, ['proj/api.json']);
    expect(diagnostics.map(({ code }) => code)).toEqual(refs.map(() => 'ref-outside-root'));
    expect(diagnostics[0]?.message).toContain('ref outside root');
    expect(host.read).toEqual(['/project/proj/api.json']);
    const wider = hostOf({
      'proj/api.json': openapi({ A: { $ref: '../shared.json' } }),
      'shared.json': { type: 'string' },
    });
    const sources = await sourcesOf(wider, ['proj/api.json'], { refRoot: '.' });
    expect([...sources.documents.keys()]).toEqual(['proj/api.json', 'shared.json']);
  });

  test('missing files, folders and special files', async () => {
    const host = hostOf(
      { 'api.json': openapi({ A: { $ref: 'none.json' }, B: { $ref: 'dir' }, C: { $ref: 'zero' } }), 'dir/x': '' },
      { special: ['zero'] },
    );
    expect(await codes(host)).toEqual([
      'file-not-found api.json#/components/schemas/A',
      'file-unreadable api.json#/components/schemas/B',
      'file-unreadable api.json#/components/schemas/C',
    ]);
  });

  test('nothing remote is fetched unless its origin is allowed', async () => {
    const refs = [
      'http://127.0.0.1:1/x.json',
      'https://example.com/x.json#/a',
      'gopher://example.com/x',
      'data:application/json,{}',
      'javascript:alert(1)',
      'http://user:pw@example.com/x.json',
    ];
    const host = hostOf({
      'api.json': openapi(Object.fromEntries(refs.map(($ref, index) => [`S${index}`, { $ref }]))),
    });
    const { diagnostics } = await run(host);
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'ref-remote',
      'ref-remote',
      'ref-invalid',
      'ref-invalid',
      'ref-invalid',
      'ref-invalid',
    ]);
    expect(diagnostics[1]?.message).toContain('--allow-remote https://example.com');
    expect(host.requests).toEqual([]);
  });

  test('redirects are checked again, and remote documents never lead to files', async () => {
    const document = openapi({
      A: { $ref: 'https://a.test/ok.json' },
      B: { $ref: 'https://a.test/away.json' },
      C: { $ref: 'https://a.test/down.json' },
      D: { $ref: 'https://a.test/loop.json' },
      E: { $ref: 'https://a.test/files.json' },
      F: { $ref: 'https://a.test/gone.json' },
    });
    const remote = {
      'https://a.test/ok.json': { status: 302, location: '/final.json' },
      'https://a.test/final.json': { body: '{"type":"string"}' },
      'https://a.test/away.json': { status: 302, location: 'https://169.254.169.254/latest/' },
      'https://a.test/down.json': { status: 302, location: 'http://a.test/final.json' },
      'https://a.test/loop.json': { status: 302, location: '/loop.json' },
      'https://a.test/files.json': {
        body: '{"properties":{"a":{"$ref":"file:///etc/hostname"},"b":{"$ref":"/etc/hostname"}}}',
      },
      'https://a.test/gone.json': { status: 404 },
    };
    const host = hostOf({ 'api.json': document }, { remote });
    const { diagnostics } = await run(host, undefined, { allowRemote: ['https://a.test', 'http://a.test'] });
    expect(diagnostics.map(({ code, at }) => `${code} ${at?.pointer}`)).toEqual([
      'ref-remote /components/schemas/B',
      'remote-failed /components/schemas/C',
      'remote-failed /components/schemas/D',
      'remote-failed /components/schemas/F',
      'ref-outside-root /properties/a',
      'remote-failed /properties/b',
    ]);
    expect(host.requests.map(({ url }) => url).filter((url) => !url.startsWith('https://a.test/'))).toEqual([]);
  });

  test('identifiers and anchors', async () => {
    const root = {
      $id: 'https://example.com/root.json',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        self: { $ref: '#' },
        whole: { $ref: 'https://example.com/root.json' },
        anchor: { $ref: '#here' },
        inner: { $ref: 'inner.json#/$defs/x' },
        innerAnchor: { $ref: 'inner.json#there' },
        other: { $ref: 'other.json' },
      },
      $defs: {
        a: { $anchor: 'here', type: 'string' },
        b: { $id: 'inner.json', $defs: { x: { type: 'number' }, y: { $anchor: 'there' }, z: { $ref: '#/$defs/x' } } },
      },
    };
    const host = hostOf({ 'root.json': root, 'other.json': { type: 'null' } });
    const sources = await sourcesOf(host, ['root.json']);
    const at = (name: string, ref: string) => target(sources, 'root.json', `/properties/${name}`, ref);
    expect(at('self', '#')).toBe('root.json#');
    expect(at('whole', 'https://example.com/root.json')).toBe('root.json#');
    expect(at('anchor', '#here')).toBe('root.json#/$defs/a');
    expect(at('inner', 'inner.json#/$defs/x')).toBe('root.json#/$defs/b/$defs/x');
    expect(at('innerAnchor', 'inner.json#there')).toBe('root.json#/$defs/b/$defs/y');
    expect(target(sources, 'root.json', '/$defs/b/$defs/z', '#/$defs/x')).toBe('root.json#/$defs/b/$defs/x');
    // A file beside the document stands for what its identifier makes of the reference.
    expect(at('other', 'other.json')).toBe('other.json#');
    expect(host.requests).toEqual([]);
  });

  test('an identifier of another entry is found without a fetch, whatever the order', async () => {
    const a = { $ref: 'https://example.com/b.json#/$defs/x' };
    const b = { $id: 'https://example.com/b.json', $defs: { x: { type: 'string' } } };
    for (const entries of [
      ['a.json', 'b.json'],
      ['b.json', 'a.json'],
    ]) {
      const sources = await sourcesOf(hostOf({ 'a.json': a, 'b.json': b }), entries);
      expect(target(sources, 'a.json', '', a.$ref)).toBe('b.json#/$defs/x');
    }
  });

  test('older drafts have identifiers of their own', async () => {
    const draft4 = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      id: 'http://example.com/',
      properties: { id: { type: 'string' }, a: { $ref: 'x.json' }, b: { $ref: '#foo' } },
      definitions: { x: { id: 'x.json' }, foo: { id: '#foo' } },
    };
    const sources = await sourcesOf(hostOf({ x: draft4 }), ['x']);
    expect(target(sources, 'x', '/properties/a', 'x.json')).toBe('x#/definitions/x');
    expect(target(sources, 'x', '/properties/b', '#foo')).toBe('x#/definitions/foo');
    // Schemas of OpenAPI 3.0 have none: "$id" there is an unknown member.
    const old = openapi({ A: { $id: 'https://example.com/a', $ref: '#/components/schemas/B' }, B: {} });
    expect(
      target(
        await sourcesOf(hostOf({ 'api.json': old })),
        'api.json',
        '/components/schemas/A',
        '#/components/schemas/B',
      ),
    ).toBe('api.json#/components/schemas/B');
  });

  test('a pointer may lead through a reference, one step of resolve is one reference', async () => {
    const host = hostOf({
      'api.json': openapi({
        A: { $ref: '#/components/schemas/B' },
        B: { $ref: 'c.json' },
        C: { $ref: '#/components/schemas/A/properties/x' },
        L: { $ref: '#/components/schemas/L/deep' },
      }),
      'c.json': { properties: { x: { type: 'string' } } },
    });
    const result = await run(host);
    expect(result.diagnostics.map(({ code, at }) => `${code} ${at?.pointer}`)).toEqual([
      'ref-not-found /components/schemas/L',
    ]);
    const sources = await sourcesOf(
      hostOf({
        'api.json': openapi({
          A: { $ref: '#/components/schemas/B' },
          B: { $ref: 'c.json' },
          C: { $ref: '#/components/schemas/A/properties/x' },
        }),
        'c.json': { properties: { x: { type: 'string' } } },
      }),
    );
    expect(target(sources, 'api.json', '/components/schemas/A', '#/components/schemas/B')).toBe(
      'api.json#/components/schemas/B',
    );
    expect(target(sources, 'api.json', '/components/schemas/C', '#/components/schemas/A/properties/x')).toBe(
      'c.json#/properties/x',
    );
  });

  test('circles of files, long chains and wide fans are linear', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`S${index}`, { $ref: `#/components/schemas/S${index + 1}` }]),
    );
    const files: Files = { 'api.json': openapi({ ...chain, S5000: { $ref: 'f0.json' } }) };
    for (let index = 0; index < 300; index += 1)
      files[`f${index}.json`] = { properties: { n: { $ref: `f${(index + 1) % 300}.json` } } };
    const started = performance.now();
    expect((await sourcesOf(hostOf(files))).documents.size).toBe(301);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test('loading twice gives the same, and leaves no trace in the input', async () => {
    const files = {
      'api.json': openapi({ A: { $ref: 'b.yaml#/x' }, B: { $ref: 'none.json' } }),
      'b.yaml': 'x: {type: string}\n',
    };
    const [first, second] = [await run(hostOf(files)), await run(hostOf(files))];
    expect(first.diagnostics).toEqual(second.diagnostics);
    expect([...first.texts]).toEqual([...second.texts]);
  });
});
