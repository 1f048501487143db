/**
 * Webhooks and callbacks as operations, for the targets that receive and send them: a receiver serves them, a sender calls
 * them. The service sends them and gets the answers, so what it reads and writes is the other way round.
 */
import type { Identifier } from '../encode.js';
import type { Operation, OutgoingRequest } from '../ir/api.js';
import { camelCase, pascalCase } from './identifiers.js';
import { otherSide } from './inline-schemas.js';
import { type Claim, NameScope } from './name-scope.js';
import { answerSuffix, operationSuffixes, outgoingBase } from './names.js';
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
  const operationNames = (operation: Operation): OperationNames => {
    const found = names.get(operation.id);
    return found ?? context.names.operationOf(operation);
  };
  return {
    operations,
    context: {
      ...context,
      api: { ...context.api, operations, outgoing: [] },
      names: otherNames(context.names, operationNames),
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
  const reserve = (name: string): Claim => ({
    candidates: [name],
    tiebreak: name,
    space: 'type',
    spelling: name,
    give: () => undefined,
  });
  scope.settle([...documentNames(context), ...ownNames].map(reserve));
  const functions = new Map<string, Identifier>();
  const senders = new Map<string, Identifier>();
  const claim = (
    operation: OutgoingOperation,
    candidates: readonly string[],
    give: Claim['give'],
    space: Claim['space'],
  ): Claim => ({
    candidates,
    tiebreak: operation.id,
    space,
    give,
  });
  scope.settle(
    operations.map((operation) => {
      const base = camelCase(outgoingBase(operation.request));
      const method = camelCase(`${base} ${operation.method.toLowerCase()}`);
      // Callbacks of one name belong to different operations, mostly.
      const parent = context.api.operations.find(({ callbacks }) => callbacks.includes(operation.id));
      const owned = parent ? [camelCase(`${context.names.operationOf(parent).function} ${base}`)] : [];
      return claim(operation, [base, ...owned, method], (name) => void functions.set(operation.id, name), 'value');
    }),
  );
  const names = new Map<string, OperationNames>();
  const claims = operations.flatMap((operation) => {
    const handler = functions.get(operation.id) ?? ('unnamed' as Identifier);
    const base = pascalCase(handler);
    const given = new Map<string, Identifier>();
    const name = (suffix: string): Identifier => given.get(suffix) ?? (`${base}${suffix}` as Identifier);
    const { responses } = operation;
    names.set(operation.id, {
      function: handler,
      get input() {
        return name('Input');
      },
      get result() {
        return name('Result');
      },
      get replies() {
        return name('Replies');
      },
      get request() {
        return name('Request');
      },
      answerOf: (response, content) => name(answerSuffix(responses, response, content)),
      eventOf: (response, content) => name(`${answerSuffix(responses, response, content)}Event`),
    });
    return [
      ...operationSuffixes(operation).map((suffix) =>
        claim(
          operation,
          [`${base}${suffix}`, `${base}Webhook${suffix}`],
          (found) => void given.set(suffix, found),
          'type',
        ),
      ),
      claim(
        operation,
        [`send${base}`, `send${base}Request`],
        (found) => void senders.set(operation.id, found),
        'value',
      ),
    ];
  });
  scope.settle(claims);
  return { names, senders };
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
export function otherPrinter(printer: TypePrinter): Pick<TypePrinter, 'typeOf' | 'formOf'> {
  return {
    typeOf: (schema, direction, level) => printer.typeOf(schema, otherSide(direction), level),
    formOf: (shape, schema, form) => printer.formOf(shape, schema, form),
  };
}
