// SPDX-License-Identifier: 0BSD
import type { Validator } from './validation.js';

/** Standard Schema, version 1 (https://standardschema.dev): how libraries take a validator of any origin. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'oasmith';
    readonly validate: (value: unknown) => StandardResult<T>;
    /** Never there at run time; carries the types. */
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
}

export function standardSchema<T>(validate: Validator<T>): StandardSchema<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'oasmith',
      validate: (value) => {
        const result = validate(value);
        if (result.ok) return { value: result.value };
        return { issues: result.issues.map(({ message, path }) => ({ message, path })) };
      },
    },
  };
}
