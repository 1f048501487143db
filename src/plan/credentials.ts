/** How the client sends the credential of a security scheme. */
import type { SecurityScheme } from '../ir/security.js';
import type { RuntimeName } from './runtime-imports.js';

export interface Credential {
  readonly apply: RuntimeName;
  /** The header, query parameter or cookie of a key; the name of an HTTP scheme. */
  readonly parameter?: string;
  readonly type: 'LoginSource' | 'Token';
}

/** `transport`: the connection itself is the credential (mutual TLS); `undefined`: nobody knows how it would be sent. */
export function credentialOf(scheme: SecurityScheme): Credential | 'transport' | undefined {
  if (scheme.kind === 'bearer') return { apply: 'bearer', type: 'Token' };
  if (scheme.kind === 'basic') return { apply: 'basic', type: 'LoginSource' };
  if (scheme.kind === 'apiKey') {
    const apply = ({ header: 'keyInHeader', query: 'keyInQuery', cookie: 'keyInCookie' } as const)[scheme.in];
    return { apply, parameter: scheme.parameter, type: 'Token' };
  }
  // RFC 6750 is how both are used; what else a server may want is not in a description.
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect') return { apply: 'bearer', type: 'Token' };
  if (scheme.type === 'mutualTLS') return 'transport';
  const [, name] = /^http (.+)$/.exec(scheme.type) ?? [];
  return name === undefined ? undefined : { apply: 'otherScheme', parameter: name, type: 'Token' };
}
