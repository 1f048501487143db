// SPDX-License-Identifier: 0BSD

/** One fault of a value, found by the second, slower pass of a validator. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the checked value; `""` is the value itself. */
  readonly pointer: string;
  /** The same place as `pointer`, as property names and array indices (Standard Schema's form). */
  readonly path: readonly (string | number)[];
  /** JSON Pointer of the keyword in the document that the code was generated from, behind that document's name. */
  readonly schemaPointer: string;
  /** The JSON Schema keyword that refused the value (`type`, `required`, `pattern`, …). */
  readonly keyword: string;
  /** The keyword's operands, for machines: `{ minimum: 3 }`, `{ property: "id" }`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** One sentence for people. */
  readonly message: string;
}

/** A validator's answer. The value is the one that was given, never a copy. */
export type Validation<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A validator as the client and the server take it; every generated `validateX` is one. */
export type Validator<T> = (value: unknown) => Validation<T>;
