// SPDX-License-Identifier: 0BSD

/** What a text may stand for. */
export type ScalarKind = 'string' | 'integer' | 'number' | 'boolean' | 'null';

const numberPattern = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * A text as the first of the kinds that it is written like. A text that is none of them stays text, so that the
 * validator names the fault; where text is allowed too, only a number's shortest form counts as a number (`007` is text).
 */
export function readScalar(kinds: readonly ScalarKind[], text: string): unknown {
  if (kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if ((kinds.includes('integer') || kinds.includes('number')) && numberPattern.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value) && (!kinds.includes('string') || String(value) === text)) return value;
  }
  if (kinds.includes('null') && !kinds.includes('string') && (text === '' || text === 'null')) return null;
  return text;
}
