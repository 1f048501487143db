/** Security schemes, security requirements and servers (OpenAPI, Security Scheme, Security Requirement and Server Objects). */
import { childAddress, quote } from '../diagnostics.js';
import type { SecurityRequirement, SecurityScheme, Server } from '../ir/api.js';
import { isObject } from '../json-object.js';
import type { Located } from './follow.js';
import { Members } from './json.js';
import { isToken } from './media-types.js';
import type { Reading } from './reading.js';

/** The alternatives of a `security` list; `undefined` where the owner has none, an empty list where it asks for nothing. */
export function readSecurity(
  reading: Reading,
  owner: Members,
): readonly (readonly SecurityRequirement[])[] | undefined {
  return owner.array('security')?.map((value, index) => {
    const at = childAddress(owner.at, 'security', index);
    if (!isObject(value)) {
      reading.report.report('type-mismatch', 'a security requirement must be an object', at);
      return [];
    }
    const members = new Members(value, at, reading.report);
    return Object.keys(value).map((scheme) => {
      // Fails closed: a requirement that nobody can check must not become "no requirement".
      if (!reading.schemeNames.has(scheme)) {
        reading.report.report(
          'security-scheme-unknown',
          `the security scheme ${quote(scheme)} is not declared`,
          childAddress(at, scheme),
        );
      }
      return { scheme, scopes: members.strings(scheme) ?? [] };
    });
  });
}

export function readSecuritySchemes(reading: Reading, components: Members | undefined): readonly SecurityScheme[] {
  const schemes = components?.objectMember('securitySchemes');
  if (!components || !schemes) return [];
  return Object.entries(schemes).flatMap(([name, value]) => {
    const found = reading.follow(value, childAddress(components.at, 'securitySchemes', name));
    return found ? [readScheme(reading, name, found)] : [];
  });
}

function readScheme(reading: Reading, name: string, found: Located): SecurityScheme {
  const members = reading.members(found);
  const description = members.string('description');
  const shared = { name, at: found.at, ...(description !== undefined && { description }) };
  const type = members.string('type') ?? '';
  const scheme = (members.string('scheme') ?? '').toLowerCase();
  if (type === 'http' && scheme === 'bearer') {
    const format = members.string('bearerFormat');
    return { ...shared, kind: 'bearer', ...(format !== undefined && { format }) };
  }
  if (type === 'http' && scheme === 'basic') return { ...shared, kind: 'basic' };
  const place = members.string('in');
  const parameter = members.string('name');
  if (type === 'apiKey' && parameter !== undefined && (place === 'header' || place === 'query' || place === 'cookie')) {
    if (place === 'query' || isToken(parameter)) {
      return { ...shared, kind: 'apiKey', in: place, parameter };
    }
  } else if (!['http', 'oauth2', 'openIdConnect', 'mutualTLS'].includes(type)) {
    reading.report.report(
      'type-mismatch',
      `the security scheme ${quote(name)} is incomplete or of an unknown type`,
      found.at,
    );
  }
  reading.report.report('not-yet-security', `the security scheme ${quote(name)} is handed to you as it is`, found.at);
  return { ...shared, kind: 'other', type: type === 'http' ? `http ${scheme}` : type };
}

/** The servers of an owner, without those whose URL cannot be used. */
export function readServers(reading: Reading, owner: Members): readonly Server[] | undefined {
  return owner.array('servers')?.flatMap((value, index) => {
    const found = reading.follow(value, childAddress(owner.at, 'servers', index));
    const members = found && reading.members(found);
    const url = members?.string('url');
    if (!members || url === undefined) return [];
    const resolved = resolveUrl(members, url);
    if (resolved === undefined) {
      reading.report.report('server-url-ignored', `the server URL ${quote(url)} is not used`, members.at);
      return [];
    }
    const description = members.string('description');
    return [{ url, resolved, ...(description !== undefined && { description }), at: members.at }];
  });
}

/** The URL with its variables' defaults; `undefined` where a variable has none or the result is neither relative nor http(s). */
function resolveUrl(members: Members, template: string): string | undefined {
  const variables = members.objectMember('variables') ?? {};
  let complete = true;
  const url = template
    .split(/(\{[^{}]*\})/)
    .map((piece, index) => {
      if (index % 2 === 0) return piece;
      const name = piece.slice(1, -1);
      const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
      const fallback = isObject(variable) ? variable['default'] : undefined;
      if (typeof fallback === 'string') return fallback;
      complete = false;
      return '';
    })
    .join('');
  if (!complete) return undefined;
  if (url.startsWith('/') && !url.startsWith('//')) return url;
  if (!/^https?:\/\//i.test(url)) return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url) ? undefined : url;
  // A quote, a backslash or a space in a URL is no URL (RFC 3986); the platform's parser would quietly accept some of them.
  return /[\s"'`<>\\^{}|]/.test(url) || !URL.canParse(url) ? undefined : url;
}
