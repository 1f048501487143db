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
  const root = operationGroups(context);
  const runtime = new RuntimeImports();
  const taken = new Set(documentNames(context));
  const interfaces = interfaceNames(root, taken);
  const groups = [...interfaces.keys()].map((group) => groupView(context, group, interfaces, runtime));
  const operations = api.operations.map((operation) => names.operationOf(operation));
  runtime.use('Client');
  const types = operations.flatMap(({ input, result }) => [input, result]);
  const functions = operations.map((operation) => operation.function).sort();
  return {
    imports: [
      ...importNames(
        functions.map((name) => ({ isType: false, text: code`${name} as $${name}` })),
        './client',
        options,
      ),
      ...importTypes(types, './operations', options),
      ...runtime.imports(options),
    ],
    api: interfaceOf(interfaces, root),
    createApi: ownName(taken, 'createApi', 'createGroupedApi'),
    groups,
    body: bodyOf(context, root),
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
  };
}

function docOf({ tag, tags }: OperationGroup): Code {
  const text = tag?.description ?? tag?.summary ?? `The operations with the tag \`${tags.at(-1) ?? ''}\`.`;
  return docComment({ text });
}

function bodyOf(context: PlanContext, { groups, operations }: OperationGroup): Code {
  return joinCode(
    [
      ...groups.map((below) => code`${key(below.key)}: {\n${bodyOf(context, below.group)}\n},`),
      ...operations.map((entry) => {
        const name = context.names.operationOf(entry.operation).function;
        return code`${key(entry.key)}: (input, options) => $${name}(client, input, options),`;
      }),
    ],
    '\n',
  );
}
