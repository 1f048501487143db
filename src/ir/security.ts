/** Who may call: security schemes and what demands them. */
import type { Address } from '../diagnostics.js';
import type { Extensions } from './details.js';

export interface SecurityRequirement {
  /** The `name` of a `SecurityScheme`. */
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export type SecurityScheme = {
  /** The key in `components.securitySchemes`; for a scheme that a requirement names by URI, the last step of that. */
  readonly name: string;
  readonly description?: string;
  readonly deprecated: boolean;
  readonly at: Address;
  readonly extensions: Extensions;
} & (
  | { readonly kind: 'bearer'; readonly format?: string }
  | { readonly kind: 'basic' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly parameter: string }
  /** A scheme whose checks are the user's own business: OAuth2, OpenID, mutual TLS, other HTTP schemes. */
  | {
      readonly kind: 'other';
      readonly type: string;
      readonly flows?: readonly OAuthFlow[];
      /** Of `oauth2`: where RFC 8414 metadata is. */
      readonly metadataUrl?: string;
      /** Of `openIdConnect`: where its configuration is. */
      readonly openIdConnectUrl?: string;
    }
);

export interface OAuthFlow {
  readonly kind: 'implicit' | 'password' | 'clientCredentials' | 'authorizationCode' | 'deviceAuthorization';
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly refreshUrl?: string;
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly extensions: Extensions;
}
