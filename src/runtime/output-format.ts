// SPDX-License-Identifier: 0BSD
import type { Validation } from './validation.js';

/** JSON Schema's output format `flag` (2020-12, section 12.4.1). */
export interface FlagOutput {
  readonly valid: boolean;
}

/** JSON Schema's output format `basic` (section 12.4.2). */
export type BasicOutput =
  | { readonly valid: true }
  | { readonly valid: false; readonly errors: readonly BasicOutputUnit[] };

export interface BasicOutputUnit {
  readonly valid: false;
  /** JSON Pointer of the keyword in its document; references on the way are not part of it. */
  readonly keywordLocation: string;
  /** The same with the document in front. */
  readonly absoluteKeywordLocation: string;
  /** JSON Pointer into the checked value. */
  readonly instanceLocation: string;
  readonly error: string;
}

export function flagOutput({ ok }: Validation<unknown>): FlagOutput {
  return { valid: ok };
}

/** `baseUri`: what the names of documents are relative to; they stay as they are without one. */
export function basicOutput(answer: Validation<unknown>, baseUri?: string): BasicOutput {
  if (answer.ok) return { valid: true };
  const errors = answer.issues.map(({ pointer, schemaPointer, message }): BasicOutputUnit => {
    const [document = '', fragment = ''] = schemaPointer.split('#');
    const location = `${document}#${encodeURI(fragment)}`;
    return {
      valid: false,
      keywordLocation: fragment,
      absoluteKeywordLocation: baseUri === undefined ? location : new URL(location, baseUri).href,
      instanceLocation: pointer,
      error: message,
    };
  });
  return { valid: false, errors };
}
