/**
 * The assertion layer of the IR: one node per JSON Schema, exactly what the document says, grouped by the instance type
 * that each keyword constrains. Validators are compiled from it. Nothing is decided here: no names, no TypeScript.
 *
 * All nodes live in one flat table, `Api.schemas`; a node refers to another by its id, so a schema that is used in
 * many places is one node, recursion needs no special care, and no walk needs the call stack.
 */
import type { Address } from '../diagnostics.js';

/** The address of a schema as text, `document#pointer`. An id is an address, never a name. */
export type SchemaId = string & { readonly __brand: 'SchemaId' };

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** `true` accepts everything, `false` nothing. */
export interface BooleanSchema {
  readonly kind: 'boolean';
  readonly id: SchemaId;
  readonly at: Address;
  readonly value: boolean;
  readonly docs: Docs;
}

/** A schema object. Every member is an assertion of its own; a member that is absent asserts nothing. */
export interface ObjectSchema {
  readonly kind: 'schema';
  readonly id: SchemaId;
  readonly at: Address;
  readonly docs: Docs;
  readonly behaviour: Behaviour;

  /** The instance types allowed by `type`; `integer` is a number without a fractional part. */
  readonly types?: readonly JsonType[];
  readonly enum?: readonly JsonValue[];
  /** In a wrapper because `null` and `false` are values too. */
  readonly const?: { readonly value: JsonValue };
  readonly format?: string;

  readonly string?: StringAssertions;
  readonly number?: NumberAssertions;
  readonly array?: ArrayAssertions;
  readonly object?: ObjectAssertions;

  /** The target of `$ref`; siblings that the dialect honours are in the other members. */
  readonly ref?: SchemaId;
  readonly allOf?: readonly SchemaId[];
  readonly anyOf?: readonly SchemaId[];
  readonly oneOf?: readonly SchemaId[];
  readonly not?: SchemaId;
  readonly conditional?: { readonly if: SchemaId; readonly then?: SchemaId; readonly else?: SchemaId };
  readonly discriminator?: Discriminator;
  /** What members and items must satisfy that no other keyword looks at. */
  readonly unevaluated?: { readonly properties?: SchemaId; readonly items?: SchemaId };
  readonly dynamicRef?: DynamicReference;
  /** What dynamic references may mean in the schema resource around; one list for a resource, absent for most. */
  readonly anchors?: readonly DynamicAnchor[];
  readonly extensions: Readonly<Record<string, JsonValue>>;
}

/** `$dynamicRef` or `$recursiveRef`. */
export interface DynamicReference {
  /** What it means by itself. */
  readonly target: SchemaId;
  /** Where it depends on the way that led here: the anchor of this name in the outermost schema resource that has one. */
  readonly name?: string;
  /** All schemas that it may mean, its target among them. */
  readonly candidates: readonly SchemaId[];
}

/** A `$dynamicAnchor`; `$recursiveAnchor` has the empty name. */
export interface DynamicAnchor {
  readonly name: string;
  readonly schema: SchemaId;
}

export type Schema = BooleanSchema | ObjectSchema;

export interface StringAssertions {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: SchemaId;
}

export interface NumberAssertions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

export interface ArrayAssertions {
  readonly prefixItems?: readonly SchemaId[];
  /** Applies to every item behind `prefixItems`. */
  readonly items?: SchemaId;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly contains?: { readonly schema: SchemaId; readonly min: number; readonly max?: number };
}

export interface ObjectAssertions {
  /** In the document's order, so that output reads like the document. */
  readonly properties: readonly { readonly name: string; readonly schema: SchemaId }[];
  readonly required: readonly string[];
  readonly patternProperties: readonly { readonly pattern: string; readonly schema: SchemaId }[];
  readonly additionalProperties?: SchemaId;
  readonly propertyNames?: SchemaId;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired: readonly { readonly name: string; readonly required: readonly string[] }[];
  readonly dependentSchemas: readonly { readonly name: string; readonly schema: SchemaId }[];
}

/** OpenAPI's discriminator. It is a hint: the branches of `oneOf` and `anyOf` stay what decides validity. */
export interface Discriminator {
  readonly propertyName: string;
  readonly mapping: readonly { readonly value: string; readonly schema: SchemaId }[];
  /** The branch of values whose discriminating member is missing or is no other branch's. */
  readonly defaultMapping?: SchemaId;
  readonly at: Address;
  readonly extensions: Readonly<Record<string, JsonValue>>;
}

/** What differs between the dialects and cannot be upgraded without loss; the same object for a whole schema resource. */
export interface Behaviour {
  /** `format` is an assertion, whatever is asked for: the meta-schema uses the vocabulary `format-assertion` (2020-12). */
  readonly formatAsserts: boolean;
  /** `contains` marks items as evaluated (2020-12, not 2019-09). */
  readonly containsEvaluates: boolean;
}

/** Annotations, as they stand at this place; they never assert anything. */
export interface Docs {
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly default?: { readonly value: JsonValue };
  readonly examples?: readonly JsonValue[];
  /** As the document has them: OpenAPI's External Documentation and XML Objects. */
  readonly externalDocs?: JsonValue;
  readonly xml?: JsonValue;
}
