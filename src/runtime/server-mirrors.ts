// SPDX-License-Identifier: 0BSD
import type { MirrorContract } from './server-contract.js';
import { requestIssue } from './server-parameters.js';
import type { Issue } from './validation.js';

/** What is wrong with a header that repeats a member of the body. */
export interface MirrorIssue {
  /** Whether the header is there and the member is not. */
  readonly isUnfounded: boolean;
  readonly issue: Issue;
}

/** A header that repeats a member of the body must repeat it: others route and authorise by the header alone. */
export function mirrorIssues(
  mirrors: readonly MirrorContract[],
  body: unknown,
  source: { header(name: string): string | undefined },
): readonly MirrorIssue[] {
  return mirrors.flatMap((mirror) => {
    const { header } = mirror;
    const value = firstAt(body, mirror.paths);
    const given = source.header(header.toLowerCase());
    const fault = (message: string): readonly MirrorIssue[] => [
      { isUnfounded: value === undefined, issue: requestIssue(['headers', header], 'mirror', message) },
    ];
    if (value === undefined) return given === undefined ? [] : fault('repeats what the body does not hold');
    if (given === undefined) return fault('is missing beside the body');
    return sameValue(given, value, mirror) ? [] : fault('contradicts the body');
  });
}

/** The header parameters of a request as what they stand for: the contract speaks of the text, not of its encoding. */
export function withDecodedMirrors<S extends { header(name: string): string | undefined }>(
  mirrors: readonly MirrorContract[],
  source: S,
): S {
  const encodings = new Map(
    mirrors.flatMap(({ header, encoding }) => (encoding ? [[header.toLowerCase(), encoding] as const] : [])),
  );
  if (encodings.size === 0) return source;
  const header = (name: string): string | undefined => {
    const given = source.header(name);
    const encoding = encodings.get(name.toLowerCase());
    if (given === undefined || encoding === undefined) return given;
    // What is badly encoded contradicts the body, whatever else is wrong with it.
    return encoding.decode(trimmed(given)) ?? given;
  };
  return { ...source, header, decodedHeaders: encodings };
}

/** What a path of property names leads to. */
export function memberAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    const held: unknown = found;
    found =
      typeof held === 'object' && held !== null && Object.hasOwn(held, step)
        ? (held as Readonly<Record<string, unknown>>)[step]
        : undefined;
  }
  return found;
}

function firstAt(body: unknown, paths: MirrorContract['paths']): string | number | boolean | undefined {
  for (const path of paths) {
    const value = memberAt(body, path);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  }
  return undefined;
}

/** Numbers are equal where their values are. */
function sameValue(given: string, value: string | number | boolean, { encoding }: MirrorContract): boolean {
  const header = trimmed(given);
  const text = encoding ? encoding.decode(header) : header;
  if (text === undefined) return false;
  if (text === String(value)) return true;
  return typeof value === 'number' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number(text) === value;
}

/** White space around a value is not part of it (RFC 9110 section 5.5). */
function trimmed(header: string): string {
  return header.replace(/^[ \t]+|[ \t]+$/g, '');
}
