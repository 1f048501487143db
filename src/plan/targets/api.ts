/** Target `api`: the operations as one object, grouped by tag. In a file of its own, so that `client.ts` stays tree-shakable. */
import { type Code, code, type Identifier, joinCode, key } from '../../encode.js';
import { outputPath } from '../../output.js';
import { type CallSignature, callDoc, callSignature } from '../call-signature.js';
import { docComment } from '../doc-comment.js';
import { pascalCase } from '../identifiers.js';
import { importNames, importTypes } from '../imports.js';
import { reportNoOperation } from '../nothing-left.js';
import { type OperationGroup, operationGroups } from '../operation-groups.js';
import { documentNames, ownName } from '../own-names.js';
import { RuntimeImports } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { TypePrinter } from '../type-text.js';
import { type LinkView, linkView, type NamedLink, namedLinks } from './client-links.js';
import { type PagedCall, pagedCalls, pagedSignature } from './client-pages.js';

export interface ApiView {
  readonly imports: readonly ImportView[];
  readonly api: Identifier;
  readonly createApi: Identifier;
  /** The root first, each before those inside. */
  readonly groups: readonly ApiGroupView[];
  /** The members of the object. */
  readonly body: Code;
}

export interface ApiGroupView {
  /** A comment with its line end. */
  readonly doc: Code;
  readonly name: Identifier;
  readonly groups: readonly { readonly doc: Code; readonly member: Code; readonly type: Identifier }[];
  readonly calls: readonly ApiCallView[];
  /** What pages through operations. */
  readonly paged: readonly ApiPagedView[];
  /** What follows links of answers. */
  readonly linked: readonly ApiLinkView[];
}

export interface ApiLinkView extends Pick<LinkView, 'doc' | 'generics' | 'from' | 'input' | 'options' | 'result'> {
  readonly member: Code;
}

export interface ApiPagedView extends Omit<CallSignature, 'generics'> {
  readonly doc: Code;
  readonly member: Code;
}

export interface ApiCallView extends CallSignature {
  readonly doc: Code;
  readonly member: Code;
}

export const apiTarget: Target = {
  name: 'api',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, options, report } = context;
    if (api.operations.length === 0) {
      reportNoOperation(options, report);
      return [];
    }
    const path = outputPath('api.ts');
    return [{ kind: 'template', path, template: 'api/api', view: viewOf(context), ownership: 'generated' }];
  },
};

function viewOf(context: PlanContext): ApiView {
  const { api, names, options } = context;
  const calls = pagedCalls(context);
  const links = namedLinks(context);
  const root = operationGroups(
    context,
    new Map(calls.map(({ operation, name }) => [operation.id, name])),
    links.map(({ name, from, link }) => ({ name, from: from.id, link: link.name })),
  );
  const runtime = new RuntimeImports();
  const taken = new Set(documentNames(context));
  const interfaces = interfaceNames(root, taken);
  const paging: Paging = {
    calls: new Map(calls.map((call) => [call.operation.id, call])),
    printer: new TypePrinter(api, names, options),
  };
  const following: Following = { links: new Map(links.map((link) => [link.name, link])), types: new Set() };
  const groups = [...interfaces.keys()].map((group) =>
    groupView(context, group, interfaces, runtime, { ...paging, ...following }),
  );
  const operations = api.operations.map((operation) => names.operationOf(operation));
  runtime.use('Client');
  const types = new Set([...operations.flatMap(({ input, result }) => [input, result]), ...following.types]);
  const functions = operations.map((operation) => operation.function).sort();
  return {
    imports: [
      ...importNames(runtime.besides(functions), './client', options),
      ...importNames(runtime.besides(calls.map(({ name }) => name)), './pagination', options),
      ...importNames(runtime.besides(links.map(({ name }) => name)), './links', options),
      ...importTypes(types, './operations', options),
      ...importTypes(paging.printer.used, './types', options),
      ...runtime.imports(options),
    ],
    api: interfaceOf(interfaces, root),
    createApi: ownName(taken, 'createApi', 'createGroupedApi'),
    groups,
    body: bodyOf(context, root, paging, runtime),
  };
}

/** `Api`, `PetsApi`: in the order in which they are printed. */
function interfaceNames(root: OperationGroup, taken: Set<string>): ReadonlyMap<OperationGroup, Identifier> {
  const names = new Map<OperationGroup, Identifier>();
  const visit = (group: OperationGroup): void => {
    const wanted = `${pascalCase(group.tags.join(' '))}Api`;
    const name = ownName(taken, wanted, `${wanted}Group`);
    taken.add(name);
    names.set(group, name);
    for (const below of group.groups) visit(below.group);
  };
  visit(root);
  return names;
}

function interfaceOf(names: ReadonlyMap<OperationGroup, Identifier>, group: OperationGroup): Identifier {
  const name = names.get(group);
  if (name === undefined) throw new Error('a group without a name');
  return name;
}

function groupView(
  context: PlanContext,
  group: OperationGroup,
  interfaces: ReadonlyMap<OperationGroup, Identifier>,
  runtime: RuntimeImports,
  { calls, printer, links, types }: Paging & Following,
): ApiGroupView {
  return {
    doc: group.tags.length === 0 ? docComment({ text: 'All operations, by tag.' }) : docOf(group),
    name: interfaceOf(interfaces, group),
    groups: group.groups.map((below) => ({
      doc: docOf(below.group),
      member: key(below.key),
      type: interfaceOf(interfaces, below.group),
    })),
    calls: group.operations.map((entry) => ({
      ...callSignature(context, entry.operation, runtime),
      doc: callDoc(entry.operation),
      member: key(entry.key),
    })),
    paged: group.paged.flatMap((entry) => {
      const call = calls.get(entry.operation.id);
      if (!call) return [];
      return { ...pagedSignature(context, call, runtime, printer), doc: pagedDoc(call), member: key(entry.key) };
    }),
    linked: group.linked.flatMap((entry) => {
      const link = links.get(entry.name);
      return link ? { ...linkView(context, link, runtime, types), member: key(entry.key) } : [];
    }),
  };
}

/** What pages through operations, by their ids. */
interface Paging {
  readonly calls: ReadonlyMap<string, PagedCall>;
  readonly printer: TypePrinter;
}

/** What follows links, by the names of the functions, and the types in their signatures. */
interface Following {
  readonly links: ReadonlyMap<Identifier, NamedLink>;
  readonly types: Set<Identifier>;
}

function pagedDoc({ operation }: PagedCall): Code {
  return docComment({
    text: `The items of all pages of \`${operation.method} ${operation.path.text}\`.`,
    deprecated: operation.deprecated,
  });
}

function docOf({ tag, tags }: OperationGroup): Code {
  const text = tag?.description ?? tag?.summary ?? `The operations with the tag \`${tags.at(-1) ?? ''}\`.`;
  return docComment({ text });
}

function bodyOf(
  context: PlanContext,
  { groups, operations, paged, linked }: OperationGroup,
  paging: Paging,
  runtime: RuntimeImports,
): Code {
  return joinCode(
    [
      ...groups.map((below) => code`${key(below.key)}: {\n${bodyOf(context, below.group, paging, runtime)}\n},`),
      ...operations.map((entry) => {
        const name = context.names.operationOf(entry.operation).function;
        return code`${key(entry.key)}: (input, options) => ${runtime.beside(name)}(client, input, options),`;
      }),
      ...paged.flatMap((entry) => {
        const name = paging.calls.get(entry.operation.id)?.name;
        return name === undefined
          ? []
          : code`${key(entry.key)}: (input, options) => ${runtime.beside(name)}(client, input, options),`;
      }),
      ...linked.map(
        (entry) =>
          code`${key(entry.key)}: (from, input, options) => ${runtime.beside(entry.name)}(client, from, input, options),`,
      ),
    ],
    '\n',
  );
}
