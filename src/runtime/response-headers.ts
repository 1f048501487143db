// SPDX-License-Identifier: 0BSD

/** Decodes the text of a declared response header; `undefined` where it does not read as its type. */
export type HeaderReader = (text: string) => string | number | boolean | undefined;

export interface HeaderSpec {
  readonly name: string;
  readonly read: HeaderReader;
}

export function textHeader(text: string): string {
  return text;
}

export function numberHeader(text: string): number | undefined {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

export function integerHeader(text: string): number | undefined {
  return /^-?\d+$/.test(text) ? Number(text) : undefined;
}

export function booleanHeader(text: string): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** The declared headers that are there and read as their type. */
export function declaredHeaders(declared: readonly HeaderSpec[], headers: Headers): object {
  const entries = declared.map(({ name, read }) => [name, read(headers.get(name) ?? '')] as const);
  return Object.fromEntries(entries.filter(([name, value]) => headers.has(name) && value !== undefined));
}
