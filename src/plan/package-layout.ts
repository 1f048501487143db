/**
 * The layout of a package that can be published: what the targets plan goes to `src/`, and beside it stands what npm, the
 * compiler and a reader need. Those files are the user's from the first edit on.
 */
import { type Code, code, joinCode, literal, markdownText } from '../encode.js';
import type { JsonObject } from '../json-object.js';
import { outputPath } from '../output.js';
import { type FirstCall, firstCall } from './first-call.js';
import { documentNames, ownName } from './own-names.js';
import type { PackageOptions, PlanContext, PlannedFile } from './target.js';

export interface PackageReadmeView {
  readonly title: Code;
  readonly hasDescription: boolean;
  readonly description: Code;
  readonly name: Code;
  /** None or one; `from` is the name as a literal. */
  readonly calls: readonly (FirstCall & { readonly createClient: Code; readonly from: Code })[];
  readonly entries: readonly { readonly name: Code; readonly purpose: Code }[];
}

/** Where the files of a package come from, for the compiler. */
const source = 'src';

const purposes: Readonly<Record<string, Code>> = {
  index: code`types, operations and the client`,
  types: code`every schema as a type`,
  codecs: code`between dates as programs hold them and as they travel`,
  operations: code`what each operation takes and answers`,
  validators: code`a check for every schema`,
  client: code`one function for each operation`,
  'client-validation': code`checks of all answers`,
  pagination: code`the items of all pages`,
  oauth: code`where tokens come from`,
  servers: code`the URLs of servers with variables`,
  server: code`handlers, and the checks around them`,
  'server-node': code`the server on \`node:http\``,
  'server-fetch': code`the server as \`(request) => response\``,
  'server-fastify': code`the server as a Fastify plugin`,
  'json-rpc': code`the methods of JSON-RPC endpoints`,
  'json-rpc-client': code`calls of those methods`,
  'json-rpc-server': code`a dispatcher for them`,
  api: code`the client as one object`,
  paths: code`the types of openapi-fetch`,
  webhooks: code`handlers of webhooks and callbacks, and the checks around them`,
  'webhooks-node': code`their server on \`node:http\``,
  'webhooks-fetch': code`their server as \`(request) => response\``,
  'webhooks-fastify': code`their server as a Fastify plugin`,
  'webhook-operations': code`what webhooks and callbacks take and answer`,
  'webhook-senders': code`one function for each webhook and callback, to send it`,
  zod: code`Zod schemas`,
  msw: code`handlers of MSW that answer every operation`,
  links: code`calls that answers lead to`,
  'tanstack-query': code`options and keys for TanStack Query`,
};

/** The files of the package, given those of the targets. */
export function packageFiles(
  context: PlanContext,
  given: PackageOptions,
  planned: readonly PlannedFile[],
): readonly PlannedFile[] {
  const modules = planned
    .filter((file) => !isScaffold(file))
    .flatMap(({ path }) => /^([a-z-]+)\.ts$/.exec(path)?.[1] ?? []);
  const entries = modules.sort((left, right) => Number(right === 'index') - Number(left === 'index'));
  const hasSchemas = planned.some(({ path }) => path.startsWith('schemas/'));
  const moved = planned.map((file) =>
    file.path.endsWith('.json') || file.path.startsWith('schemas/') || isScaffold(file)
      ? file
      : { ...file, path: outputPath(`${source}/${file.path}`) },
  );
  const view = readmeView(context, given, entries);
  return [
    ...moved,
    {
      kind: 'json',
      path: outputPath('package.json'),
      value: packageJson(context, given, entries, hasSchemas),
      ownership: 'editable',
    },
    { kind: 'json', path: outputPath('tsconfig.json'), value: tsconfig(entries), ownership: 'editable' },
    {
      kind: 'template',
      path: outputPath('README.md'),
      template: 'package/readme',
      view,
      ownership: 'editable',
      finished: true,
    },
  ];
}

function isScaffold(file: PlannedFile): boolean {
  return file.kind === 'template' && file.ownership === 'scaffold';
}

function packageJson(
  context: PlanContext,
  { name, version, license }: PackageOptions,
  entries: readonly string[],
  hasSchemas: boolean,
): JsonObject {
  const { info } = context.api;
  const peers = peersOf(context, entries);
  const build: Readonly<Record<string, string>> = {
    ...peers,
    ...(needsNode(entries) && { '@types/node': '>=20' }),
    typescript: '>=5.8',
  };
  return {
    name,
    version: version ?? packageVersion(info.version),
    description: info.title,
    ...(license !== undefined && { license }),
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry === 'index' ? '.' : `./${entry}`, exportOf(entry)])),
      ...(hasSchemas && { './schemas/*': './schemas/*' }),
      './package.json': './package.json',
    },
    files: ['dist', ...(hasSchemas ? ['schemas'] : [])],
    scripts: { build: 'tsc -p tsconfig.json', prepack: 'npm run build' },
    ...(Object.keys(peers).length > 0 && {
      peerDependencies: peers,
      // Whoever imports the entries that need them has them.
      peerDependenciesMeta: Object.fromEntries(Object.keys(peers).map((peer) => [peer, { optional: true }])),
    }),
    devDependencies: Object.fromEntries(Object.entries(build).sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

/** Types first: the first condition that fits counts. */
function exportOf(entry: string): JsonObject {
  return { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` };
}

function needsNode(entries: readonly string[]): boolean {
  return entries.some((entry) => /-(?:node|fastify)$/.test(entry));
}

/** What entries import from other packages. */
function peersOf({ options }: PlanContext, entries: readonly string[]): Readonly<Record<string, string>> {
  const peers = new Map<string, string>();
  if (entries.some((entry) => entry.endsWith('-fastify'))) peers.set('fastify', '>=5');
  if (entries.includes('zod')) peers.set('zod', '>=4');
  if (entries.includes('msw')) peers.set('msw', '>=2');
  if (entries.includes('tanstack-query') && options.queries) peers.set(packageOf(options.queries.package), '>=5.62.9');
  for (const { package: types, validators } of options.packages?.values() ?? []) {
    for (const module of [types, validators ?? types]) if (/^[@a-z0-9]/.test(module)) peers.set(packageOf(module), '*');
  }
  return Object.fromEntries([...peers].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The package of a module: `@acme/common` of `@acme/common/validators`. */
function packageOf(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}

/** A version as npm wants it, of one that is nearly so: `v1.2` is 1.2.0, `2022-11-28` is none. */
function packageVersion(given: string): string {
  const number = '(?:0|[1-9]\\d{0,8})';
  const form = new RegExp(
    `^v?(${number})(?:\\.(${number}))?(?:\\.(${number}))?(-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
  );
  const [whole, major, minor = '0', patch = '0', label = ''] = form.exec(given) ?? [];
  const isDate = /^\d{4}-\d/.test(given) || /[.-]0\d/.test(label);
  return whole === undefined || isDate ? '0.0.0' : `${major}.${minor}.${patch}${label}`;
}

function tsconfig(entries: readonly string[]): JsonObject {
  return {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: 'nodenext',
      moduleResolution: 'nodenext',
      types: needsNode(entries) ? ['node'] : [],
      rootDir: source,
      outDir: 'dist',
      declaration: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
    },
    include: [source],
  };
}

function readmeView(context: PlanContext, { name }: PackageOptions, entries: readonly string[]): PackageReadmeView {
  const { title, description, summary } = context.api.info;
  const call = entries.includes('index') ? firstCall(context) : undefined;
  const [paragraph] = (summary ?? description ?? '').split(/\n\s*\n/);
  return {
    title: markdownText(title),
    hasDescription: paragraph !== undefined && paragraph !== '',
    description: markdownText(paragraph ?? ''),
    name: name as Code,
    calls: call === undefined ? [] : [{ ...call, createClient: createClientName(context), from: literal(name) }],
    entries: entries.map((entry) => ({
      name: joinCode([name as Code, ...(entry === 'index' ? [] : [entry as Code])], '/'),
      purpose: purposes[entry] ?? code`a part of the code`,
    })),
  };
}

/** As the target `client` names it. */
function createClientName(context: PlanContext): Code {
  return code`${ownName(documentNames(context), 'createClient', 'createApiClient')}`;
}
