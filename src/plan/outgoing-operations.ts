/**
 * Webhooks and callbacks as operations, for the targets that receive and send them: a receiver serves them, a sender calls
 * them. The service sends them and gets the answers, so what it reads and writes is the other way round.
 */
import type { Identifier } from '../encode.js';
import type { Operation, OutgoingRequest } from '../ir/api.js';
import { camelCase, pascalCase } from './identifiers.js';
import { otherSide } from './inline-schemas.js';
import { type Claim, NameScope } from './name-scope.js';
import { operationNames, operationSuffixes, outgoingBase } from './names.js';
import { documentNames } from './own-names.js';
import type { Names, OperationNames, PlanContext } from './target.js';
import type { TypePrinter } from './type-text.js';

/** A webhook or callback as an operation. */
export interface OutgoingOperation extends Operation {
  readonly request: OutgoingRequest;
}

export interface OutgoingPlan {
  readonly operations: readonly OutgoingOperation[];
  /** The plan's context with these operations and their names, seen from the other side. */
  readonly context: PlanContext;
  /** What sends an operation: `sendOnPriceChanged`. */
  senderOf(operation: Operation): Identifier;
}

export function outgoingPlan(context: PlanContext): OutgoingPlan {
  const operations = outgoingOperations(context);
  const { names, senders } = nameOperations(context, operations);
  const operationOf = (operation: Operation): OperationNames =>
    names.get(operation.id) ?? context.names.operationOf(operation);
  return {
    operations,
    context: {
      ...context,
      api: { ...context.api, operations, outgoing: [] },
      names: otherNames(context.names, operationOf),
    },
    senderOf: ({ id }) => senders.get(id) ?? ('send' as Identifier),
  };
}

/** Where they arrive: below `/`, as the document calls them; of callbacks with one name, the later ones with a number. */
function outgoingOperations({ api }: PlanContext): readonly OutgoingOperation[] {
  const paths = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const { id, origin, name, at, expression } of [...api.outgoing].sort((left, right) =>
    left.id < right.id ? -1 : 1,
  )) {
    const place =
      origin === 'webhook'
        ? name
        : `${at.document} ${at.pointer.slice(0, at.pointer.lastIndexOf('/'))} ${expression ?? ''}`;
    let text = `/${name}`;
    for (let number = 2; (taken.get(text) ?? place) !== place; number += 1) text = `/${name}-${number}`;
    taken.set(text, place);
    paths.set(id, text);
  }
  return api.outgoing.map((request) => {
    const text = paths.get(request.id) ?? '/';
    return {
      ...request,
      path: { text, parts: [{ kind: 'literal', text }] },
      // No path has variables here, and whoever sends proves it by a signature.
      parameters: request.parameters.filter((parameter) => parameter.in !== 'path'),
      security: [],
      request,
    };
  });
}

interface OutgoingNames {
  readonly names: ReadonlyMap<string, OperationNames>;
  readonly senders: ReadonlyMap<string, Identifier>;
}

/** In a scope of their own, behind everything that the document names. */
function nameOperations(context: PlanContext, operations: readonly OutgoingOperation[]): OutgoingNames {
  const scope = new NameScope(context.report);
  const reserve = (name: string): Claim => claim(name, [name], 'type', () => undefined, name);
  scope.settle([...documentNames(context), ...ownNames].map(reserve));
  const functions = nameHandlers(context, operations, scope);
  const senders = new Map<string, Identifier>();
  const names = new Map<string, OperationNames>();
  const claims = operations.flatMap((operation): readonly Claim[] => {
    const { id } = operation;
    const handler = functions.get(id) ?? ('unnamed' as Identifier);
    const base = pascalCase(handler);
    const given = new Map<string, Identifier>();
    names.set(
      id,
      operationNames(operation, handler, (suffix) => given.get(suffix) ?? (`${base}${suffix}` as Identifier)),
    );
    return [
      ...operationSuffixes(operation).map((suffix) =>
        claim(id, [`${base}${suffix}`, `${base}Webhook${suffix}`], 'type', (found) => void given.set(suffix, found)),
      ),
      claim(id, [`send${base}`, `send${base}Request`], 'value', (found) => void senders.set(id, found)),
    ];
  });
  scope.settle(claims);
  return { names, senders };
}

function claim(
  tiebreak: string,
  candidates: readonly string[],
  space: Claim['space'],
  give: Claim['give'],
  spelling?: string,
): Claim {
  return { candidates, tiebreak, space, give, ...(spelling !== undefined && { spelling }) };
}

/** The keys of the handlers, by the ids of the operations. */
function nameHandlers(
  context: PlanContext,
  operations: readonly OutgoingOperation[],
  scope: NameScope,
): ReadonlyMap<string, Identifier> {
  const functions = new Map<string, Identifier>();
  const parents = new Map(context.api.operations.flatMap((one) => one.callbacks.map((id) => [id, one] as const)));
  scope.settle(
    operations.map(({ id, method, request }) => {
      const base = camelCase(outgoingBase(request));
      // Callbacks of one name belong to different operations, mostly.
      const parent = parents.get(id);
      const owned = parent ? [camelCase(`${context.names.operationOf(parent).function} ${base}`)] : [];
      const candidates = [base, ...owned, camelCase(`${base} ${method.toLowerCase()}`)];
      return claim(id, candidates, 'value', (name) => void functions.set(id, name));
    }),
  );
  return functions;
}

/** Exports of these files that no type of them may be called. */
const ownNames = ['Handlers', 'Principals', 'SecurityHooks', 'WebhookOptions', 'contract', 'emit', 'createSender'];

function otherNames(names: Names, operationOf: Names['operationOf']): Names {
  return {
    ...names,
    operationOf,
    typeOf: (schema, direction) => names.typeOf(schema, otherSide(direction)),
    wireOf: (schema, direction) => names.wireOf(schema, otherSide(direction)),
    validatorOf: (schema, direction) => names.validatorOf(schema, otherSide(direction)),
  };
}

/** Prints types as the other side sees them. The printer itself has the names of the plan. */
export function otherPrinter(printer: TypePrinter): Pick<TypePrinter, 'typeOf' | 'textOf' | 'formOf'> {
  return {
    typeOf: (schema, direction, level) => printer.typeOf(schema, otherSide(direction), level),
    textOf: (schema, direction, level) => printer.textOf(schema, otherSide(direction), level),
    formOf: (shape, schema, form, direction) => printer.formOf(shape, schema, form, otherSide(direction)),
  };
}
