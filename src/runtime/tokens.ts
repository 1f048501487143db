// SPDX-License-Identifier: 0BSD
import type { Middleware } from './client.js';
import { type Clock, systemClock } from './clock.js';
import type { CredentialCall, CredentialSource } from './credentials.js';
import { canReplay } from './retry.js';
import { askForToken, type Grant, type TokenClient } from './token-request.js';

export interface TokenOptions extends TokenClient {
  /** Asked for; by default the server decides. */
  readonly scopes?: readonly string[] | undefined;
  /** Milliseconds before its end at which a token is renewed, at most half of its life; default 30,000. */
  readonly margin?: number | undefined;
  readonly clock?: Clock | undefined;
}

export interface RefreshOptions extends TokenOptions {
  /** The first one; whatever the server gives in its place is used from then on. */
  readonly refreshToken: string | (() => string | Promise<string>);
  /** Is told of each answer, so that a new refresh token can be kept. */
  readonly onTokens?: ((tokens: Tokens) => void | Promise<void>) | undefined;
}

export interface Tokens {
  readonly accessToken: string;
  /** Only where it changed. */
  readonly refreshToken: string | undefined;
  /** Milliseconds since 1970; nothing where the server does not say. */
  readonly expiresAt: number | undefined;
}

/**
 * A credential for `oauth2` and `openIdConnect` schemes: the flow for programs that act for themselves (RFC 6749 section
 * 4.4). Tokens are kept and shared by all calls, one request is under way at a time. After an answer 401 a new token is
 * asked for and the call repeated once. Where no token is to be had calls throw a `CallError` of kind `auth`.
 */
export function clientCredentials(options: TokenOptions): CredentialSource<string> {
  return tokenSource(options, () =>
    askForToken(options, { grant_type: 'client_credentials', ...scopeOf(options) }, clockOf(options)),
  );
}

/** The same by a refresh token (RFC 6749 section 6), which the program got when its user logged in. */
export function refreshTokens(options: RefreshOptions): CredentialSource<string> {
  let next: string | undefined;
  return tokenSource(options, async () => {
    const { refreshToken: first, onTokens } = options;
    const refreshToken = next ?? (typeof first === 'function' ? await first() : first);
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken, ...scopeOf(options) };
    const grant = await askForToken(options, form, clockOf(options));
    next = grant.refreshToken ?? refreshToken;
    const { accessToken, expiresAt } = grant;
    await onTokens?.({ accessToken, expiresAt, refreshToken: grant.refreshToken });
    return grant;
  });
}

/** Gives a credential only to calls to these origins (`https://api.example`), whatever the description says. */
export function boundTo<C extends object | string>(
  origins: readonly string[],
  credential: C | CredentialSource<C>,
): CredentialSource<C> {
  const source = typeof credential === 'function' ? (credential as CredentialSource<C>) : () => credential as C;
  const bound = (call: CredentialCall, server: string): ReturnType<CredentialSource<C>> =>
    URL.canParse(server) && origins.includes(new URL(server).origin) ? source(call, server) : undefined;
  return Object.assign(bound, 'renew' in source && source.renew ? { renew: source.renew } : {});
}

function scopeOf({ scopes }: TokenOptions): { readonly scope?: string } {
  return scopes === undefined ? {} : { scope: scopes.join(' ') };
}

function clockOf({ clock = systemClock }: TokenOptions): Clock {
  return clock;
}

function tokenSource(options: TokenOptions, ask: () => Promise<Grant>): CredentialSource<string> {
  const { margin = 30_000 } = options;
  const clock = clockOf(options);
  let grant: Grant | undefined;
  /** What requests carry that were made with a token of ours, the last thousand. */
  const ours = new Set<string>();
  let flight: Promise<Grant> | undefined;

  const renewed = (): Promise<Grant> => {
    flight ??= ask()
      .then((given) => {
        grant = given;
        ours.add(headerOf(given));
        const [oldest] = ours;
        if (ours.size > 1000 && oldest !== undefined) ours.delete(oldest);
        return given;
      })
      .finally(() => {
        flight = undefined;
      });
    return flight;
  };
  const isDue = ({ expiresAt = Number.POSITIVE_INFINITY, issuedAt }: Grant): boolean =>
    clock.now() >= expiresAt - Math.min(margin, (expiresAt - issuedAt) / 2);
  const token = async (call: CredentialCall): Promise<string> => {
    const held = grant;
    if (held && !isDue(held)) return held.accessToken;
    try {
      return (await unlessAborted(renewed(), call)).accessToken;
    } catch (error) {
      // A token that is only due is still good.
      if (call.signal.aborted || held?.expiresAt === undefined || clock.now() >= held.expiresAt) throw error;
      return held.accessToken;
    }
  };
  const renew: Middleware = async (request, next, call) => {
    if (!ours.has(request.headers.get('authorization') ?? '')) return next(request);
    // What is sent again later, as a stream that goes on, has the token of its first time.
    if (grant) request.headers.set('authorization', headerOf(grant));
    const sent = request.headers.get('authorization');
    const spare = canReplay(call) ? request.clone() : undefined;
    const response = await next(request);
    if (response.status !== 401 || !spare) return response;
    await response.body?.cancel().catch(() => undefined);
    // Another call may have renewed it already.
    const fresh = grant && sent !== headerOf(grant) ? grant : await unlessAborted(renewed(), undefined, spare.signal);
    spare.headers.set('authorization', headerOf(fresh));
    return next(spare);
  };
  return Object.assign(token, { renew });
}

function headerOf({ accessToken }: Grant): string {
  return `Bearer ${accessToken}`;
}

/** Waits no longer than the call lasts; the request for the token goes on for the others. */
function unlessAborted(
  grant: Promise<Grant>,
  call: CredentialCall | undefined,
  signal: AbortSignal | undefined = call?.signal,
): Promise<Grant> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(call ? call.explain(signal?.reason) : signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    grant.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}
