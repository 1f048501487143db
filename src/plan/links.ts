/** Links of answers to further operations (OpenAPI, Link Object), held against the two operations that they lie between. */
import { quote } from '../diagnostics.js';
import { type Code, code, joinCode, literal } from '../encode.js';
import type { Operation, Parameter, Response } from '../ir/api.js';
import type { Link } from '../ir/details.js';
import { isNamed } from '../ir/parameter-names.js';
import type { JsonValue } from '../ir/schema.js';
import { nearest } from '../nearest.js';
import type { LinkTargets } from './link-targets.js';
import { operationInput } from './operation-input.js';
import { type Expression, readTemplate, type TextPiece } from './runtime-expressions.js';
import { placesAt } from './shape-places.js';
import type { PlanContext } from './target.js';

/** A value that a link gives to the next call. */
export interface LinkedValue {
  /** Where it goes in the input: `path`, `id`; or `body` alone. */
  readonly to: readonly string[];
  readonly value: LinkedContent;
  /** Whether there is no call without it. */
  readonly required: boolean;
}

export type LinkedContent =
  | { readonly kind: 'constant'; readonly value: JsonValue }
  | { readonly kind: 'pieces'; readonly pieces: readonly TextPiece[] };

export interface PlannedLink {
  readonly link: Link;
  readonly from: Operation;
  /** The response's place in the operation. */
  readonly response: number;
  readonly to: Operation;
  readonly values: readonly LinkedValue[];
  /** The groups of the first call's input that values come from. */
  readonly inputGroups: readonly string[];
  /** Whether a caller has to give anything more. */
  readonly required: boolean;
}

/** The links that lead somewhere; what is wrong with the others is reported. */
export function plannedLinks(context: PlanContext, targets: LinkTargets): readonly PlannedLink[] {
  return context.api.operations.flatMap((operation) =>
    operation.responses.flatMap((response, index) =>
      response.links.flatMap((link) => {
        try {
          return [new LinkReading(context, operation, response, link).planned(index, targets)];
        } catch (error) {
          if (!(error instanceof LinkFault)) throw error;
          context.report.report('link-unresolved', `the link ${quote(link.name)}: ${error.message}`, link.at);
          return [];
        }
      }),
    ),
  );
}

class LinkFault extends Error {}

function refuse(message: string): never {
  throw new LinkFault(message);
}

function meant(name: string, known: readonly string[]): string {
  const found = nearest(name, known);
  return found === undefined ? '' : `; did you mean ${quote(found)}?`;
}

const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

class LinkReading {
  readonly #context: PlanContext;
  readonly #from: Operation;
  readonly #response: Response;
  readonly #link: Link;
  readonly #inputGroups = new Set<string>();

  constructor(context: PlanContext, from: Operation, response: Response, link: Link) {
    this.#context = context;
    this.#from = from;
    this.#response = response;
    this.#link = link;
  }

  planned(response: number, targets: LinkTargets): PlannedLink {
    const to = targets.of(this.#link) ?? this.#nowhere();
    const input = operationInput(this.#context, to);
    const parameters = Object.entries(this.#link.parameters).map(([name, value]): LinkedValue => {
      const parameter = parameterOf(to, name);
      const group =
        groups[parameter.in as keyof typeof groups] ?? refuse(`a parameter in ${parameter.in} cannot be linked to`);
      const planned = input.parameters.find((one) => one.parameter === parameter);
      return { to: [group, parameter.name], value: this.#content(value), required: planned?.required ?? false };
    });
    const { requestBody } = this.#link;
    if (requestBody && !input.body) refuse('the operation that it leads to takes no body');
    const body: readonly LinkedValue[] = requestBody
      ? [{ to: ['body'], value: this.#content(requestBody.value), required: input.body?.required ?? false }]
      : [];
    const values = [...parameters, ...body];
    const given = new Set(values.map((value) => value.to.join('/')));
    const isLeft = input.parameters.some((one) => one.required && !given.has(`${one.group}/${one.parameter.name}`));
    return {
      link: this.#link,
      from: this.#from,
      response,
      to,
      values,
      inputGroups: [...this.#inputGroups].sort(),
      required: isLeft || (input.body?.required === true && !requestBody),
    };
  }

  #nowhere(): never {
    const { operationId, operationRef } = this.#link;
    const known = this.#context.api.operations.flatMap((operation) => operation.operationId ?? []);
    if (operationId !== undefined)
      return refuse(`there is no operation ${quote(operationId)}${meant(operationId, known)}`);
    return refuse(
      operationRef === undefined ? 'it names no operation' : `${quote(operationRef)} leads to no operation of this API`,
    );
  }

  #content(value: JsonValue): LinkedContent {
    if (typeof value !== 'string') return { kind: 'constant', value };
    const pieces = readTemplate(value) ?? refuse(`${quote(value)} is no runtime expression`);
    const [only] = pieces;
    if (only === undefined || (pieces.length === 1 && typeof only === 'string')) return { kind: 'constant', value };
    for (const piece of pieces) if (typeof piece !== 'string') this.#check(piece, value);
    return { kind: 'pieces', pieces: pieces.map((piece) => (typeof piece === 'string' ? piece : this.#spelt(piece))) };
  }

  /** What the expression speaks of must be there. */
  #check(expression: Expression, text: string): void {
    if (!('of' in expression)) return;
    const { of, kind } = expression;
    if (of === 'response') {
      if (kind !== 'body') {
        if (kind !== 'header') refuse(`${quote(text)} is no runtime expression`);
        return;
      }
      const { path } = expression;
      const schemas = this.#response.content.flatMap(({ schema }) => schema ?? []);
      if (schemas.length > 0 && !schemas.some((schema) => placesAt(this.#context.api, schema, path).length > 0)) {
        refuse(`the answer has nothing at ${quote(text)}`);
      }
      return;
    }
    if (kind === 'body') {
      if (!this.#from.body) refuse(`the operation has no body for ${quote(text)}`);
      this.#inputGroups.add('body');
    } else {
      const known = this.#from.parameters.filter((parameter) => parameter.in === kind);
      const { name } = expression;
      if (!known.some((parameter) => isNamed(parameter, name))) {
        refuse(
          `the operation has no ${kind} parameter ${quote(name)}${meant(
            name,
            known.map((one) => one.name),
          )}`,
        );
      }
      this.#inputGroups.add(groups[kind]);
    }
  }

  /** A parameter as the operation spells it. */
  #spelt(expression: Expression): Expression {
    if (!('name' in expression) || expression.of !== 'request') return expression;
    const { kind, name } = expression;
    const found = this.#from.parameters.find((parameter) => parameter.in === kind && isNamed(parameter, name));
    return { ...expression, name: found?.name ?? name };
  }
}

/** By its name, or with its place in front: `path.id`. */
function parameterOf({ parameters }: Operation, text: string): Parameter {
  const [, place, name = text] = /^(path|query|header|cookie)\.(.+)$/s.exec(text) ?? [];
  const qualified = place === undefined ? undefined : parameters.find((one) => one.in === place && isNamed(one, name));
  const plain = parameters.filter((one) => isNamed(one, text));
  const found = qualified ?? plain.find((one) => one.in === 'path') ?? plain[0];
  return (
    found ??
    refuse(
      `the operation that it leads to has no parameter ${quote(text)}${meant(
        text,
        parameters.map((one) => one.name),
      )}`,
    )
  );
}

/** The value as the runtime takes it. */
export function linkedText({ to, value, required }: LinkedValue, { from }: PlannedLink): Code {
  const content =
    value.kind === 'constant'
      ? code`constant: ${literal(value.value)}`
      : value.pieces.length === 1
        ? code`value: ${pieceText(value.pieces[0] ?? '', from)}`
        : code`text: [${joinCode(
            value.pieces.map((piece) => pieceText(piece, from)),
            ', ',
          )}]`;
  return code`{ to: ${literal(to)}, ${content}${required ? code`, required: true` : code``} }`;
}

function pieceText(piece: TextPiece, from: Operation): Code {
  if (typeof piece === 'string') return literal(piece);
  switch (piece.kind) {
    case 'url':
      return code`{ answer: "url" }`;
    case 'statusCode':
      return code`{ answer: "status" }`;
    case 'method':
      return literal(from.method);
    case 'body':
      return piece.of === 'response'
        ? code`{ body: ${literal(piece.path)} }`
        : code`{ input: ${literal(['body', ...piece.path])} }`;
    default:
      return piece.of === 'response'
        ? code`{ header: ${literal(piece.name.toLowerCase())} }`
        : code`{ input: ${literal([groups[piece.kind], piece.name])} }`;
  }
}
