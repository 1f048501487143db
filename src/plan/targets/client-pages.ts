/** The file `pagination.ts` of the target `client`: a function for each operation that has pages, for who imports it. */
import { type Code, code, type Identifier, joinCode, literal, number } from '../../encode.js';
import type { Operation } from '../../ir/api.js';
import { outputPath } from '../../output.js';
import { type CallSignature, serverNames } from '../call-signature.js';
import { credentialOf } from '../credentials.js';
import { docComment } from '../doc-comment.js';
import { pascalCase } from '../identifiers.js';
import { importNames, importTypes } from '../imports.js';
import { operationInput } from '../operation-input.js';
import { documentNames, ownName } from '../own-names.js';
import type { SourcePlace } from '../pagination/expressions.js';
import type { PaginationKind } from '../pagination/options.js';
import { pagedOperations } from '../pagination/pagination.js';
import type { PageRule } from '../pagination/rule.js';
import { pagingFiles, RuntimeImports, type RuntimeName, runtimeFiles } from '../runtime-imports.js';
import { itemPlaces } from '../shape-places.js';
import type { ImportView, PlanContext, PlannedFile } from '../target.js';
import { inLine, TypePrinter } from '../type-text.js';

export interface PagesView {
  readonly imports: readonly ImportView[];
  readonly operations: readonly PagedView[];
}

export interface PagedView extends Pick<CallSignature, 'input' | 'options' | 'result'> {
  readonly doc: Code;
  /** `paginateListPets` */
  readonly name: Identifier;
  /** The client's function as this file calls it: `$listPets`. */
  readonly call: Code;
  /** The name of the literal, and its members. */
  readonly spec: Code;
  readonly members: Code;
}

/** An operation that has pages. */
export interface PagedCall {
  readonly operation: Operation;
  readonly rule: PageRule;
  /** `paginateListPets` */
  readonly name: Identifier;
}

/** The operations that have pages, with the names of their functions. */
export function pagedCalls(context: PlanContext): readonly PagedCall[] {
  const paged = pagedOperations(context);
  if (paged.length === 0) return [];
  const taken = new Set(documentNames(context));
  return paged.map(({ operation, rule }) => {
    const base = pascalCase(context.names.operationOf(operation).function);
    const name = ownName(taken, `paginate${base}`, `paginate${base}Items`);
    taken.add(name);
    return { operation, rule, name };
  });
}

/** Nothing where no operation has pages. */
export function clientPages(context: PlanContext, calls: readonly PagedCall[]): readonly PlannedFile[] {
  if (calls.length === 0) return [];
  const { api, names, options } = context;
  const runtime = new RuntimeImports();
  const printer = new TypePrinter(api, names, options);
  for (const name of ['Client', 'PageSpec', 'paginate'] as const) runtime.use(name);
  const operations = calls.map((paged) => pagedView(context, paged, runtime, printer));
  const own = calls.map(({ operation }) => names.operationOf(operation));
  const functions = own.map((given) => given.function).sort();
  const view: PagesView = {
    imports: [
      ...importNames(runtime.besides(functions), './client', options),
      ...importTypes(
        own.flatMap(({ input, result }) => [input, result]),
        './operations',
        options,
      ),
      ...importTypes(printer.used, './types', options),
      ...runtime.imports(options),
    ],
    operations,
  };
  const path = outputPath('pagination.ts');
  return [
    { kind: 'template', template: 'client/pagination', ownership: 'generated', path, view },
    ...runtimeFiles(pagingFiles(calls.map(({ rule }) => rule.kind))),
  ];
}

function pagedView(context: PlanContext, paged: PagedCall, runtime: RuntimeImports, printer: TypePrinter): PagedView {
  const { operation, rule, name } = paged;
  const given = context.names.operationOf(operation).function;
  return {
    ...pagedSignature(context, paged, runtime, printer),
    doc: docComment({
      text: `The items of all pages of \`${given}\`; the results page by page are \`${name}(…).pages()\`.`,
      deprecated: operation.deprecated,
    }),
    name,
    call: runtime.beside(given),
    spec: code`${given}Pages$`,
    members: pageSpec(context, operation, rule, runtime),
  };
}

/** What a caller sees, of the function and of the member of the grouped object. */
export function pagedSignature(
  context: PlanContext,
  { operation, rule }: PagedCall,
  runtime: RuntimeImports,
  printer: TypePrinter,
): Pick<CallSignature, 'input' | 'options' | 'result'> {
  const names = context.names.operationOf(operation);
  const pageOptions = runtime.use('PageOptions');
  const servers = serverNames(operation.servers ?? context.api.servers);
  const result =
    rule.accept === undefined
      ? code`${names.result}`
      : code`${runtime.use('Accepted')}<${names.result}, ${literal(rule.accept)}>`;
  return {
    input: operationInput(context, operation).required ? code`input: ${names.input}` : code`input?: ${names.input}`,
    options: servers.length > 0 ? code`${pageOptions}<${joinCode(servers, ', ')}>` : pageOptions,
    result: code`${runtime.use('Paginated')}<${itemType(rule, printer)}, ${result}>`,
  };
}

function itemType({ lists }: PageRule, printer: TypePrinter): Code {
  const types = itemPlaces(lists).map(({ shape, owner }) => inLine(printer.print(shape, 'read', owner), 0));
  return types.length === 0 ? code`unknown` : joinCode([...new Set(types)], ' | ');
}

const steps: Readonly<Record<PaginationKind, RuntimeName>> = {
  cursor: 'nextCursor',
  link: 'nextLink',
  url: 'nextUrl',
  page: 'nextNumber',
  offset: 'nextOffset',
};

/** The members of the literal that says how an operation is paged. */
export function pageSpec(context: PlanContext, operation: Operation, rule: PageRule, runtime: RuntimeImports): Code {
  const { kind, items, next, parameter, more, total, pages, size, start, accept } = rule;
  const follows = kind === 'link' || kind === 'url';
  const members: readonly (readonly [string, Code | undefined])[] = [
    ['items', literal(items)],
    ['next', runtime.use(steps[kind])],
    ['follow', follows ? runtime.use('followLink') : undefined],
    ['from', next && source(next)],
    ['to', parameter && literal(parameter.path)],
    ['more', more && source(more)],
    ['total', total && source(total)],
    ['pages', pages && source(pages)],
    ['start', start === undefined ? undefined : number(start)],
    ['size', size && sizeOf(size)],
    ['accept', accept === undefined ? undefined : literal(accept)],
    ['keys', follows ? keysOf(context, operation) : undefined],
  ];
  return joinCode(
    members.flatMap(([name, value]) => (value === undefined ? [] : [code`${name as Code}: ${value},`])),
    '\n',
  );
}

function source(place: SourcePlace): Code {
  return place.kind === 'header'
    ? code`{ header: ${literal(place.name)} }`
    : code`{ ${place.kind as Code}: ${literal(place.path)} }`;
}

function sizeOf(size: NonNullable<PageRule['size']>): Code {
  const bounds = [
    ...(size.default === undefined ? [] : [code`default: ${number(size.default)}`]),
    ...(size.max === undefined ? [] : [code`max: ${number(size.max)}`]),
  ];
  return code`{ ${joinCode([code`to: ${literal(size.path)}`, ...bounds], ', ')} }`;
}

/** The names of credentials that travel in the query. */
function keysOf({ api }: PlanContext, { security }: Operation): Code | undefined {
  const used = new Set(security.flat().map(({ scheme }) => scheme));
  const keys = api.securitySchemes.flatMap((scheme) => {
    const credential = used.has(scheme.name) ? credentialOf(scheme) : undefined;
    if (credential === undefined || credential === 'transport' || credential.apply !== 'keyInQuery') return [];
    return credential.parameter ?? [];
  });
  return keys.length === 0 ? undefined : literal(keys);
}
