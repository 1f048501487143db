/** Where an OpenAPI 2.0 service is and who may call it: `schemes`, `host`, `basePath` and `securityDefinitions`. */
import { childAddress, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';
import type { Members } from './json.js';
import { keep, type UpgradeContext } from './upgrade-context.js';

/**
 * The servers that `schemes` of the owner (the root or an operation) make of the root's host; `undefined` where the
 * document names neither host nor base path, or the owner says nothing new. A host without schemes is asked by https.
 */
export function upgradeServers(
  context: UpgradeContext,
  root: Members,
  owner: Members,
): readonly JsonValue[] | undefined {
  const host = root.string('host');
  const base = (root.string('basePath') ?? '').replace(/\/+$/, '');
  const path = base === '' || base.startsWith('/') ? base : `/${base}`;
  if (host === undefined || host === '') {
    return path === '' || owner !== root ? undefined : [context.made({ url: path }, childAddress(root.at, 'basePath'))];
  }
  const at = childAddress(root.at, 'host');
  if (/[\s/\\?#@{}]/.test(host)) {
    context.report.report('server-url-ignored', `the host ${quote(host)} is not a name with an optional port`, at);
    return undefined;
  }
  const written = owner.strings('schemes') ?? [];
  if (owner !== root && written.join() === root.strings('schemes')?.join()) return undefined;
  const schemes = ['https', 'http'].filter((scheme) => written.includes(scheme));
  const others = written.filter((scheme) => !schemes.includes(scheme));
  const all = written.length === 0 ? ['https'] : [...schemes, ...others];
  return all.map((scheme) => context.made({ url: `${scheme}://${host}${path}` }, at));
}

const flows: ReadonlyMap<string, string> = new Map([
  ['implicit', 'implicit'],
  ['password', 'password'],
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

export function upgradeSecuritySchemes(context: UpgradeContext, root: Members): JsonObject {
  return Object.fromEntries(
    context
      .followMap(root, 'securityDefinitions')
      .map(([name, scheme]) => [name, context.made(upgradeScheme(context, scheme), scheme.at)]),
  );
}

function upgradeScheme(context: UpgradeContext, scheme: Members): JsonObject {
  const type = scheme.raw('type');
  if (type === 'basic') return { ...keep(scheme, 'description'), type: 'http', scheme: 'basic' };
  if (type !== 'oauth2') return keep(scheme, 'type', 'description', 'name', 'in');
  const flow = flows.get(scheme.string('flow') ?? '');
  const made = context.made(keep(scheme, 'authorizationUrl', 'tokenUrl', 'scopes'), scheme.at);
  return { ...keep(scheme, 'description'), type: 'oauth2', flows: flow === undefined ? {} : { [flow]: made } };
}
