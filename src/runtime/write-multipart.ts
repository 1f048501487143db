// SPDX-License-Identifier: 0BSD
import { disposition } from './disposition.js';
import type { FormPart } from './form-part.js';
import { type FieldSpec, jsonText, naming, own, refuse, scalar } from './parameters.js';
import { newBoundary } from './part-encode.js';
import type { BodySpec } from './write-body.js';

/**
 * Sends a multipart form (RFC 7578): a part for each member, or for each item of one that is an array. The parts are put
 * together without being read, so a file on a disk stays there until it is sent.
 */
export function writeMultipart({ type, fields = [] }: BodySpec, headers: Headers, input: unknown): BodyInit {
  const body = own(input, 'body');
  // The platform writes the boundary.
  if (body instanceof FormData) return body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('is not an object');
  const boundary = newBoundary();
  const pieces: BlobPart[] = [];
  for (const [name, value] of Object.entries(body)) {
    const field = fields.find((one) => one.name === name) ?? { name };
    naming(name, () => {
      for (const [partName, item] of itemsOf(field, value)) {
        const { data, lines } = partOf(field, partName, item);
        pieces.push(`--${boundary}\r\n${lines}\r\n`, data, '\r\n');
      }
    });
  }
  headers.set('content-type', `${type.replace('*', 'form-data')}; boundary=${boundary}`);
  return new Blob([...pieces, `--${boundary}--\r\n`]);
}

/** The parts of a member, each with its name. */
function itemsOf(field: FieldSpec, value: unknown): readonly (readonly [name: string, value: unknown])[] {
  const { name, whole, write } = field;
  if (write) {
    const target = { headers: new Headers(), query: [] as string[] };
    write(target, { name, write }, { query: { [name]: value } });
    // In a part nothing is percent-encoded.
    return target.query.map((pair) => {
      const at = pair.indexOf('=');
      return [decodeURIComponent(pair.slice(0, at)), decodeURIComponent(pair.slice(at + 1))];
    });
  }
  const items: readonly unknown[] = Array.isArray(value) && !whole ? value : [value];
  return items.flatMap((item) => (item === undefined || item === null ? [] : [[name, item] as const]));
}

function partOf(
  { file, type: declared }: FieldSpec,
  name: string,
  value: unknown,
): { readonly data: BlobPart; readonly lines: string } {
  const isPart = !isBytes(value) && typeof value === 'object' && (file || isBytes(own(value, 'data')));
  const part = isPart ? (value as FormPart<unknown>) : { data: value };
  const { data } = part;
  const said = (part.type ?? (data instanceof Blob ? data.type : '')) || declared;
  const type = said ?? (isBytes(data) ? 'application/octet-stream' : isScalar(data) ? undefined : 'application/json');
  const filename = part.filename ?? (isBytes(data) ? (data as Partial<File>).name || 'blob' : undefined);
  const headers = new Headers(part.headers);
  if (type !== undefined) headers.set('content-type', type);
  const lines = [...headers].map(([header, text]) => `${header}: ${text}\r\n`);
  return {
    data: isBytes(data) ? data : isScalar(data) && !/[/+]json\b/i.test(type ?? '') ? scalar(data) : jsonText(data),
    lines: `content-disposition: ${disposition(name, filename)}\r\n${lines.join('')}`,
  };
}

function isBytes(value: unknown): value is BlobPart & object {
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object';
}
