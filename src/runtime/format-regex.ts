// SPDX-License-Identifier: 0BSD

/** ECMA-262, with the flag `u` as `pattern` is read. The expression is parsed, not run. */
export function isRegex(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
