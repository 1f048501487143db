/** Overlays: the specification's rules, where diagnostics point, and that documents are shared rather than copied. */
import { describe, expect, test } from 'vitest';
import { runGenerate, runValidate } from '../src/commands.js';
import type { Diagnostic, JsonPointer } from '../src/diagnostics.js';
import { Collector, type DocumentUri } from '../src/diagnostics.js';
import { generate } from '../src/generate.js';
import type { JsonValue } from '../src/ir/schema.js';
import { Overlays } from '../src/load/overlay.js';
import { memoryHost } from '../src/memory-host.js';
import { runCommand } from './support/command-line.js';
import { deepFreeze } from './support/deep-freeze.js';

const uri = 'api.yaml' as DocumentUri;
const overlayUri = 'o.yaml' as DocumentUri;

async function apply(document: JsonValue, actions: readonly JsonValue[], version = '1.1.0', nodes = 1e6) {
  const found = new Collector();
  const overlays = new Overlays(found, { nodes });
  overlays.add(overlayUri, 'file:///o.yaml', { overlay: version, info: { title: 'x', version: '1' }, actions });
  const value = await overlays.apply({ uri, url: 'file:///api.yaml', isEntry: true }, deepFreeze(document));
  overlays.finish();
  const origin = (pointer: string): string => {
    const at = overlays.origin({ document: uri, pointer: pointer as JsonPointer });
    return `${at.document}#${at.pointer}`;
  };
  return {
    value,
    origin,
    said: found.diagnostics.map(({ code }) => code),
    messages: found.diagnostics.map(({ message }) => message),
  };
}

describe('the actions of the specification', () => {
  const cases: readonly [string, JsonValue, readonly JsonValue[], JsonValue][] = [
    [
      'objects are merged at any depth',
      { a: { b: { c: 1, d: 2 } } },
      [{ target: '$', update: { a: { b: { c: 3 }, e: 4 } } }],
      { a: { b: { c: 3, d: 2 }, e: 4 } },
    ],
    ['lists grow', { a: { l: [1] } }, [{ target: '$.a', update: { l: [2, 3] } }], { a: { l: [1, 2, 3] } }],
    ['a list that is selected gets one entry', { l: [1] }, [{ target: '$.l', update: { x: 1 } }], { l: [1, { x: 1 }] }],
    ['or those of a list', { l: [1] }, [{ target: '$.l', update: [2, 3] }], { l: [1, 2, 3] }],
    [
      'plain values are replaced',
      { a: 'x', b: [1, 2] },
      [
        { target: '$.a', update: 'y' },
        { target: '$.b[0]', update: null },
      ],
      { a: 'y', b: [null, 2] },
    ],
    [
      'every node that is selected is changed',
      { p: { a: { g: {} }, b: { g: {} } } },
      [{ target: '$.p.*.g', update: { s: 1 } }],
      { p: { a: { g: { s: 1 } }, b: { g: { s: 1 } } } },
    ],
    [
      'nodes are removed from objects and lists',
      { a: 1, l: [1, 2, 3, 4] },
      [
        { target: '$.l[?@ > 1 && @ < 4]', remove: true },
        { target: '$.a', remove: true },
      ],
      { l: [1, 4] },
    ],
    [
      'nested ones too',
      { l: [{ m: [1, 2] }, { m: [1] }] },
      [
        { target: '$..[?@ == 1]', remove: true },
        { target: '$.l[0]', remove: true },
      ],
      { l: [{ m: [] }] },
    ],
    ['remove wins over update', { a: {}, b: 1 }, [{ target: '$.a', remove: true, update: { x: 1 } }], { b: 1 }],
    [
      'in order, each on the result of the last',
      { a: { x: 1 } },
      [
        { target: '$.a', remove: true },
        { target: '$', update: { a: { y: 2 } } },
      ],
      { a: { y: 2 } },
    ],
    [
      'a copy is merged like an update',
      { a: { g: { x: 1 } }, b: { d: 1 } },
      [{ target: '$.b', copy: '$.a' }],
      { a: { g: { x: 1 } }, b: { d: 1, g: { x: 1 } } },
    ],
    [
      'a move is a copy and a removal',
      { p: { '/a': { x: 1 } } },
      [
        { target: '$.p', update: { '/b': {} } },
        { target: "$.p['/b']", copy: "$.p['/a']" },
        { target: "$.p['/a']", remove: true },
      ],
      { p: { '/b': { x: 1 } } },
    ],
    [
      'a copy of what holds the target ends',
      { a: { b: {} } },
      [{ target: '$.a.b', copy: '$' }],
      { a: { b: { a: { b: {} } } } },
    ],
    [
      'a copy does not follow later changes',
      { a: { x: {} }, b: {} },
      [
        { target: '$.b', copy: '$.a' },
        { target: '$.a.x', update: { late: 1 } },
      ],
      { a: { x: { late: 1 } }, b: { x: {} } },
    ],
    [
      'keys with quotes, slashes and control characters',
      { "it's\\\n": { x: 1 } },
      [{ target: '$[?@.x == 1]', update: { x: 2 } }],
      { "it's\\\n": { x: 2 } },
    ],
    [
      'members of the prototype are none',
      { a: {} },
      [{ target: '$.a', update: JSON.parse('{"__proto__": {"x": 1}}') as JsonValue }],
      JSON.parse('{"a": {"__proto__": {"x": 1}}}') as JsonValue,
    ],
  ];
  test.each(cases)('%s', async (_, document, actions, expected) => {
    const { value, said } = await apply(document, actions);
    expect(said).toEqual([]);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test.each<[string, readonly JsonValue[], string?]>([
    ['no query', [{ target: '$.a[', update: {} }]],
    ['a query with what only some tools know', [{ target: '$.a[(@.length-1)]', update: {} }]],
    ['an object into a plain value', [{ target: '$.a', update: { x: { y: 1 } } }]],
    ['a plain value into an object', [{ target: '$.a', update: 1 }]],
    ['different kinds at once', [{ target: '$.*', update: 1 }]],
    ['the root removed', [{ target: '$', remove: true }]],
    ['a copy of several nodes', [{ target: '$.a', copy: '$.*' }]],
    ['a copy of nothing', [{ target: '$.a', copy: '$.none' }]],
    ['copy and update', [{ target: '$.a', copy: '$.a', update: {} }]],
    ['a misspelt member', [{ target: '$.a', updates: {} }]],
    ['no target', [{ update: {} }]],
    ['no action', []],
    ['copy in 1.0', [{ target: '$.a', copy: '$.l' }], '1.0.0'],
    ['a version of the future', [{ target: '$.a', update: {} }], '2.0.0'],
  ])('refuses %s', async (_, actions, version) => {
    const { said } = await apply({ a: { x: 1 }, l: [1], p: 'x' }, actions, version);
    expect(new Set(said)).toEqual(new Set(['overlay-invalid']));
  });

  test('a target that selects nothing is a warning, once, whatever the number of documents', async () => {
    expect(
      (
        await apply({ a: 1 }, [
          { target: '$.b', remove: true },
          { target: '$.a', remove: true },
        ])
      ).said,
    ).toEqual(['overlay-unmatched']);
  });

  test('copies that double each other are bounded', async () => {
    const doubling = Array.from({ length: 30 }, (_, index) => [
      { target: '$', update: { [`n${index}`]: { l: {}, r: {} } } },
      ...['l', 'r'].map((side) => ({
        target: `$.n${index}.${side}`,
        copy: index === 0 ? '$.seed' : `$.n${index - 1}`,
      })),
    ]).flat();
    expect((await apply({ seed: { x: 1 } }, doubling, '1.1.0', 10_000)).said).toEqual(['too-many-nodes']);
  });
});

describe('what is not changed is shared', () => {
  test('only what lies on the way to a change is copied', async () => {
    const document = { a: { x: {} }, b: { y: {} }, l: [{}, {}] };
    const { value } = await apply(document, [{ target: '$.a', update: { z: 1 } }]);
    const changed = value as typeof document;
    expect(changed).not.toBe(document);
    expect([changed.b, changed.l, changed.a.x]).toEqual([document.b, document.l, document.a.x]);
    expect(changed.b).toBe(document.b);
    expect(changed.l).toBe(document.l);
    expect(changed.a.x).toBe(document.a.x);
  });
});

describe('a place is where somebody wrote it', () => {
  test('in the document, in the overlay, behind removed items, and in copies', async () => {
    const { origin } = await apply({ l: [{ n: 0 }, { n: 1 }, { n: 2 }], o: { k: {} }, c: {} }, [
      { target: '$.l[0]', remove: true },
      { target: '$.l', update: [{ n: 3 }] },
      { target: '$.o', update: { k: { deep: { er: 1 } } } },
      { target: '$.c', copy: '$.o' },
    ]);
    expect(['/l/0/n', '/l/1', '/l/2/n', '/o', '/o/k', '/o/k/deep/er', '/c/k/deep', '/c/k'].map(origin)).toEqual([
      'api.yaml#/l/1/n',
      'api.yaml#/l/2',
      'o.yaml#/actions/1/update/0/n',
      'api.yaml#/o',
      'api.yaml#/o/k',
      'o.yaml#/actions/2/update/k/deep/er',
      'o.yaml#/actions/2/update/k/deep',
      'api.yaml#/o/k',
    ]);
  });

  const api =
    'openapi: 3.1.0\ninfo: {title: x, version: "1"}\npaths:\n  /a: {get: {operationId: getA, responses: {"200": {description: ok}}}}\n';
  const overlay = (actions: string, more = '') =>
    `overlay: 1.0.0\ninfo: {title: x, version: "1"}\n${more}actions:\n${actions}`;

  test('a fault of overlaid text shows the line of the overlay; references in it resolve against the document', async () => {
    const host = memoryHost({
      'spec/api.yaml': api,
      'spec/part.yaml': 'Name: {type: string}\n',
      'over/o.yaml': overlay(
        "  - target: $.paths['/a'].get\n    update:\n      parameters:\n        - {name: n, in: query, schema: {$ref: './part.yaml#/Name'}}\n        - {name: m, in: query, schema: {$ref: './part.yaml#/None'}}\n",
      ),
    });
    const { exit, out } = await runCommand(runValidate, host, { input: 'spec/api.yaml', overlays: ['over/o.yaml'] });
    expect(exit).toBe(1);
    expect(out.stderr).toMatch(
      /^error\[ref-not-found\]: .*"None"\n *--> \.\.\/over\/o\.yaml:8:32 \(#\/actions\/0\/update\/parameters\/1\/schema\)\n/,
    );
    expect(out.stderr).toContain('8 |         - {name: m, in: query');
    expect(out.stderr).toMatch(/\n1 error\n$/);
  });

  test('a reference whose text an overlay replaces is a fault of the overlay', async () => {
    const base = api.replace('responses:', "parameters: [{$ref: '#/components/parameters/A'}], responses:");
    const actions = [
      `  - target: $.paths['/a'].get.parameters[0]['$ref']\n    update: '#/components/parameters/None'\n`,
      `  - target: $.paths['/a'].get.parameters[0]\n    update: {$ref: '#/components/parameters/None'}\n`,
    ];
    const places = [];
    for (const action of actions) {
      const host = memoryHost({ 'api.yaml': base, 'o.yaml': overlay(action) });
      const { out } = await runCommand(runValidate, host, { input: 'api.yaml', overlays: ['o.yaml'] });
      places.push(
        /^error\[ref-not-found\].*"#\/components\/parameters\/None".*\n *--> (\S+ \S+)\n/.exec(out.stderr)?.[1],
      );
      expect(out.stderr).toMatch(/\n1 error\n$/);
    }
    expect(places).toEqual(['o.yaml:5:5 (#/actions/0/update)', 'o.yaml:5:14 (#/actions/0/update/$ref)']);
  });

  test('extends says for which document it is, an entry or one that is referred to', async () => {
    const files = {
      'a.yaml': api,
      'b.yaml': api.replaceAll('getA', 'getB'),
      'a.overlay.yaml': overlay("  - {target: '$.paths.*.get', update: {summary: ONLY-A}}\n", 'extends: ./a.yaml\n'),
      'all.overlay.yaml': overlay("  - {target: '$.paths.*.get', update: {description: ALL}}\n"),
      'none.overlay.yaml': overlay("  - {target: '$', update: {}}\n", 'extends: ./c.yaml\n'),
    };
    const result = await generate(
      {
        input: ['a.yaml', 'b.yaml'],
        targets: ['client'],
        overlays: ['a.overlay.yaml', 'all.overlay.yaml', 'none.overlay.yaml'],
      },
      memoryHost(files),
    );
    const text = (path: string) => result.files.find((file) => file.path === path)?.text ?? '';
    expect([text('a/client.ts').includes('ONLY-A'), text('b/client.ts').includes('ONLY-A')]).toEqual([true, false]);
    expect([text('a/client.ts').includes('ALL'), text('b/client.ts').includes('ALL')]).toEqual([true, true]);
    const warnings = result.diagnostics.filter(({ severity }: Diagnostic) => severity === 'warning');
    expect(warnings.map(({ code, at }) => [code, at?.document])).toEqual([['overlay-unused', 'none.overlay.yaml']]);
  });

  test('an overlay may mend what would be refused: the version of the document', async () => {
    const host = memoryHost({
      'api.yaml': api.replace('3.1.0', '4.0.0'),
      'o.yaml': overlay('  - {target: $, update: {openapi: 3.1.0}}\n'),
    });
    expect((await runCommand(runValidate, host, { input: 'api.yaml', overlays: ['o.yaml'] })).exit).toBe(0);
  });

  test('one that is missing, malformed or named as the entry is a fault of one line', async () => {
    const host = memoryHost({
      'api.yaml': api,
      'bad.yaml': 'overlay: [',
      'o.yaml': overlay('  - {target: $, update: {}}\n'),
    });
    const options = { output: 'out', targets: ['types'], input: 'api.yaml' } as const;
    const missing = await runCommand(runGenerate, host, { ...options, overlays: ['no.yaml'] });
    expect([missing.exit, missing.out.stderr]).toEqual([
      1,
      expect.stringMatching(/^error\[file-not-found\]: "no\.yaml"/),
    ]);
    const malformed = await runCommand(runGenerate, host, { ...options, overlays: ['bad.yaml'] });
    expect([malformed.exit, malformed.out.stderr]).toEqual([
      1,
      expect.stringMatching(/^error\[syntax-error\][\s\S]*--> bad\.yaml:1:/),
    ]);
    const entry = await runCommand(runGenerate, host, { ...options, input: 'o.yaml' });
    expect([entry.exit, entry.out.stderr]).toEqual([1, expect.stringContaining('this file by --overlay')]);
    expect(host.written).toEqual([]);
  });

  test('files of overlays are watched, relative to the configuration', async () => {
    const { runJob } = await import('../src/generate.js');
    const { resolveOptions } = await import('../src/config.js');
    const host = memoryHost({ 'api.yaml': api, 'over/o.yaml': overlay('  - {target: $, update: {}}\n') });
    const { watched } = await runJob(
      resolveOptions({ input: 'api.yaml', overlays: ['over/o.yaml', 'late.yaml'] }),
      host,
    );
    expect([...watched.values()].sort()).toEqual(['/project/api.yaml', '/project/late.yaml', '/project/over/o.yaml']);
  });
});
