/** What `load` gives to `normalise`: the documents as they are, kept apart, and a table of what every reference means. */
import type { Address, DiagnosticCode, DocumentUri, JsonPointer } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';

export type DocumentKind =
  /** An OpenAPI description; `version` is its `openapi` or `swagger` member. */
  | { readonly kind: 'openapi'; readonly version: string }
  /** A stand-alone JSON Schema; `dialect` is its `$schema`, where it has one. */
  | { readonly kind: 'json-schema'; readonly dialect?: string }
  /** A declaration graph (`ir/declaration-graph.ts`). */
  | { readonly kind: 'declarations' }
  /** A file that only references lead to; what it is depends on who refers to it. */
  | { readonly kind: 'fragment' };

/** The text of a document as it was read, for positions and code frames; never walked by a later stage. */
export interface DocumentText {
  readonly text: string;
  readonly format: 'json' | 'yaml';
}

export interface SourceDocument extends DocumentText {
  readonly uri: DocumentUri;
  readonly kind: DocumentKind;
  readonly value: JsonValue;
  /** The numbers of the value that a double rounds, as they are written. */
  readonly exactNumbers: readonly { readonly pointer: JsonPointer; readonly text: string }[];
}

export interface Sources {
  /** The documents that were named on the command line, in that order. */
  readonly entries: readonly DocumentUri[];
  readonly documents: ReadonlyMap<DocumentUri, SourceDocument>;
  /** The absolute path of each document that is a file. */
  readonly files: ReadonlyMap<DocumentUri, string>;
  /**
   * What the reference `ref` means where it stands at `from` (the object that holds `$ref`). Follows exactly one step:
   * the target may be a reference itself. Takes `$id`, `$anchor` and `$self` into account.
   */
  resolve(from: Address, ref: string): Resolution;
  /**
   * What dynamic references may mean in the schema resource that a place lies in, by name: its `$dynamicAnchor`s, and
   * under the empty name its root where `$recursiveAnchor` is true there. One map for each resource, `undefined` for most.
   */
  dynamicAnchorsAt(at: Address): ReadonlyMap<string, Address> | undefined;
  /** The value at an address; `undefined` where there is none. */
  valueAt(at: Address): JsonValue | undefined;
}

export type Resolution =
  | { readonly ok: true; readonly at: Address; readonly value: JsonValue }
  | {
      readonly ok: false;
      readonly code: DiagnosticCode;
      readonly message: string;
      /** The document that it leads to, where that one could not be read. */
      readonly unreadable?: DocumentUri;
    };
