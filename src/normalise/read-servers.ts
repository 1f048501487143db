/** Where an API is (OpenAPI, Server Object). */
import { childAddress, quote } from '../diagnostics.js';
import type { Server, ServerVariable } from '../ir/details.js';
import { isObject, own } from '../json-object.js';
import { extensionsOf, Members, present } from './json.js';
import type { Reading } from './reading.js';

/** The servers of an owner, without those whose URL cannot be used. */
export function readServers(reading: Reading, owner: Members): readonly Server[] | undefined {
  if (!owner.has('servers')) return undefined;
  const names = new Set<string>();
  return reading.list(owner, 'servers')?.flatMap(({ value, at }) => {
    const found = reading.follow(value, at);
    const server = found && readServer(reading, reading.members(found));
    if (!server) return [];
    const { name } = server;
    if (name === undefined || !names.has(name)) {
      if (name !== undefined) names.add(name);
      return [server];
    }
    reading.report.report(
      'server-name-duplicate',
      `two servers have the name ${quote(name)}`,
      childAddress(at, 'name'),
    );
    const { name: _taken, ...rest } = server;
    return [rest];
  });
}

export function readServer(reading: Reading, members: Members): Server | undefined {
  const url = members.string('url');
  if (url === undefined) return undefined;
  const resolved = resolveUrl(members, url);
  if (resolved === undefined) {
    reading.report.report('server-url-ignored', `the server URL ${quote(url)} is not used`, members.at);
    return undefined;
  }
  return {
    url,
    resolved,
    ...present({ name: members.string('name'), description: members.text('description') }),
    variables: readVariables(reading, members),
    at: members.at,
    extensions: extensionsOf(members.object),
  };
}

function readVariables(reading: Reading, server: Members): readonly ServerVariable[] {
  return reading.entries(server, 'variables').flatMap(({ key, value, at }) => {
    if (!isObject(value)) return [];
    const variable = new Members(value, at, reading.report);
    const fallback = variable.string('default');
    if (fallback === undefined) return [];
    return [
      {
        name: key,
        default: fallback,
        ...present({ enum: variable.strings('enum'), description: variable.text('description') }),
        extensions: extensionsOf(value),
      },
    ];
  });
}

/**
 * The URL with its variables' defaults, and absolute where the document was fetched: a relative one is relative to the
 * place that the document was read from, whatever `$self` says (OpenAPI 3.2, section 4.5.2). `undefined` where a variable
 * has no default or the result is neither relative nor http(s).
 */
function resolveUrl(members: Members, template: string): string | undefined {
  const url = fillTemplate(members, template);
  if (url === undefined) return undefined;
  const { document } = members.at;
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(url);
  if (isRelative && /^https?:/.test(document) && URL.canParse(url, document)) return new URL(url, document).href;
  if (url.startsWith('/') && !url.startsWith('//')) return url;
  if (!/^https?:\/\//i.test(url)) return isRelative && !url.startsWith('//') ? url : undefined;
  // A quote, a backslash or a space in a URL is no URL (RFC 3986); the platform's parser would quietly accept some of them.
  return /[\s"'`<>\\^{}|]/.test(url) || !URL.canParse(url) ? undefined : url;
}

function fillTemplate(members: Members, template: string): string | undefined {
  const variables = members.objectMember('variables') ?? {};
  let complete = true;
  const url = template
    .split(/(\{[^{}]*\})/)
    .map((piece, index) => {
      if (index % 2 === 0) return piece;
      const variable = own(variables, piece.slice(1, -1));
      const fallback = isObject(variable) ? own(variable, 'default') : undefined;
      if (typeof fallback === 'string') return fallback;
      complete = false;
      return '';
    })
    .join('');
  return complete ? url : undefined;
}
