/** The parts of the IR that say more about an API than what travels: who, where, examples, links. */
import type { Address } from '../diagnostics.js';
import type { JsonValue } from './schema.js';

/** Members whose names start with `x-`, as the document has them. */
export type Extensions = Readonly<Record<string, JsonValue>>;

export interface Info {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
  readonly termsOfService?: string;
  readonly contact?: Contact;
  readonly license?: License;
  readonly at: Address;
  readonly extensions: Extensions;
}

export interface Contact {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
  readonly extensions: Extensions;
}

export interface License {
  readonly name?: string;
  /** An SPDX expression. */
  readonly identifier?: string;
  readonly url?: string;
  readonly extensions: Extensions;
}

export interface ExternalDocs {
  readonly url: string;
  readonly description?: string;
  readonly extensions: Extensions;
}

export interface Tag {
  readonly name: string;
  readonly summary?: string;
  readonly description?: string;
  readonly externalDocs?: ExternalDocs;
  /** The name of the tag that this one is part of; chains of them end. */
  readonly parent?: string;
  /** What the tag is for: `nav`, `badge`, `audience`, or a word of the document's own. */
  readonly kind?: string;
  readonly at: Address;
  readonly extensions: Extensions;
}

export interface Server {
  /** A URL template, relative ones included; only templates whose variables all have defaults are kept. */
  readonly url: string;
  /** `url` with every variable replaced by its default; absolute where the document was fetched. */
  readonly resolved: string;
  /** Unique among the servers that stand together. */
  readonly name?: string;
  readonly description?: string;
  readonly variables: readonly ServerVariable[];
  readonly at: Address;
  readonly extensions: Extensions;
}

export interface ServerVariable {
  readonly name: string;
  readonly default: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly extensions: Extensions;
}

export interface Example {
  /** The key in `examples`; absent for `example`. */
  readonly name?: string;
  readonly summary?: string;
  readonly description?: string;
  /** What the schema describes; in a wrapper, because `null` and `false` are values too. */
  readonly value?: { readonly value: JsonValue };
  /** What travels, as text. */
  readonly serializedValue?: string;
  /** The URI of what travels. */
  readonly externalValue?: string;
  readonly at: Address;
  readonly extensions: Extensions;
}

/** How an answer leads to a further request (OpenAPI, Link Object). */
export interface Link {
  readonly name: string;
  readonly operationId?: string;
  /** A URI reference to an operation, in place of `operationId`. */
  readonly operationRef?: string;
  /** Constants or runtime expressions by the names of the parameters. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
  readonly requestBody?: { readonly value: JsonValue };
  readonly description?: string;
  readonly server?: Server;
  readonly at: Address;
  readonly extensions: Extensions;
}
