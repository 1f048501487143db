/** The house rules of `src/README.md`, enforced on the tree as it is. An exemption that is not needed any more fails. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { repository } from './support/paths.js';
import { eachNode, type ImportEdge, importCycles, readSources, type SourceUnit } from './support/source-graph.js';
import { TemplateTypes } from './support/template-types.js';
import { walkFiles } from './support/walk-files.js';

const units = readSources();
const edges = units.flatMap(({ imports }) => imports);

/** Compares what breaks a rule with the exemptions from it, each of which has a reason. */
function expectExactly(found: Iterable<string>, exemptions: ReadonlyMap<string, string>): void {
  const unique = [...new Set(found)].sort();
  expect(unique.filter((entry) => !exemptions.has(entry))).toEqual([]);
  expect(
    [...exemptions.keys()].filter((entry) => !unique.includes(entry)),
    'exemptions that are not needed',
  ).toEqual([]);
}

const none: ReadonlyMap<string, string> = new Map();

describe('the layout of the repository', () => {
  const folders = ['src', 'templates', 'fixtures', 'generated', 'test'];
  const files = ['package.json', 'tsconfig.json', 'package-lock.json', 'LICENSE'];
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'];

  test('has nothing at the top but what is known', () => {
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: repository,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    const top = new Set(tracked.split('\n').map((path) => path.split('/')[0] ?? ''));
    const known = new Set([...folders, ...files, ...pages]);
    expect([...top].filter((name) => name !== '' && !name.startsWith('.') && !known.has(name))).toEqual([]);
  });

  test('names no file after a bag of odds and ends', () => {
    const bags = /(?:^|\/)(?:utils?|helpers?|common|shared|misc|managers?|types|index)\.ts$/;
    expectExactly(
      units.map(({ path }) => path).filter((path) => bags.test(path)),
      new Map([['plan/targets/types.ts', 'it is the target of that name']]),
    );
  });
});

/** Which part of the house a file belongs to: its folder, or the file itself at the top of `src/`. */
function partOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  return rest.length === 0 ? first.replace(/\.ts$/, '') : first;
}

const leaves = ['diagnostics', 'catalogue', 'output', 'encode', 'json-object'];
const stages = ['load', 'normalise', 'plan', 'render', 'write', 'scaffold', 'watch'];
/** Part → the parts that it may import, for values and for types only. */
const may: ReadonlyMap<string, { readonly values: readonly string[]; readonly types: readonly string[] }> = new Map([
  ['tool-catalogue', { values: [], types: [] }],
  ['catalogue', { values: ['tool-catalogue'], types: [] }],
  ['output', { values: [], types: [] }],
  ['host', { values: [], types: [] }],
  ['console', { values: [], types: [] }],
  ['runtime', { values: [], types: [] }],
  ['diagnostics', { values: ['catalogue'], types: [] }],
  ['encode', { values: [], types: ['ir'] }],
  ['json-object', { values: [], types: ['ir'] }],
  ['ir', { values: leaves, types: [] }],
  ['node-host', { values: ['host'], types: [] }],
  ['memory-host', { values: ['host'], types: [] }],
  ['load', { values: [...leaves, 'host'], types: ['ir'] }],
  ['patterns', { values: ['encode'], types: [] }],
  ['normalise', { values: [...leaves, 'ir', 'patterns'], types: ['load'] }],
  ['plan', { values: [...leaves, 'ir', 'nearest', 'patterns'], types: ['normalise'] }],
  ['render', { values: [...leaves, 'ir'], types: ['plan'] }],
  ['scaffold', { values: [...leaves, 'host'], types: ['ir', 'plan', 'render'] }],
  ['write', { values: [...leaves, 'host'], types: ['render'] }],
  ['watch', { values: [...leaves, 'host', 'generate'], types: [] }],
  ['config', { values: leaves, types: ['load', 'normalise', 'plan'] }],
  ['option-forms', { values: ['diagnostics', 'nearest'], types: [] }],
  ['option-checks', { values: [...leaves, 'config', 'nearest', 'option-forms'], types: ['load', 'normalise', 'plan'] }],
  ['entries', { values: leaves, types: ['load'] }],
  ['format-diagnostics', { values: leaves, types: ['load'] }],
  ['user-tsconfig', { values: leaves, types: ['config', 'plan'] }],
  ['config-file', { values: [...leaves, 'host', 'config', 'option-checks'], types: ['load'] }],
  [
    'generate',
    {
      values: [
        ...leaves,
        'config',
        'glob',
        'meant-names',
        'nearest',
        'node-host',
        'option-checks',
        'read-apis',
        ...stages.slice(0, 4),
      ],
      types: ['host', 'ir'],
    },
  ],
  [
    'report',
    { values: [...leaves, 'format-diagnostics', 'run'], types: ['config', 'console', 'generate', 'load', 'write'] },
  ],
  [
    'commands',
    {
      values: [
        ...leaves,
        'check-description',
        'check-ir',
        'config',
        'config-file',
        'generate',
        'glob',
        'ir',
        'node-host',
        'option-checks',
        'report',
        'run',
        'user-tsconfig',
        ...stages,
      ],
      types: ['console', 'host', 'meant-names'],
    },
  ],
  ['nearest', { values: [], types: [] }],
  ['meant-names', { values: ['ir'], types: ['read-apis'] }],
  ['read-apis', { values: [...leaves, 'entries', 'normalise'], types: ['ir', 'load'] }],
  ['examples', { values: [], types: ['catalogue'] }],
  ['explain', { values: [...leaves, 'examples', 'nearest', 'usage'], types: ['console'] }],
  ['glob', { values: ['host'], types: [] }],
  ['bundle', { values: [], types: [] }],
  ['precompile-lists', { values: [], types: [] }],
  ['check-description', { values: ['diagnostics', 'json-object'], types: ['ir', 'load', 'read-apis'] }],
  ['check-ir', { values: [], types: [] }],
  [
    'precompile',
    {
      values: [
        'bundle',
        'node-host',
        'precompile-descriptions',
        'precompile-ir',
        'precompile-lists',
        'render',
        'third-party-licences',
      ],
      types: [],
    },
  ],
  ['precompile-descriptions', { values: ['generate', 'memory-host', 'node-host'], types: [] }],
  ['precompile-ir', { values: ['generate', 'node-host'], types: [] }],
  ['third-party-licences', { values: [], types: ['host'] }],
  ['run', { values: [...leaves, 'generate', 'node-host', 'scaffold', 'write'], types: ['config', 'console', 'host'] }],
  ['flags', { values: ['config', 'usage'], types: [] }],
  ['usage', { values: [...leaves, 'config', 'nearest', 'option-checks'], types: [] }],
  ['short-run', { values: [], types: [] }],
  [
    'cli',
    {
      values: [
        'commands',
        'config',
        'diagnostics',
        'explain',
        'flags',
        'nearest',
        'node-host',
        'report',
        'short-run',
        'usage',
      ],
      types: ['console'],
    },
  ],
]);

describe('imports', () => {
  const own = edges.filter((edge) => edge.own && partOf(edge.from) !== partOf(edge.to));

  function isAllowed({ from, to, kind }: ImportEdge): boolean {
    const allowed = may.get(partOf(from));
    return (
      (allowed?.values.includes(partOf(to)) ?? false) ||
      (kind === 'type' && (allowed?.types.includes(partOf(to)) ?? false))
    );
  }

  test('go one way, and between stages they are types only', () => {
    expectExactly(
      own.filter((edge) => !isAllowed(edge)).map(({ from, to, kind }) => `${from} -> ${to} (${kind})`),
      new Map([
        ['config.ts -> load/limits.ts (value)', 'the defaults of the limits live beside what they limit'],
        ['option-checks.ts -> load/limits.ts (value)', 'their names, too'],
        ['config-file.ts -> load/limits.ts (value)', 'a configuration is read within the limits of a document'],
        ['config-file.ts -> load/positions.ts (dynamic)', 'a fault in a configuration has a line like any other'],
        ['config-file.ts -> load/read-json.ts (value)', 'a configuration is JSON like any other'],
        ['config-file.ts -> load/read-yaml.ts (value)', 'a configuration is YAML like any other'],
        ['format-diagnostics.ts -> load/positions.ts (value)', 'lines exist only where something is printed'],
        ...['validity', 'value-maker', 'array-samples', 'text-samples', 'number-samples'].map(
          (file) =>
            [
              `plan/samples/${file}.ts -> runtime/checks.ts (value)`,
              'a sample is judged by the functions that judge it when the output runs',
            ] as const,
        ),
        ['plan/samples/validity.ts -> runtime/content.ts (value)', 'and for what texts hold'],
        ...[
          ...['formats', 'format-email', 'format-hostname', 'format-idn-email', 'format-json-pointer', 'format-regex'],
          ...['format-uri', 'format-uri-template'],
        ].map(
          (file) =>
            [`plan/samples/format-checks.ts -> runtime/${file}.ts (value)`, 'the same holds for formats'] as const,
        ),
      ]),
    );
  });

  test('the table above knows every part, and no other', () => {
    expectExactly(
      units.map(({ path }) => partOf(path)).filter((part) => !may.has(part)),
      none,
    );
    const parts = new Set(units.map(({ path }) => partOf(path)));
    expect([...may.keys()].filter((part) => !parts.has(part))).toEqual([]);
  });

  test('lead to files that exist', () => {
    const missing = edges.filter(({ own: ours, to }) => ours && !existsSync(join(repository, 'src', to)));
    expect(missing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('have no cycle, types included', () => {
    expect(importCycles(units)).toEqual([]);
  });

  test('come from where things are declared: no barrels', () => {
    const isPassing = (statement: ts.Statement): boolean =>
      ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined;
    const barrels = units.flatMap(({ path, tree }) => {
      const { statements } = tree;
      const whole = statements.some((one) => isPassing(one) && ts.isExportDeclaration(one) && !one.exportClause);
      const nothingElse = statements.every((one) => isPassing(one) || ts.isImportDeclaration(one));
      return whole || nothingElse ? [path] : [];
    });
    expectExactly(barrels, none);
  });
});

describe('libraries', () => {
  /** Library → the files that may import it, for values and types. */
  const homes: ReadonlyMap<string, RegExp> = new Map([
    ['@apidevtools/swagger-parser', /^load\/read-document\.ts$/],
    ['chokidar', /^watch\/watch\.ts$/],
    ['diff', /^write\/[a-z-]+\.ts$/],
    ['esbuild', /^bundle\.ts$/],
    ['typescript', /^precompile-lists\.ts$/],
    ['fastify', /^runtime\/server-fastify\.ts$/],
    ['get-tsconfig', /^user-tsconfig\.ts$/],
    ['handlebars', /^render\/templates\.ts$/],
    ['jiti', /^config-file\.ts$/],
    ['js-yaml', /^load\/yaml-fast\.ts$/],
    ['json-schema-to-typescript', /^render\/declarations\.ts$/],
    ['picocolors', /^(?:cli|report|format-diagnostics)\.ts$/],
    ['jsonpath-rfc9535', /^load\/overlay\.ts$/],
    ['ts-morph', /^scaffold\/scaffold\.ts$/],
    ['msw', /^runtime\/msw-handler\.ts$/],
    ['yaml', /^load\/yaml-tree\.ts$/],
    ['yargs', /^cli\.ts$/],
    ['zod', /^runtime\/zod-checks\.ts$/],
  ]);
  const foreign = edges.filter(({ own, to }) => !own && !to.startsWith('node:'));
  const library = (specifier: string): string =>
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');

  test('each live in one file', () => {
    const astray = foreign.filter(({ from, to }) => !homes.get(library(to))?.test(from));
    expect(astray.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
    for (const name of homes.keys()) {
      const users = new Set(foreign.filter(({ to }) => library(to) === name).map(({ from }) => from));
      expect(users.size, `${name}: ${[...users].join(', ')}`).toBeLessThanOrEqual(1);
    }
  });

  test('are those that package.json declares', () => {
    const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    // The adapters in the runtime need what their users have; the last step of the build runs in a checkout only.
    const elsewhere = /^(?:runtime\/|(?:bundle|precompile-lists)\.ts$)/;
    const used = new Set(foreign.filter(({ from }) => !elsewhere.test(from)).map(({ to }) => library(to)));
    expect([...used].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
    const tested = walkFiles(join(repository, 'test')).map((path) =>
      readFileSync(join(repository, 'test', path), 'utf8'),
    );
    const scripts = readFileSync(join(repository, 'package.json'), 'utf8');
    const unused = Object.keys(dependencies).filter(
      (name) =>
        !used.has(name) && !scripts.includes(`"${name} `) && !tested.some((text) => text.includes(`from '${name}'`)),
    );
    expectExactly(unused, none);
  });

  test('the disk and the network are behind one door', () => {
    const door = /^node:(?:fs|fs\/promises|http|https|net|tls|dgram|dns|child_process|worker_threads)$/;
    expectExactly(
      edges.filter(({ to }) => door.test(to)).map(({ from, to, kind }) => `${from} -> ${to} (${kind})`),
      new Map([
        ['node-host.ts -> node:fs (value)', 'it is the door'],
        ['runtime/server-node.ts -> node:http (type)', 'the adapter speaks to the server of Node'],
      ]),
    );
  });
});

describe('stages are pure', () => {
  const inside = (path: string): boolean =>
    ['load', 'normalise', 'plan', 'render', 'ir', 'scaffold', 'write'].includes(partOf(path)) ||
    leaves.includes(partOf(path));

  test('no console, clock, environment or randomness', () => {
    const banned = new Set(['console', 'process', 'performance', 'setTimeout', 'setInterval', 'fetch', 'globalThis']);
    const found = units.filter(({ path }) => inside(path)).flatMap((unit) => namedGlobals(unit, banned));
    expectExactly(found, none);
  });

  test('only the command line prints and ends the process', () => {
    const found = units
      .filter(({ path }) => path !== 'cli.ts' && !path.startsWith('runtime/'))
      .flatMap((unit) => namedGlobals(unit, new Set(['console', 'process'])));
    expectExactly(
      found,
      new Map([
        ['generate.ts uses process', 'the working directory is the default of the library'],
        ['node-host.ts uses process', 'standard input is behind the same door'],
        ['short-run.ts uses process', 'it sets the engine up, for the command line only'],
      ]),
    );
  });

  function namedGlobals({ path, tree }: SourceUnit, names: ReadonlySet<string>): string[] {
    const found = new Set<string>();
    eachNode(tree, (node) => {
      if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length)
        found.add(`${path} uses the clock`);
      if (ts.isPropertyAccessExpression(node) && ['Math.random', 'Date.now'].includes(node.getText(tree)))
        found.add(`${path} uses ${node.getText(tree)}`);
      if (!ts.isIdentifier(node) || !names.has(node.text)) return;
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        ts.isPropertyAssignment(parent) ||
        ts.isPropertySignature(parent) ||
        ts.isMethodSignature(parent) ||
        ts.isParameter(parent) ||
        ts.isShorthandPropertyAssignment(parent) ||
        ts.isBindingElement(parent);
      if (!isMember) found.add(`${path} uses ${node.text}`);
    });
    return [...found];
  }
});

describe('files are few, deep and plain', () => {
  test('at most 500 lines a file', () => {
    const long = units.filter(({ lines }) => lines > 500).map(({ path }) => path);
    const tests = walkFiles(join(repository, 'test')).filter((path) => path.endsWith('.ts'));
    const longTests = tests.filter(
      (path) => readFileSync(join(repository, 'test', path), 'utf8').split('\n').length > 501,
    );
    expectExactly(
      [...long, ...longTests.map((path) => `test/${path}`)],
      new Map([['test/stages/load.test.ts', 'one list of small cases, each of which is read by itself']]),
    );
  });

  test('at most 60 lines a function', () => {
    expectExactly(units.flatMap(longFunctions), none);
  });

  function longFunctions({ path, tree }: SourceUnit): string[] {
    const found: string[] = [];
    eachNode(tree, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
      const line = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
      if (line(node.getEnd()) - line(node.getStart(tree)) + 1 > 60) found.push(`${path} ${nameOf(node)}`);
    });
    return found;
  }

  function nameOf(node: ts.SignatureDeclaration): string {
    const owner = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
    return owner?.getText() ?? '(anonymous)';
  }

  test('no any, no default export, no enum, no non-null assertion', () => {
    const found = units.flatMap(({ path, tree }) => {
      const list: string[] = [];
      eachNode(tree, (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) list.push(`${path} says any`);
        if (ts.isNonNullExpression(node)) list.push(`${path} says !`);
        if (ts.isEnumDeclaration(node)) list.push(`${path} has an enum`);
        if (
          ts.isExportAssignment(node) ||
          (node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent) && !ts.isDefaultClause(node))
        )
          list.push(`${path} has a default export`);
      });
      return list;
    });
    expectExactly(found, none);
  });
});

describe('templates', () => {
  test('name their view, and each path in them exists in its type; only code is printed raw', () => {
    expect(new TemplateTypes().check()).toEqual([]);
  });
});

describe('the map and the land agree', () => {
  test('the stages of src/README.md are those of generate.ts', () => {
    const page = readFileSync(join(repository, 'src/README.md'), 'utf8');
    const drawn = /^load .*$/m
      .exec(page)?.[0]
      .split(/[^a-z]+/)
      .filter(Boolean);
    const listed = [...page.matchAll(/^\| (\w+) \| `([\w/-]+\.ts)` \|/gm)];
    const generate = units.find(({ path }) => path === 'generate.ts');
    const declared = generate?.tree.statements.find(
      (statement): statement is ts.TypeAliasDeclaration =>
        ts.isTypeAliasDeclaration(statement) && statement.name.text === 'StageName',
    );
    const names =
      declared && ts.isUnionTypeNode(declared.type)
        ? declared.type.types.map((member) => member.getText().replaceAll("'", ''))
        : [];
    expect(names).toHaveLength(5);
    expect(drawn).toEqual(names);
    expect(listed.map(([, name]) => name)).toEqual(names);
    for (const [, , file] of listed) expect(existsSync(join(repository, 'src', file ?? '')), file).toBe(true);
  });

  test('every file and folder that src/README.md names exists', () => {
    const page = readFileSync(join(repository, 'src/README.md'), 'utf8');
    const named = [...page.matchAll(/`((?:[a-z-]+\/)*[a-z-]+\.ts|[a-z-]+\/(?:[a-z-]+\/)*)`/g)].map(
      ([, path]) => path ?? '',
    );
    const places = ['src', '.'];
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((path) => !places.some((place) => existsSync(join(repository, place, path))))).toEqual([]);
  });

  test('no stage behind the door speaks of versions', () => {
    const version = /^(?:[23]\.\d(?:\.\d)?|draft-?0?\d|2019-09|2020-12)$|json-schema\.org/;
    // A derived schema has to say which draft it is written in.
    const allowed =
      /^(?:load\/.*|normalise\/(?:dialects|upgrade-[a-z0-9-]+)\.ts|catalogue\.ts|precompile-descriptions\.ts|plan\/derive-schema\.ts)$/;
    const found = units
      .filter(({ path }) => !allowed.test(path) && !path.startsWith('runtime/'))
      .flatMap(({ path, tree }) => {
        const list: string[] = [];
        eachNode(tree, (node) => {
          if (ts.isStringLiteralLike(node) && version.test(node.text)) list.push(`${path} says ${node.text}`);
        });
        return list;
      });
    expectExactly(found, none);
  });
});
