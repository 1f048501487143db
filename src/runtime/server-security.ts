// SPDX-License-Identifier: 0BSD
import type { OperationContract, RequirementContract, SchemeContract } from './server-contract.js';
import { type Basic, Forbidden, type RequestContext, type SecurityHook } from './server-options.js';
import type { QueryPair } from './server-querystring.js';

type AnyHook = SecurityHook<unknown, unknown>;

/** Where credentials are read from. */
export interface CredentialSource {
  readonly query: readonly QueryPair[];
  readonly cookies: ReadonlyMap<string, readonly string[]>;
  header(name: string): string | undefined;
}

export type SecurityOutcome =
  | { readonly kind: 'passed'; readonly principals: Readonly<Record<string, unknown>> }
  | { readonly kind: 'forbidden'; readonly detail: string | undefined }
  | { readonly kind: 'unauthorized'; readonly challenge: string };

/** Checks the callers of all operations. A scheme that is used and has no hook is an error at the start. */
export class Guard {
  readonly #schemes = new Map<string, SchemeContract>();
  readonly #hooks = new Map<string, AnyHook>();
  readonly #onError: (error: unknown, context: RequestContext) => void;

  constructor(
    schemes: readonly SchemeContract[],
    operations: readonly OperationContract[],
    hooks: object | undefined,
    onError: (error: unknown, context: RequestContext) => void,
  ) {
    this.#onError = onError;
    for (const scheme of schemes) this.#schemes.set(scheme.name, scheme);
    const given = (hooks ?? {}) as Readonly<Record<string, unknown>>;
    for (const name of new Set(operations.flatMap(({ security }) => security.flat().map((one) => one.scheme)))) {
      const hook = Object.hasOwn(given, name) ? given[name] : undefined;
      if (typeof hook !== 'function' || !this.#schemes.has(name)) {
        throw new TypeError(`security.${name} is missing: the contract demands this scheme, so a hook must check it`);
      }
      this.#hooks.set(name, hook.bind(given) as AnyHook);
    }
  }

  /** Alternatives are tried in order, those that demand nothing last. */
  async check(
    operation: OperationContract,
    source: CredentialSource,
    context: RequestContext,
  ): Promise<SecurityOutcome> {
    if (operation.security.length === 0) return { kind: 'passed', principals: {} };
    const answers = new Map<string, Promise<unknown>>();
    let forbidden: Forbidden | undefined;
    let presented = false;
    for (const alternative of [...operation.security].sort(
      (one, other) => Number(other.length > 0) - Number(one.length > 0),
    )) {
      const principals = Object.create(null) as Record<string, unknown>;
      let passed = true;
      for (const requirement of alternative) {
        const credential = this.#credential(requirement, source);
        if (credential === undefined) {
          passed = false;
          break;
        }
        presented = true;
        const answer = await this.#ask(requirement, credential.value, context, answers);
        if (answer instanceof Forbidden) forbidden ??= answer;
        if (answer instanceof Forbidden || answer === undefined || answer === null || answer === false) {
          passed = false;
          break;
        }
        principals[requirement.scheme] = answer;
      }
      if (passed) return { kind: 'passed', principals };
    }
    if (forbidden !== undefined) return { kind: 'forbidden', detail: forbidden.detail };
    return { kind: 'unauthorized', challenge: this.#challenge(operation, presented) };
  }

  #credential(requirement: RequirementContract, source: CredentialSource): { readonly value: unknown } | undefined {
    const scheme = this.#schemes.get(requirement.scheme);
    if (scheme === undefined) return undefined;
    // What the scheme is made of is the hook's own business, so it is always asked.
    if (scheme.kind === 'other') return { value: undefined };
    const value =
      scheme.kind === 'apiKey'
        ? apiKey(scheme.in, scheme.parameter, source)
        : scheme.kind === 'basic'
          ? basicCredential(source.header('authorization'))
          : bearerToken(source.header('authorization'));
    return value === undefined ? undefined : { value };
  }

  /** One answer per scheme and scopes, however many alternatives ask for it. */
  #ask(
    requirement: RequirementContract,
    credential: unknown,
    context: RequestContext,
    answers: Map<string, Promise<unknown>>,
  ): Promise<unknown> {
    const key = JSON.stringify([requirement.scheme, ...requirement.scopes]);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#call(requirement, credential, context);
    answers.set(key, answer);
    return answer;
  }

  async #call(requirement: RequirementContract, credential: unknown, context: RequestContext): Promise<unknown> {
    const hook = this.#hooks.get(requirement.scheme);
    if (hook === undefined) return undefined;
    try {
      return await hook(credential, {
        ...context,
        scheme: requirement.scheme,
        scopes: requirement.scopes,
        forbid: (detail) => new Forbidden(detail),
      });
    } catch (error) {
      if (error instanceof Forbidden) return error;
      // A hook that fails refuses: never the other way round.
      this.#onError(error, context);
      return undefined;
    }
  }

  /** RFC 9110 section 11.6.1; API keys have no registered scheme, but a 401 must name one. */
  #challenge(operation: OperationContract, presented: boolean): string {
    const challenges = new Set<string>();
    for (const { scheme } of operation.security.flat()) {
      const kind = this.#schemes.get(scheme)?.kind;
      if (kind === 'bearer') challenges.add(presented ? 'Bearer error="invalid_token"' : 'Bearer');
      if (kind === 'basic') challenges.add('Basic realm="api", charset="UTF-8"');
      if (kind === 'apiKey') challenges.add('ApiKey');
    }
    return challenges.size === 0 ? 'Bearer' : [...challenges].join(', ');
  }
}

const longestCredential = 8_192;
// Visible ASCII without the comma, which would be a second credential (RFC 6750 section 2.1, but for its alphabet).
const bearerPattern = /^bearer ([!-+\--~]+)$/i;
const basicPattern = /^basic ([A-Za-z0-9+/]+={0,2})$/i;

function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length > longestCredential) return undefined;
  return bearerPattern.exec(header)?.[1];
}

function basicCredential(header: string | undefined): Basic | undefined {
  if (header === undefined || header.length > longestCredential) return undefined;
  const encoded = basicPattern.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const at = text.indexOf(':');
    return at < 0 ? undefined : { username: text.slice(0, at), password: text.slice(at + 1) };
  } catch {
    return undefined;
  }
}

/** Exactly one key that is not empty; two of them are none. */
function apiKey(place: 'header' | 'query' | 'cookie', parameter: string, source: CredentialSource): string | undefined {
  let found: string | undefined;
  if (place === 'header') found = source.header(parameter.toLowerCase());
  if (place === 'cookie') {
    const values = source.cookies.get(parameter) ?? [];
    found = values.length === 1 ? values[0] : undefined;
  }
  if (place === 'query') {
    const values = source.query.filter((pair) => pair.name === parameter);
    try {
      found = values.length === 1 ? decodeURIComponent((values[0]?.raw ?? '').replaceAll('+', '%20')) : undefined;
    } catch {
      found = undefined;
    }
  }
  return found === undefined || found === '' || found.length > longestCredential ? undefined : found;
}
