// SPDX-License-Identifier: 0BSD
import type { ContentContract } from './server-contract.js';

export interface MediaTypeValue {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  readonly charset: string | undefined;
}

const mediaTypePattern = /^[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+\/[!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*(?:;(.*))?$/;

/** Reads a `Content-Type` (RFC 9110 section 8.3.1); `undefined` where it is not exactly one media type. */
export function parseMediaType(text: string): MediaTypeValue | undefined {
  const match = mediaTypePattern.exec(text);
  if (match?.[1] === undefined) return undefined;
  return { essence: match[1].toLowerCase(), charset: charsetOf(match[2] ?? '') };
}

function charsetOf(parameters: string): string | undefined {
  for (const parameter of splitParameters(parameters)) {
    const at = parameter.indexOf('=');
    if (parameter.slice(0, at).trim().toLowerCase() !== 'charset') continue;
    return parameter
      .slice(at + 1)
      .trim()
      .replace(/^"|"$/g, '')
      .toLowerCase();
  }
  return undefined;
}

/** Splits at semicolons, but not at those of a quoted string; one pass, because the text is a stranger's. */
function splitParameters(text: string): readonly string[] {
  const parameters: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (character === ';' && !quoted) {
      parameters.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parameters.push(text.slice(start));
  return parameters;
}

/** Whether the range or type `declared` covers the type `essence`. */
export function essenceMatches(declared: string, essence: string): boolean {
  if (declared === essence || declared === '*/*') return true;
  return declared.endsWith('/*') && essence.startsWith(declared.slice(0, -1));
}

/** The declared content for a media type: an exact one before a range, `+json` types as `application/json`. */
export function contentFor(content: readonly ContentContract[], essence: string): ContentContract | undefined {
  return (
    content.find((one) => one.type === essence) ??
    (essence.endsWith('+json') ? content.find((one) => one.type === 'application/json') : undefined) ??
    content.find((one) => essenceMatches(one.type, essence))
  );
}

interface AcceptRange {
  readonly range: string;
  readonly quality: number;
}

const qualityPattern = /(?:^|;)[ \t]*q=[ \t]*(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*(?:;|$)/i;

/** Reads an `Accept` header; members that are no media range are passed over. */
export function parseAccept(header: string | undefined): readonly AcceptRange[] {
  const ranges: AcceptRange[] = [];
  for (const member of (header ?? '').split(',')) {
    const match = mediaTypePattern.exec(member);
    if (match?.[1] === undefined) continue;
    const quality = match[2] === undefined ? null : qualityPattern.exec(match[2]);
    ranges.push({ range: match[1].toLowerCase(), quality: quality?.[1] === undefined ? 1 : Number(quality[1]) });
  }
  // A header that says nothing usable is no header (RFC 9110 section 12.5.1).
  return ranges.length === 0 ? [{ range: '*/*', quality: 1 }] : ranges;
}

/** How welcome a type is, 0 to 1: the quality of the most specific range that covers it. */
export function qualityOf(ranges: readonly AcceptRange[], type: string): number {
  let best = -1;
  let quality = 0;
  for (const one of ranges) {
    if (!essenceMatches(one.range, type) && !essenceMatches(type, one.range)) continue;
    const specificity = one.range === '*/*' ? 0 : one.range.endsWith('/*') ? 1 : 2;
    if (specificity < best || (specificity === best && one.quality <= quality)) continue;
    best = specificity;
    quality = one.quality;
  }
  return quality;
}

/** The most welcome of `types`, the first of equals; `undefined` where none is acceptable. */
export function preferred<T extends string>(ranges: readonly AcceptRange[], types: readonly T[]): T | undefined {
  let best: T | undefined;
  let quality = 0;
  for (const type of types) {
    const own = qualityOf(ranges, type.toLowerCase());
    if (own > quality) {
      best = type;
      quality = own;
    }
  }
  return best;
}

/** Whether at least one of the types is acceptable. */
export function acceptable(ranges: readonly AcceptRange[], types: readonly string[]): boolean {
  return types.some((type) => qualityOf(ranges, type) > 0);
}
