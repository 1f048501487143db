/** Media types as `content` maps name them (RFC 9110 section 8.3.1, RFC 6839). */
import type { BodyKind, Framing } from '../ir/api.js';

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const mediaType = new RegExp(
  `^\\s*${token}/${token}(\\s*;\\s*${token}\\s*=\\s*(${token}|"(?:[^"\\\\]|\\\\.)*"))*\\s*;?\\s*$`,
);
const tokenOnly = new RegExp(`^${token}$`);

export function isMediaType(text: string): boolean {
  return mediaType.test(text);
}

/** RFC 9110 section 5.6.2: what a header's name, a cookie's name and a method are made of. */
export function isToken(text: string): boolean {
  return tokenOnly.test(text);
}

/** A media type without its parameters, in lower case. */
export function essenceOf(text: string): string {
  return (text.split(';')[0] ?? '').trim().toLowerCase();
}

/** How a body of this type is carried. A range that covers JSON is read as JSON: documents that say any type mean it. */
export function mediaTypeKind(text: string): BodyKind {
  const essence = essenceOf(text);
  if (essence === 'application/json' || essence === 'text/json' || /\+json$/.test(essence)) return 'json';
  if (essence === '*/*' || essence === 'application/*') return 'json';
  const framing = framingOf(essence);
  if (framing !== undefined) return streamKind(framing);
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  if (essence.startsWith('multipart/')) return 'multipart';
  if (/[/+]xml$/.test(essence)) return 'xml';
  return essence.startsWith('text/') ? 'text' : 'binary';
}

export function streamKind(framing: Framing): BodyKind {
  return framing === 'sse' ? 'event-stream' : 'sequence';
}

const lines: ReadonlySet<string> = new Set(
  ['jsonl', 'x-jsonl', 'jsonlines', 'x-jsonlines', 'ndjson', 'x-ndjson'].map((name) => `application/${name}`),
);

/** The sequential media types whose items are JSON or events (OpenAPI 3.2, section 4.14.3); takes an essence. */
export function framingOf(essence: string): Framing | undefined {
  if (essence === 'text/event-stream') return 'sse';
  if (lines.has(essence)) return 'jsonl';
  return essence === 'application/json-seq' || essence.endsWith('+json-seq') ? 'json-seq' : undefined;
}
