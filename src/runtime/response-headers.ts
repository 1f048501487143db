// SPDX-License-Identifier: 0BSD

/** Decodes the text of a declared response header; `undefined` where it does not read as its type. */
export type HeaderReader = (text: string) => string | number | boolean | Date | undefined;

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

/** The start of a day in UTC. */
export function dateHeader(text: string): Date | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? valid(new Date(text)) : undefined;
}

/** RFC 3339, or a date of HTTP (RFC 9110 section 5.6.7), which many servers send whatever the contract says. */
export function dateTimeHeader(text: string): Date | undefined {
  return /(?:GMT|[Zz]|[+-]\d\d:\d\d)$/.test(text) ? valid(new Date(text)) : undefined;
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The declared headers that are there and read as their type. */
export function declaredHeaders(declared: readonly HeaderSpec[] | undefined, headers: Headers): object {
  const entries = (declared ?? []).map(({ name, read }) => [name, read(headers.get(name) ?? '')] as const);
  return Object.fromEntries(entries.filter(([name, value]) => headers.has(name) && value !== undefined));
}
