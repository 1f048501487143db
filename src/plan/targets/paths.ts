/**
 * Target `paths`: the contract as the interfaces `paths`, `operations` and `components` that openapi-typescript 7 writes,
 * for openapi-fetch and what stands on it. The types of schemas are those of `types.ts`, so that editors show short names.
 */
import { quote } from '../../diagnostics.js';
import { type Code, code, joinCode, key, literal } from '../../encode.js';
import type { Api, ApiRequest, Operation, Parameter } from '../../ir/api.js';
import type { SchemaId } from '../../ir/schema.js';
import { outputPath } from '../../output.js';
import { docComment, saidOf } from '../doc-comment.js';
import { importTypes } from '../imports.js';
import { indentBy } from '../indentation.js';
import { reportNoOperation } from '../nothing-left.js';
import { block, line, PathTypes } from '../path-types.js';
import { addressKey, SharedParts } from '../shared-parts.js';
import type { ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { TypePrinter, typed } from '../type-text.js';

export interface PathsView {
  readonly imports: readonly ImportView[];
  readonly declarations: readonly PathsDeclarationView[];
}

export interface PathsDeclarationView {
  readonly doc: Code;
  readonly name: Code;
  /** Whether the document has nothing of the kind. */
  readonly isEmpty: boolean;
  /** The members of the interface, as finished lines. */
  readonly body: Code;
}

export const pathsTarget: Target = {
  name: 'paths',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, options } = context;
    if (api.operations.length === 0 && api.outgoing.length === 0 && api.components.length === 0) {
      reportNoOperation(options, context.report);
      return [];
    }
    reportPins(context);
    const path = outputPath('paths.ts');
    return [{ kind: 'template', path, template: 'paths/paths', view: viewOf(context), ownership: 'generated' }];
  },
};

/** Types out of a document are written PascalCase: only a pin gives one of them a name of ours. */
function reportPins({ names, report }: PlanContext): void {
  const own = new Set(['paths', 'webhooks', 'components', 'operations']);
  for (const { name } of names.types) {
    if (own.has(name)) report.report('pin-unusable', `names: the target paths has a type ${quote(name)} of its own`);
  }
}

function viewOf({ api, names, options }: PlanContext): PathsView {
  // What reads these types does not decode: they say what travels.
  const printer = new TypePrinter(api, names, options, 'wire');
  const shared = new SharedParts(api);
  const types = new PathTypes(printer, shared);
  const named = operationsById(api.operations);
  const operations = [...named].map(
    ([id, operation]) => code`${docOf(operation, 1)}${types.operation(key(id), operation, 1)}`,
  );
  const hasComponents = api.components.length > 0 || shared.size > 0;
  const declarations = [
    declaration('What each path takes and answers, by method.', 'paths', pathLines(api, types, named)),
    declaration('What the service sends of its own accord, by name and method.', 'webhooks', webhookLines(api, types)),
    declaration(
      'What the document names.',
      'components',
      hasComponents ? componentLines(api, types, shared, printer) : [],
    ),
    declaration('Definitions outside of `components`: none.', '$defs', []),
    declaration('What each operation takes and answers, by its `operationId`.', 'operations', operations),
  ];
  return { imports: importTypes(printer.used, './types', options), declarations };
}

function declaration(doc: string, name: string, lines: readonly Code[]): PathsDeclarationView {
  return { doc: doc as Code, name: name as Code, isEmpty: lines.length === 0, body: joinCode(lines, '\n') };
}

/** The methods that every path has a member for, in the order in which openapi-typescript prints them. */
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Of operations that share an `operationId`, the first by address has it; the others are printed in place. */
function operationsById(operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  const found = new Map<string, Operation>();
  for (const operation of operations) {
    if (operation.operationId === undefined) continue;
    // openapi-typescript writes it so: `#` separates the parts of ids that some frameworks make.
    const id = operation.operationId.replaceAll('#', '/');
    const other = found.get(id);
    if (other === undefined || operation.id < other.id) found.set(id, operation);
  }
  return found;
}

function pathLines(api: Api, types: PathTypes, named: ReadonlyMap<string, Operation>): readonly Code[] {
  const ids = new Map([...named].map(([id, operation]) => [operation, id]));
  return [...groupBy(api.operations, ({ path }) => path.text)].map(([path, operations]) => {
    const members = operations.map((operation): readonly [string, Code] => {
      const name = methodKey(operation.method);
      const id = ids.get(operation);
      if (id !== undefined) return [name, line(2, code`${key(name)}: operations[${literal(id)}]`)];
      return [name, code`${docOf(operation, 2)}${types.operation(key(name), operation, 2)}`];
    });
    return block(1, key(path), [types.parameters(pathParameters(operations), 2), ...withAllMethods(members)]);
  });
}

function webhookLines({ outgoing }: Api, types: PathTypes): readonly Code[] {
  const webhooks = outgoing.filter(({ origin }) => origin === 'webhook');
  return [...groupBy(webhooks, ({ name }) => name)].map(([webhook, requests]) => {
    const members = requests.map((request): readonly [string, Code] => {
      const name = methodKey(request.method);
      return [name, code`${docOf(request, 2)}${types.webhook(key(name), request, 2)}`];
    });
    return block(1, key(webhook), [types.parameters(pathParameters(requests), 2, 'read'), ...withAllMethods(members)]);
  });
}

/** Methods that no path item of OpenAPI 3.1 has stand behind the others. */
function withAllMethods(given: readonly (readonly [string, Code])[]): readonly Code[] {
  const members = new Map(given);
  const known = new Set<string>(methods);
  return [
    ...methods.map((method) => members.get(method) ?? line(2, code`${key(method)}?: never`)),
    ...[...members].flatMap(([method, text]) => (known.has(method) ? [] : [text])),
  ];
}

function methodKey(method: string): string {
  const name = method.toLowerCase();
  return name === 'query' || methods.some((known) => known === name) ? name : method;
}

/** What stands in the path item: parameters that all its operations have from one place, which none of them is. */
function pathParameters(requests: readonly ApiRequest[]): readonly Parameter[] {
  const [first, ...others] = requests;
  const placesOf = ({ parameters }: ApiRequest): ReadonlySet<string> =>
    new Set(parameters.map(({ at }) => addressKey(at)));
  const places = others.map(placesOf);
  return (first?.parameters ?? []).filter(({ at }) => {
    const own = first !== undefined && addressKey(at).startsWith(`${addressKey(first.at)}/`);
    return !own && places.every((set) => set.has(addressKey(at)));
  });
}

function componentLines(
  { components }: Api,
  types: PathTypes,
  shared: SharedParts,
  printer: TypePrinter,
): readonly Code[] {
  const schemas = new Map<string, SchemaId>();
  for (const { name, schema } of components) if (!schemas.has(name)) schemas.set(name, schema);
  const section = (name: string, lines: readonly Code[]): Code =>
    lines.length === 0 ? line(1, code`${key(name)}: never`) : block(1, key(name), lines);
  return [
    section(
      'schemas',
      [...schemas].map(
        ([name, schema]) => code`${indentBy(2)}${key(name)}${typed(printer.typeOf(schema, 'read', 2))};`,
      ),
    ),
    section(
      'responses',
      [...shared.responses.values()].map(({ name, part }) => types.response(key(name), part, 2)),
    ),
    section(
      'parameters',
      [...shared.parameters.values()].map(({ name, part }) => types.parameter(key(name), part, 2)),
    ),
    section(
      'requestBodies',
      [...shared.requestBodies.values()].map(({ name, part }) => types.body(key(name), part, 2)),
    ),
    section('headers', []),
    section('pathItems', []),
  ];
}

function docOf(request: ApiRequest, level: number): Code {
  const text = saidOf(request).join('\n\n') || undefined;
  return docComment({ text, deprecated: request.deprecated }, indentBy(level));
}

function groupBy<T>(values: readonly T[], nameOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const known = groups.get(nameOf(value));
    if (known) known.push(value);
    else groups.set(nameOf(value), [value]);
  }
  return groups;
}
