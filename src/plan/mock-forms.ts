/** Forms as a mock answers with them: text, because a server sends forms as they are. */
import type { Api, Encoding, MediaType } from '../ir/api.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject } from '../json-object.js';
import { FormFields } from './form-fields.js';

const boundary = 'mock-boundary';

/** The header of every multipart form. */
export const mockFormType = `multipart/form-data; boundary=${boundary}`;

export function isForm({ kind, essence, stream }: MediaType): boolean {
  return !stream && (kind === 'form' || essence === 'multipart/form-data');
}

/** Nothing where the value is no object. */
export function mockForm(api: Api, media: MediaType, value: JsonValue): string | undefined {
  if (!isObject(value)) return undefined;
  return media.kind === 'form' ? pairsOf(media, value) : partsOf(api, media, value);
}

function pairsOf({ encoding }: MediaType, form: JsonObject): string {
  const encodings = new Map(encoding.map(({ name, encoding: one }) => [name, one]));
  return Object.entries(form)
    .flatMap(([name, value]) => fieldOf(name, value, encodings.get(name)))
    .map(([name, text]) => `${encodeURIComponent(name)}=${text}`)
    .join('&');
}

type Pair = readonly [name: string, encoded: string];

function fieldOf(
  name: string,
  value: JsonValue,
  { style, explode, contentType }: Partial<Encoding> = {},
): readonly Pair[] {
  if (style === 'deepObject') return deepOf(name, value);
  const isJoined = style === undefined || style === 'form' ? explode === false : explode !== true;
  if (isJoined && typeof value === 'object' && value !== null) {
    const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '|' : ',';
    const items = Array.isArray(value) ? value : Object.entries(value).flat();
    return [[name, items.map((item) => encodeURIComponent(textOf(item))).join(delimiter)]];
  }
  const isStyled = style !== undefined || explode !== undefined;
  if (isStyled && isObject(value)) return Object.entries(value).flatMap(([key, member]) => fieldOf(key, member));
  const isWhole = contentType !== undefined && /[/+]json/i.test(contentType);
  const items = Array.isArray(value) && !isWhole ? value : [value];
  return items.flatMap((item): Pair[] => (item === null ? [] : [[name, encodeURIComponent(textOf(item))]]));
}

/** A sample is no deeper than its maker allows. */
function deepOf(name: string, value: JsonValue): readonly Pair[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [[name, encodeURIComponent(textOf(value))]];
  return Object.entries(value).flatMap(([key, member]) => deepOf(`${name}[${key}]`, member));
}

function partsOf(api: Api, media: MediaType, form: JsonObject): string {
  const fields = new Map(new FormFields(api).of(media).map((field) => [field.name, field]));
  const parts = Object.entries(form).flatMap(([name, value]) => {
    const { isFile = false, type } = fields.get(name) ?? {};
    const isWhole = !isFile && type !== undefined && /[/+]json/i.test(type);
    const items = Array.isArray(value) && !isWhole ? value : [value];
    return items.flatMap((item) => (item === null ? [] : [partOf(name, item, isFile, type)]));
  });
  return [...parts, `--${boundary}--\r\n`].join('');
}

function partOf(name: string, value: JsonValue, isFile: boolean, declared: string | undefined): string {
  const usual = isFile ? 'application/octet-stream' : typeof value === 'object' ? 'application/json' : undefined;
  const type = declared?.replace(/[\r\n]/g, '') ?? usual;
  const quoted = name.replace(/["\r\n]/g, encodeURIComponent);
  const lines = [
    `--${boundary}`,
    `content-disposition: form-data; name="${quoted}"${isFile ? '; filename="file"' : ''}`,
    ...(type === undefined ? [] : [`content-type: ${type}`]),
    '',
    isFile ? 'text' : textOf(value),
    '',
  ];
  return lines.join('\r\n');
}

function textOf(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
