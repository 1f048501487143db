/**
 * Reads one document by way of `@apidevtools/swagger-parser`: its `parse` runs our reader and our parsers, and gives its
 * verdict on the version. Nothing else of the library is used: it never sees a path or a URL, never reads a second
 * document and never follows a reference. The only file that imports it.
 */
import type { JsonValue } from '../ir/schema.js';
import { judgeEntry, judgeReferenced } from './document-kind.js';
import type { Problem, ReadLimits } from './problem.js';
import { type ReadValue, readJson } from './read-json.js';
import { readYaml } from './read-yaml.js';
import type { DocumentKind, DocumentText } from './sources.js';

export interface ReadDocument extends DocumentText {
  /** Both absent where a problem is an error. */
  readonly value?: JsonValue;
  readonly kind?: DocumentKind;
  readonly problems: readonly Problem[];
}

interface ReadText extends DocumentText, ReadValue {}

/**
 * Reads the bytes of a document; `role` says whether the user named it or a reference leads to it. What the document is told
 * by is its value as `amend` gives it.
 */
export async function readDocument(
  bytes: Uint8Array,
  role: 'entry' | 'referenced',
  limits: ReadLimits,
  amend?: (value: JsonValue) => Promise<JsonValue>,
): Promise<ReadDocument> {
  const { accepted, read } = await parseWithLibrary(bytes, limits);
  if (read.value === undefined) return read;
  const value = amend === undefined ? read.value : await amend(read.value);
  // What the library accepts is OpenAPI for sure. It knows neither 3.2 nor JSON Schema, so its refusal says nothing.
  const judgement = role === 'entry' || accepted ? judgeEntry(value) : judgeReferenced(value);
  const problems = [...read.problems, ...judgement.problems];
  return judgement.kind === undefined
    ? { ...withoutValue(read), problems }
    : { ...read, value, kind: judgement.kind, problems };
}

/** Reads the bytes of a file that is no document of an API, such as an overlay. */
export async function readPlainDocument(bytes: Uint8Array, limits: ReadLimits): Promise<Omit<ReadDocument, 'kind'>> {
  return readText(bytes, limits);
}

async function parseWithLibrary(
  bytes: Uint8Array,
  limits: ReadLimits,
): Promise<{ readonly accepted: boolean; readonly read: ReadText }> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  let read: ReadText | undefined;
  let fault: unknown;
  const parse = async (): Promise<JsonValue> => {
    try {
      read = await readText(bytes, limits);
    } catch (error) {
      fault = error;
      throw error;
    }
    return read.value ?? {};
  };
  const accepted = await new SwaggerParser()
    .parse('document', {
      resolve: {
        file: { order: 1, canRead: true, read: () => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
        http: false,
      },
      parse: { json: { order: 1, canParse: true, parse }, yaml: false, text: false, binary: false },
    })
    .then(
      () => true,
      () => false,
    );
  if (read === undefined) throw fault ?? new Error('the parser was not called');
  return { accepted, read };
}

function withoutValue({ text, format }: ReadText): DocumentText {
  return { text, format };
}

async function readText(bytes: Uint8Array, limits: ReadLimits): Promise<ReadText> {
  const { text, problem } = decode(bytes);
  const format = jsonPattern.test(text) ? 'json' : 'yaml';
  if (problem !== undefined) return { text, format, problems: [problem] };
  if (/^\s*$/.test(text)) {
    return { text, format, problems: [{ code: 'document-empty', message: 'the document is empty', offset: 0 }] };
  }
  if (format === 'json') return { text, format, ...readJson(text, 0, limits) };
  const yaml = await readYaml(text, limits);
  if (typeof yaml.value === 'object' && yaml.value !== null) return { text, format, ...yaml };
  const start = preambleEnd(text);
  if (start !== undefined) {
    const json = readJson(text, start, limits);
    const message = 'the lines before the JSON value were skipped';
    return {
      text,
      format: 'json',
      ...json,
      problems: [{ code: 'preamble-skipped', message, offset: 0 }, ...json.problems],
    };
  }
  if (yaml.value === null) {
    return { text, format, problems: [{ code: 'document-empty', message: 'the document is empty', offset: 0 }] };
  }
  return { text, format, ...yaml };
}

/** JSON, rather than a flow collection of YAML: an array, or an object whose first key is in double quotes. */
const jsonPattern = /^\s*(?:\[|\{\s*(?:["}]|$))/;

/**
 * Where the JSON value starts in a text that has at most five short lines before it, as a block copied from a web page
 * has; `undefined` where there is no such value.
 */
function preambleEnd(text: string): number | undefined {
  let start = 0;
  for (let line = 0; line <= 5; line += 1) {
    const end = text.indexOf('\n', start);
    if (line > 0 && jsonPattern.test(text.slice(start, start + 1000))) return start;
    if (end < 0 || end - start > 200) return undefined;
    start = end + 1;
  }
  return undefined;
}

/** Where the JSON value of a text starts that was read as JSON. */
export function jsonStart(text: string): number {
  return jsonPattern.test(text) ? 0 : (preambleEnd(text) ?? 0);
}

function decode(bytes: Uint8Array): { readonly text: string; readonly problem?: Problem } {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  const encoding = utf16 ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  const nul = text.indexOf('\u0000');
  if (nul >= 0)
    return { text, problem: { code: 'syntax-error', message: 'the text holds a NUL character', offset: nul } };
  const replaced = text.indexOf('\ufffd');
  if (replaced < 0) return { text };
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { text };
  } catch {
    return {
      text,
      problem: { code: 'syntax-error', message: `the text is not ${encoding.toUpperCase()}`, offset: replaced },
    };
  }
}
