/** The file `oauth.ts` of the target `client`: what the description says of OAuth2 and OpenID Connect, for who asks for tokens. */
import { type Code, code, joinCode, key, literal } from '../../encode.js';
import type { Api } from '../../ir/api.js';
import type { OAuthFlow, SecurityScheme } from '../../ir/security.js';
import { outputPath } from '../../output.js';
import { docComment } from '../doc-comment.js';
import type { PlanContext, PlannedFile } from '../target.js';

export interface OAuthView {
  readonly schemes: readonly OAuthSchemeView[];
}

export interface OAuthSchemeView {
  /** A comment with its line end, or empty. */
  readonly doc: Code;
  readonly name: Code;
  /** `tokenUrl: "https://…",` and what else is known. */
  readonly members: readonly Code[];
  readonly flows: readonly { readonly name: Code; readonly members: readonly Code[] }[];
}

/** Nothing where no scheme says anything of tokens. */
export function clientOAuth({ api }: PlanContext): readonly PlannedFile[] {
  const schemes = schemeViews(api);
  if (schemes.length === 0) return [];
  const view: OAuthView = { schemes };
  const file = { kind: 'template', template: 'client/oauth', ownership: 'generated' } as const;
  return [{ ...file, path: outputPath('oauth.ts'), view }];
}

/** Whether there is anything to say in `oauth.ts`. */
export function hasOAuth(api: Api): boolean {
  return schemeViews(api).length > 0;
}

function schemeViews({ securitySchemes }: Api): readonly OAuthSchemeView[] {
  return securitySchemes.flatMap((scheme) => {
    if (scheme.kind !== 'other') return [];
    const { name, description, deprecated, flows = [] } = scheme;
    const members = urls(scheme);
    const told = flows.map((flow) => ({ name: code`${key(flow.kind)}`, members: flowMembers(flow) }));
    if (members.length === 0 && told.length === 0) return [];
    return [{ doc: docComment({ text: description, deprecated }), name: key(name), members, flows: told }];
  });
}

function urls({ openIdConnectUrl, metadataUrl }: Extract<SecurityScheme, { readonly kind: 'other' }>): readonly Code[] {
  return [...url('openIdConnectUrl', openIdConnectUrl), ...url('metadataUrl', metadataUrl)];
}

function flowMembers({ scopes, ...flow }: OAuthFlow): readonly Code[] {
  const described = scopes.map(({ name, description }) => code`${key(name)}: ${literal(description)}`);
  return [
    ...url('authorizationUrl', flow.authorizationUrl),
    ...url('deviceAuthorizationUrl', flow.deviceAuthorizationUrl),
    ...url('tokenUrl', flow.tokenUrl),
    ...url('refreshUrl', flow.refreshUrl),
    code`declaredScopes: { ${joinCode(described, ', ')} },`,
  ];
}

/** A relative URL is left out: it would have to be resolved against where the description is served. */
function url(name: string, value: string | undefined): readonly Code[] {
  return value !== undefined && /^https?:/i.test(value) && URL.canParse(value)
    ? [code`${key(name)}: ${literal(value)},`]
    : [];
}
