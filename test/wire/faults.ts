/** What is wrong with a request, by a decoder that has nothing of our runtime. */
import type { MediaType, Operation, StreamSpec } from '../../src/ir/api.js';
import type { SeenRequest } from '../support/http-server.js';
import * as decoder from './decoder.js';
import { concrete, groups, type Input } from './input.js';

/** Everything that is wrong with a request. */
export function faultsOf(
  operation: Operation,
  media: MediaType | undefined,
  input: Input,
  { method, url, headers, body }: SeenRequest,
): string[] {
  const faults = decoder.unequal('method', method, operation.method);
  const variables = decoder.pathVariables(operation, url);
  if (!variables) return [...faults, `the path is ${url}`];
  const pairs = decoder.rawPairs(url.split('?')[1] ?? '');
  const cookies = decoder.rawPairs(headers.cookie ?? '', '; ');
  for (const parameter of operation.parameters) {
    const { in: place, name, content, explode } = parameter;
    if (place === 'querystring') {
      const raw = url.slice(url.indexOf('?') + 1);
      const found = content?.kind === 'json' ? JSON.parse(decodeURIComponent(raw)) : raw;
      if (input.query !== undefined) faults.push(...decoder.unequal('the query', found, input.query));
      pairs.length = 0;
      continue;
    }
    const group = input[groups[place]] as Record<string, unknown> | undefined;
    if (!group || !Object.hasOwn(group, name)) {
      // A default of a required parameter is sent, which other tests look at.
      if (place === 'query' && parameter.required) decoder.takePairs(pairs, { ...parameter, explode: true }, '');
      continue;
    }
    const given = group[name];
    const isJson = content?.kind === 'json';
    const value = isJson ? JSON.stringify(given) : given;
    if (place === 'path')
      faults.push(
        ...decoder.unequal(
          name,
          decoder.decodePath({ ...parameter, ...(content && { style: 'simple' }) }, variables.get(name) ?? '', value),
          decoder.textsOf(value),
        ),
      );
    else if (place === 'query') faults.push(...decoder.takePairs(pairs, parameter, value));
    else if (place === 'cookie') {
      const isPlain = parameter.style === 'cookie' && !isJson;
      faults.push(...decoder.takePairs(cookies, parameter, value, isPlain ? (text) => text : undefined));
    } else {
      const text = String(headers[name.toLowerCase()]);
      faults.push(
        ...(isJson
          ? decoder.unequal(name, JSON.parse(text), given)
          : decoder.unequal(name, decoder.decodeHeader(text, explode, value), decoder.textsOf(value))),
      );
    }
  }
  const left = pairs.map(({ name }) => `${name} is in the query, and nobody gave it`);
  return [
    ...faults,
    ...left,
    ...(media && input.body !== undefined ? bodyFaults(media, input.body, headers['content-type'] ?? '', body) : []),
  ];
}

function bodyFaults(media: MediaType, given: unknown, type: string, body: string): string[] {
  const { kind, essence, encoding, stream } = media;
  const isRange = essence.includes('*');
  const faults = isRange || type.toLowerCase().startsWith(essence) ? [] : [`the media type is ${type}`];
  if (stream) return [...faults, ...itemFaults(stream, given as readonly unknown[], type, body)];
  if (kind === 'json') return [...faults, ...decoder.unequal('body', JSON.parse(body), given)];
  if (kind === 'text' || kind === 'xml') return [...faults, ...decoder.unequal('body', body, given)];
  if (kind === 'binary') return [...faults, ...decoder.unequal('body', body, 'bytes é')];
  const pairs = kind === 'form' ? decoder.rawPairs(body) : [];
  const parts = kind === 'multipart' ? decoder.partsOf(type, body) : [];
  for (const [name, member] of Object.entries(given as object)) {
    const own = encoding.find((one) => one.name === name)?.encoding;
    const style = decoder.styleOf(name, own);
    const isJson = /^[^,]*[/+]json\b/.test(own?.contentType ?? '');
    const value = own?.headers.length && kind === 'multipart' ? member.data : member;
    if (style) {
      const from = kind === 'form' ? pairs : parts.map((part) => ({ name: part.name, raw: part.text }));
      const before = from.length;
      faults.push(...decoder.takePairs(from, style, value, kind === 'form' ? undefined : (text) => text));
      if (kind === 'multipart')
        parts.splice(
          0,
          before,
          ...from.map(
            ({ name: left, raw }) =>
              parts.find((part) => part.name === left && part.text === raw) ?? {
                name: left,
                filename: undefined,
                type: undefined,
                text: raw,
              },
          ),
        );
      continue;
    }
    const items = Array.isArray(value) && !isJson && !(own?.headers.length && kind === 'multipart') ? value : [value];
    for (const item of items) {
      if (item === null || item === undefined) continue;
      const isText = typeof item !== 'object' && !isJson;
      if (kind === 'form') {
        const at = pairs.findIndex((pair) => pair.name === name);
        const [pair] = at < 0 ? [] : pairs.splice(at, 1);
        const text = pair && decodeURIComponent(pair.raw);
        faults.push(...decoder.unequal(name, text && (isText ? text : JSON.parse(text)), isText ? String(item) : item));
      } else {
        const at = parts.findIndex((part) => part.name === name);
        const [part] = at < 0 ? [] : parts.splice(at, 1);
        if (item instanceof Blob)
          faults.push(
            ...decoder.unequal(name, [part?.text, part?.type, part?.filename], ['file', 'image/png', 'blob']),
          );
        else
          faults.push(
            ...decoder.unequal(
              name,
              part && (isText ? part.text : JSON.parse(part.text)),
              isText ? String(item) : item,
            ),
          );
      }
    }
  }
  return [...faults, ...[...pairs, ...parts].map(({ name }) => `${name} is in the body, and nobody gave it`)];
}

/** The items of a sequence, each with its name where it has one. */
function itemFaults({ framing, events, sentinels }: StreamSpec, given: readonly unknown[], type: string, body: string) {
  const dataOf = (item: unknown): unknown => (item as { readonly data: unknown }).data;
  if (framing === 'sse') {
    const wanted = given.map((item) => {
      const { event = 'message', data } = item as { readonly event?: string; readonly data: unknown };
      return [event, data];
    });
    const found = decoder.eventsOf(body).map(([name, data], index) => {
      const named = events.filter((event) => event.name === name);
      const kinds = (named.length > 0 ? named : events.slice(0, 1)).map((event) => event.data);
      // Under one name texts and JSON may come: then a text was given as such.
      const isText = kinds.includes('text') && typeof wanted[index]?.[1] === 'string';
      return [name, kinds.includes('json') && !isText && !sentinels.includes(data) ? JSON.parse(data) : data];
    });
    return decoder.unequal('the events', found, [...wanted, ...sentinels.slice(0, 1).map((text) => ['message', text])]);
  }
  if (framing === 'multipart') {
    const wanted = given.map((item) => {
      const data = dataOf(item);
      return data instanceof Uint8Array ? new TextDecoder().decode(data) : data;
    });
    const found = decoder.partsOf(type, body).map((part, index) => {
      const { data = 'json', contentTypes: [declared] = [] } = events[Math.min(index, events.length - 1)] ?? {};
      if (declared !== undefined && part.type !== concrete(declared)) return `the media type is ${part.type}`;
      const isJson = data === 'json' || (data === 'any' && /json/.test(part.type ?? ''));
      return isJson ? JSON.parse(part.text) : part.text;
    });
    return decoder.unequal('the parts', found, wanted);
  }
  const texts = framing === 'jsonl' ? body.split('\n') : body.split('\u001e').slice(1);
  if (framing === 'jsonl') texts.pop();
  const found = texts.map((text) => JSON.parse(text));
  return decoder.unequal('the items', found, given);
}
