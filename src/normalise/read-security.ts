/** Security schemes and what demands them (OpenAPI, Security Scheme and Security Requirement Objects). */
import { childAddress, quote } from '../diagnostics.js';
import type { OAuthFlow, SecurityRequirement, SecurityScheme } from '../ir/security.js';
import { isObject, own } from '../json-object.js';
import { extensionsOf, Members, present } from './json.js';
import { isToken } from './media-types.js';
import type { Reading } from './reading.js';

/** The alternatives of a `security` list; `undefined` where the owner has none, an empty list where it asks for nothing. */
export function readSecurity(
  reading: Reading,
  owner: Members,
): readonly (readonly SecurityRequirement[])[] | undefined {
  if (!owner.has('security')) return undefined;
  return reading.list(owner, 'security')?.map(({ value, at }) => {
    if (!isObject(value)) {
      reading.report.report('type-mismatch', 'a security requirement must be an object', at);
      return [];
    }
    const members = new Members(value, at, reading.report);
    return Object.keys(value).map((key) => ({
      scheme: reading.schemeName(key, at),
      scopes: members.strings(key) ?? [],
    }));
  });
}

/** The security schemes of a description: those that it names, and those that requirements find by URI (OpenAPI 3.2). */
export class SecuritySchemes {
  readonly #reading: Reading;
  readonly #byName = new Map<string, SecurityScheme>();
  /** The names of schemes outside of the components, by their addresses. */
  readonly #outside = new Map<string, string>();

  constructor(reading: Reading, components: Members | undefined) {
    this.#reading = reading;
    if (!components) return;
    for (const { key, value, at } of reading.entries(components, 'securitySchemes')) {
      const found = reading.follow(value, at);
      if (found) this.#byName.set(key, readScheme(reading, key, reading.members(found)));
    }
  }

  get all(): readonly SecurityScheme[] {
    return [...this.#byName.values()];
  }

  /** The name of the scheme that a requirement means. The name of a component goes before a URI that looks the same. */
  nameOf(key: string, at: Members['at']): string {
    if (this.#byName.has(key)) return key;
    const target = /[#/.]/.test(key) ? this.#reading.sources.resolve(at, key) : undefined;
    const found = target?.ok ? this.#reading.follow(target.value, target.at) : undefined;
    if (found && typeof own(found.value, 'type') === 'string') {
      const place = `${found.at.document}#${found.at.pointer}`;
      const known = this.#outside.get(place) ?? this.#declaredAt(place);
      if (known !== undefined) return known;
      const last = key.split(/[#/]/).at(-1) ?? '';
      const name = last === '' || this.#byName.has(last) ? key : last;
      this.#outside.set(place, name);
      this.#byName.set(name, readScheme(this.#reading, name, this.#reading.members(found)));
      return name;
    }
    // Fails closed: a requirement that nobody can check must not become "no requirement".
    this.#reading.report.report(
      'security-scheme-unknown',
      `the security scheme ${quote(key)} is not declared`,
      childAddress(at, key),
    );
    return key;
  }

  #declaredAt(place: string): string | undefined {
    for (const { name, at } of this.#byName.values()) if (`${at.document}#${at.pointer}` === place) return name;
    return undefined;
  }
}

function readScheme(reading: Reading, name: string, members: Members): SecurityScheme {
  const { at } = members;
  const shared = {
    name,
    at,
    ...present({ description: members.text('description') }),
    deprecated: members.boolean('deprecated') ?? false,
    extensions: extensionsOf(members.object),
  };
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
      at,
    );
  }
  const isHandled = type === 'http' ? isToken(scheme) : ['oauth2', 'openIdConnect', 'mutualTLS'].includes(type);
  if (!isHandled) {
    reading.report.report('not-yet-security', `the security scheme ${quote(name)} is handed to you as it is`, at);
  }
  return {
    ...shared,
    kind: 'other',
    type: type === 'http' ? `http ${scheme}` : type,
    ...present({
      flows: type === 'oauth2' ? readFlows(reading, members) : undefined,
      metadataUrl: members.string('oauth2MetadataUrl'),
      openIdConnectUrl: members.string('openIdConnectUrl'),
    }),
  };
}

const flowKinds: readonly OAuthFlow['kind'][] = [
  'implicit',
  'password',
  'clientCredentials',
  'authorizationCode',
  'deviceAuthorization',
];

function readFlows(reading: Reading, scheme: Members): readonly OAuthFlow[] {
  const flows = reading.object(scheme, 'flows');
  if (!flows) return [];
  return flowKinds.flatMap((kind) => {
    const flow = flows.has(kind) ? reading.object(flows, kind) : undefined;
    if (!flow) return [];
    return [
      {
        kind,
        ...present({
          authorizationUrl: flow.string('authorizationUrl'),
          deviceAuthorizationUrl: flow.string('deviceAuthorizationUrl'),
          tokenUrl: flow.string('tokenUrl'),
          refreshUrl: flow.string('refreshUrl'),
        }),
        scopes: reading
          .entries(flow, 'scopes')
          .map(({ key, value }) => ({ name: key, description: typeof value === 'string' ? value : '' })),
        extensions: extensionsOf(flow.object),
      },
    ];
  });
}
