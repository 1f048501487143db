/**
 * Decodes what a client sent by the tables of the OpenAPI Specification, RFC 6570 and RFC 7578, with nothing of our runtime.
 * Everything is compared as text: numbers and booleans have left their types on the way.
 */
import type { Encoding, Operation, Parameter } from '../../src/ir/api.js';

/** A list of texts, or of names with texts; a single value is a list of itself. */
type Texts = readonly (string | readonly [name: string, text: string])[];

export function textsOf(value: unknown): Texts {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) =>
    member === null || member === undefined ? [] : [[name, String(member)] as const],
  );
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;
const isObject = (value: unknown): boolean => isContainer(value) && !Array.isArray(value);

/** Texts between delimiters, decoded after they are told apart: of an object in pairs, or exploded as `key=value`. */
function split(
  raw: string,
  delimiter: string | RegExp,
  explode: boolean,
  value: unknown,
  decode = decodeURIComponent,
): Texts {
  if (!isContainer(value)) return [decode(raw)];
  const parts = raw.split(delimiter);
  if (!isObject(value)) return parts.map((part) => decode(part));
  if (explode) return parts.map((part) => pairOf(part, decode));
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? [[decode(part), decode(parts[index + 1] ?? '')] as const] : [],
  );
}

function pairOf(part: string, decode = decodeURIComponent): readonly [string, string] {
  const at = part.indexOf('=');
  return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
}

/** The raw texts of the path's variables, by name; nothing where the path is not that of the operation. */
export function pathVariables({ path }: Operation, url: string): ReadonlyMap<string, string> | undefined {
  const names: string[] = [];
  const pattern = path.parts.map((part) => {
    if (part.kind === 'variable') {
      names.push(part.name);
      return '([^/]*)';
    }
    return Array.from(part.text, (character) => {
      const plain = character.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const hex = Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      return `(?:${plain}|${hex})`;
    }).join('');
  });
  const match = new RegExp(`^${pattern.join('')}$`, 'i').exec(url.split('?')[0] ?? '');
  return match ? new Map(names.map((name, index) => [name, match[index + 1] ?? ''])) : undefined;
}

/** What a variable of the path stands for, as texts; `value` says only which kind it is. */
export function decodePath({ name, style, explode }: Parameter, raw: string, value: unknown): Texts {
  if (style === 'label') {
    if (!raw.startsWith('.')) return [`not a label: ${raw}`];
    return split(raw.slice(1), explode ? '.' : ',', explode, value);
  }
  if (style !== 'matrix') return split(raw, ',', explode, value);
  const pairs = raw.split(';').slice(1);
  if (explode && isObject(value)) return pairs.map((pair) => pairOf(pair));
  const own = pairs.map((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  });
  if (own.some(([key = '']) => decodeURIComponent(key) !== name)) return [`not a matrix of ${name}: ${raw}`];
  if (explode && isContainer(value)) return own.map(([, text = '']) => decodeURIComponent(text));
  return split(own[0]?.[1] ?? '', ',', false, value);
}

export interface RawPair {
  readonly name: string;
  readonly raw: string;
}

export function rawPairs(text: string, between: string | RegExp = '&'): RawPair[] {
  return text === ''
    ? []
    : text.split(between).map((pair) => {
        const at = pair.indexOf('=');
        return { name: decodeURIComponent(at < 0 ? pair : pair.slice(0, at)), raw: at < 0 ? '' : pair.slice(at + 1) };
      });
}

const delimiters = { spaceDelimited: '%20', pipeDelimited: '%7C' } as const;

type Styled = Pick<Parameter, 'name' | 'style' | 'explode'>;

/** Takes what belongs to one value out of the pairs, and decodes it. Gives what is wrong with it. */
export function takePairs(
  pairs: RawPair[],
  { name, style, explode }: Styled,
  value: unknown,
  decode = decodeURIComponent,
): string[] {
  const take = (wanted: string): string | undefined => {
    const at = pairs.findIndex((pair) => pair.name === wanted);
    return at < 0 ? undefined : pairs.splice(at, 1)[0]?.raw;
  };
  const expected = style === 'deepObject' ? leaves(name, value) : undefined;
  if (expected) return expected.flatMap(([key, text]) => differs(key, take(key), text, decode));
  if (!isContainer(value) || explode) {
    return textsOf(value).flatMap((one) => {
      const [key, text] = typeof one === 'string' ? [name, one] : one;
      return differs(key, take(key), text, decode);
    });
  }
  const raw = take(name);
  const delimiter = style === 'spaceDelimited' || style === 'pipeDelimited' ? delimiters[style] : ',';
  return raw === undefined
    ? [`${name} is missing`]
    : unequal(name, split(raw, delimiter, false, value, decode), textsOf(value));
}

function differs(name: string, raw: string | undefined, text: string, decode: (text: string) => string): string[] {
  if (raw === undefined) return [`${name} is missing`];
  return decode(raw) === text ? [] : [`${name} is ${JSON.stringify(raw)} in place of ${JSON.stringify(text)}`];
}

export function unequal(name: string, found: unknown, wanted: unknown): string[] {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  return left === right ? [] : [`${name} is ${left} in place of ${right}`];
}

/** `a[b][0]`, as qs, PHP and Stripe read it. */
function leaves(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (!isContainer(value)) return [[name, String(value)]];
  return Object.entries(value as object).flatMap(([key, member]) => leaves(`${name}[${key}]`, member));
}

/** A header of the style `simple`: nothing is decoded. */
export function decodeHeader(text: string, explode: boolean, value: unknown): Texts {
  return split(text, ',', explode, value, (part) => part);
}

/** How a member of a form is written, where its encoding says a style. */
export function styleOf(name: string, encoding: Encoding | undefined): Styled | undefined {
  if (!encoding) return undefined;
  const { style, explode, allowReserved } = encoding;
  if (style === undefined && explode === undefined && allowReserved === undefined) return undefined;
  return { name, style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' };
}

export interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  readonly text: string;
}

/** Server-sent events as their names and data (HTML Standard, interpreting an event stream); of line ends only LF. */
export function eventsOf(body: string): readonly (readonly [name: string, data: string])[] {
  return body.split('\n\n').flatMap((block) => {
    const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? ['', '']);
    const valuesOf = (wanted: string): string[] =>
      fields.flatMap(([name, text = '']) => (name === wanted ? [text] : []));
    const data = valuesOf('data');
    return data.length === 0 ? [] : [[valuesOf('event').at(-1) ?? 'message', data.join('\n')] as const];
  });
}

/** The parts of a multipart body (RFC 2046), those of a form with their names (RFC 7578). */
export function partsOf(contentType: string, body: string): Part[] {
  const boundary = /boundary=(.*)$/.exec(contentType)?.[1] ?? 'none';
  const [, ...rest] = body.split(`--${boundary}`);
  if (rest.pop()?.trim() !== '--') return [];
  return rest.map((part) => {
    const [head = '', ...text] = part.slice(2, -2).split('\r\n\r\n');
    const { 1: name = '', 2: filename } =
      /^content-disposition: form-data; name="([^"]*)"(?:; filename="([^"]*)")?$/im.exec(head) ?? [];
    return { name, filename, type: /^content-type: (.*)$/im.exec(head)?.[1], text: text.join('\r\n\r\n') };
  });
}
