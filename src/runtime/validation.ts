// SPDX-License-Identifier: 0BSD

/** One fault of a value, found by the second, slower pass of a validator. */
export interface Issue {
  /** JSON Pointer (RFC 6901) into the checked value; `""` is the value itself. */
  readonly pointer: string;
  /** The same place as `pointer`, as property names and array indices (Standard Schema's form). */
  readonly path: readonly (string | number)[];
  /** JSON Pointer of the keyword in the document that the code was generated from, behind that document's name. */
  readonly schemaPointer: string;
  /** The JSON Schema keyword that refused the value (`type`, `required`, `pattern`, …); `depth` where it is nested too deep. */
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

/** What may be said of one check; where it is not said, the defaults hold. */
export interface ValidationOptions {
  /** How many issues are collected at most, one at least (default 20). */
  readonly limit?: number | undefined;
  /** The message of an issue in your own words; `undefined` for the usual ones. */
  readonly message?: ((issue: Omit<Issue, 'message'>) => string | undefined) | undefined;
}

/** What stands behind the value: options; or the index that `map` and its like give there, which says nothing. */
export type CheckOptions = ValidationOptions | number;

/** A validator as the client and the server take it; every generated `validateX` is one. */
export type Validator<T> = (value: unknown) => Validation<T>;

/** Turns what travels into what programs hold, and back; neither changes what it is given. Throws a RangeError where it cannot. */
export interface ValueCodec {
  readonly decode: (value: unknown) => unknown;
  readonly encode: (value: unknown) => unknown;
}

const brand: unique symbol = /* @__PURE__ */ Symbol.for('oasmith.ValidationError');

/** Thrown by every generated `assertX`. */
export class ValidationError extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    super(first === undefined ? 'The value is not valid.' : `${first.pointer || 'The value'} ${first.message}${more}`);
    this.name = 'ValidationError';
    this.issues = issues;
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Recognises a ValidationError, also one of another copy of this file. */
export function isValidationError(value: unknown): value is ValidationError {
  return typeof value === 'object' && value !== null && brand in value;
}
