/**
 * The declaration graph: an API as the data behind a reference page, the HTTP part of Stainless' SDKJSON. A flat map of
 * declarations that name each other by id; models hold everything that a reader sees and nothing that only a validator
 * needs, so it is a lossy form of the IR. Members stand in the order in which they are printed.
 */
import type { JsonValue } from './schema.js';

/**
 * `(resource) a.b > (model) m > (schema)`, followed by steps such as ` > (property) key`, ` > (items)`, ` > (variant) 0`
 * and ` > (member) 0`; or `(resource) a.b > (method) m`, with ` > (params) default > (param) name > (schema)` below it.
 */
export type DeclarationId = string;

export type DeclarationGraph = Readonly<Record<DeclarationId, Declaration>>;

export type Declaration = FunctionDeclaration | PropertyDeclaration | AliasDeclaration | ReferenceDeclaration;

/** What the values of a property are, and what the children of a declaration are. */
export type DeclaredSchemaType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'object'
  | 'union'
  | 'array'
  | 'map'
  | 'null'
  | 'unknown';

/** A named schema, or an alternative of a union that stands inline. */
export interface AliasDeclaration {
  readonly kind: 'HttpDeclTypeAlias';
  readonly oasRef: string;
  readonly docstring?: string;
  readonly ident: string;
  readonly type: DeclaredType;
  readonly childrenParentSchema?: DeclaredSchemaType;
  readonly children: readonly DeclarationId[];
}

/** A member of an object, or a parameter. */
export interface PropertyDeclaration {
  readonly kind: 'HttpDeclProperty';
  readonly oasRef: string;
  readonly deprecated: boolean;
  readonly key: string;
  readonly docstring?: string;
  readonly title?: string;
  /** Of a parameter: `path`, `query`, `header`, `cookie` or `body`. */
  readonly location?: string;
  /** Without `null`, which is what `nullable` says. */
  readonly type: DeclaredType;
  readonly constraints?: Readonly<Record<string, JsonValue>>;
  readonly default?: JsonValue;
  readonly optional: boolean;
  readonly nullable: boolean;
  /** Present where the type is a named schema; then the children are those of that. */
  readonly modelImplicit?: boolean;
  readonly schemaType: DeclaredSchemaType;
  readonly modelPath?: string;
  /** What the children are; of an array or a map, what those of its element are. Absent where there are none. */
  readonly childrenParentSchema?: DeclaredSchemaType;
  readonly children: readonly DeclarationId[];
}

/** A value of an enumeration, or an alternative of a union that is a named schema. */
export interface ReferenceDeclaration {
  readonly kind: 'HttpDeclReference';
  readonly type: DeclaredType;
  readonly childrenParentSchema?: DeclaredSchemaType;
  readonly children?: readonly DeclarationId[];
}

/** A method. It says neither its path nor its method of HTTP: those are in its `oasRef` only. */
export interface FunctionDeclaration {
  readonly kind: 'HttpDeclFunction';
  readonly oasRef: string;
  readonly deprecated: boolean;
  readonly ident: string;
  readonly qualified: string;
  readonly returns?: DeclaredType;
  readonly paramsChildren: Readonly<Record<string, readonly DeclarationId[]>>;
  /** By media type. */
  readonly bodyParamsChildren: Readonly<Record<string, readonly DeclarationId[]>>;
  readonly responseChildren: readonly DeclarationId[];
}

export type DeclaredType =
  | { readonly kind: 'HttpTypeReference'; readonly ident: string; readonly $ref: DeclarationId }
  | {
      readonly kind: 'HttpTypeReference';
      readonly oasRef: string;
      readonly ident: 'Record';
      readonly typeParameters: readonly DeclaredType[];
    }
  | { readonly kind: 'HttpTypeObject'; readonly members: readonly { readonly ident: string }[] }
  | { readonly kind: 'HttpTypeArray'; readonly oasRef: string; readonly elementType: DeclaredType }
  | DeclaredGroup
  | { readonly kind: 'HttpTypeLiteral'; readonly literal: string | number | boolean }
  | { readonly kind: 'HttpTypeBinary'; readonly contentType: readonly string[] }
  | { readonly kind: PlainDeclaredType };

/** An enumeration is a union of literals, also where it has one value only. */
export interface DeclaredGroup {
  readonly kind: 'HttpTypeUnion' | 'HttpTypeIntersection';
  readonly oasRef: string;
  readonly types: readonly DeclaredType[];
}

export type PlainDeclaredType =
  | 'HttpTypeString'
  | 'HttpTypeNumber'
  | 'HttpTypeBoolean'
  | 'HttpTypeNull'
  | 'HttpTypeUndefined'
  | 'HttpTypeUnknown';
