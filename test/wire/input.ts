/** What a call of an operation is given: values sampled from the schemas of its parameters and of one of its bodies. */
import type { MediaType, Operation, Parameter, StreamSpec } from '../../src/ir/api.js';
import * as decoder from './decoder.js';
import type { Carrier, WireSampler } from './sampler.js';

export interface Input {
  path?: Record<string, unknown>;
  query?: unknown;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  body?: unknown;
  contentType?: string;
}

const plain = ['x', '42', 'A1'];
const odd = [...plain, 'a b', "é&=?#/;,+'", '日本', '100%'];
const noSpaces: Carrier = { levels: 1, words: plain, fits: (text) => /^[\w.-]+$/.test(text), nulls: false };
const anything: Carrier = {
  levels: 1,
  words: odd,
  fits: (text) => text !== '' && !/^\.{1,2}$/.test(text),
  nulls: false,
};
const json: Carrier = { levels: 6, words: [...odd, ''], fits: () => true, nulls: true };
const deep: Carrier = { ...anything, levels: 4 };
const text: Carrier = { ...json, levels: 0, nulls: false };

function carrierOf({ in: place, style, content, allowReserved }: Parameter): Carrier {
  if (content?.kind === 'json' || place === 'querystring') return json;
  if (content !== undefined) return { ...noSpaces, levels: 0 };
  if (style === 'deepObject') return deep;
  const isPlain = place === 'header' || style === 'cookie' || style === 'spaceDelimited' || style === 'pipeDelimited';
  return isPlain || allowReserved ? noSpaces : anything;
}

export const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
const transport = new Set([
  'host',
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** An input that can be sent; nothing where a required part of it cannot. */
export function inputOf(operation: Operation, media: MediaType | undefined, sampler: WireSampler): Input | undefined {
  const input: Input = {};
  for (const parameter of operation.parameters) {
    const { in: place, name, schema, content, required } = parameter;
    if (place === 'header' && transport.has(name.toLowerCase())) continue;
    if (place === 'querystring') {
      const value = wholeQuery(content, sampler);
      if (value !== undefined) input.query = value;
      else if (required) return undefined;
      continue;
    }
    const value = sampler.value(content ? content.schema : schema, carrierOf(parameter));
    if (value === undefined || value === null) {
      if (required) return undefined;
      continue;
    }
    const group = input[groups[place]] as Record<string, unknown> | undefined;
    input[groups[place]] = { ...group, [name]: content && content.kind !== 'json' ? 'x' : value };
  }
  if (!media) return input;
  const body = bodyOf(media, sampler);
  const contentType = concrete(media.text);
  if (body !== undefined) return { ...input, body, ...(operation.body?.content[1] && { contentType }) };
  return operation.body?.required ? undefined : input;
}

/** One type of a range. */
export function concrete(type: string): string {
  return type.replace('*/*', 'text/*').replace('text/*', 'text/plain').replace('*', 'x-any');
}

function wholeQuery(content: MediaType | undefined, sampler: WireSampler): unknown {
  if (content?.kind === 'json') return sampler.value(content.schema, json);
  return content?.kind === 'form' ? undefined : 'a=1%20&b';
}

function bodyOf(media: MediaType, sampler: WireSampler): unknown {
  const { kind, schema, stream } = media;
  if (stream) return itemsOf(stream, sampler);
  if (kind === 'json') return sampler.value(schema, json);
  if (kind === 'text' || kind === 'xml') return '<a>é</a>';
  if (kind === 'binary') return new TextEncoder().encode('bytes é');
  if ((kind !== 'form' && kind !== 'multipart') || schema === undefined) return undefined;
  const entries = sampler.properties(schema).flatMap(({ name, shape }) => {
    const encoding = media.encoding.find((one) => one.name === name)?.encoding;
    const style = decoder.styleOf(name, encoding);
    const parts = sampler.parts(shape);
    const isFile = parts.some((part) => part.kind === 'string' && part.format === 'binary');
    if (kind === 'multipart' && isFile && !style) return [[name, new Blob(['file'], { type: 'image/png' })] as const];
    const carrier = style?.style === 'deepObject' ? deep : style ? noSpaces : json;
    const value = sampler.shape(shape, carrier);
    if (value === undefined) return [];
    return [[name, kind === 'multipart' && encoding?.headers.length ? { data: value } : value] as const];
  });
  return Object.fromEntries(entries);
}

/** A few items, one of each event; of parts as many as the contract tells apart, and one more. */
function itemsOf({ framing, events }: StreamSpec, sampler: WireSampler): readonly unknown[] {
  const all = framing === 'sse' ? events : [...events, ...events.slice(-1)];
  return all.flatMap(({ name, data, schema, contentTypes = [] }) => {
    const value =
      data === 'binary' ? new TextEncoder().encode('bytes é') : sampler.value(schema, data === 'text' ? text : json);
    if (value === undefined) return [];
    if (framing === 'sse') return [name === 'message' ? { data: value } : { event: name, data: value }];
    const [type] = contentTypes;
    // Only forms look at the name.
    const part = { name: 'part', data: value, ...(type && { contentType: concrete(type) }) };
    return [framing === 'multipart' ? part : value];
  });
}
