/** Texts for the keywords of strings. */
import type { ObjectSchema } from '../../ir/schema.js';
import { codePoints } from '../../runtime/checks.js';
import { hasFormat } from './format-checks.js';
import { PatternStrings } from './pattern-strings.js';
import type { Random } from './random.js';
import type { Validity } from './validity.js';

const textsOfFormats: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29T12:30:00Z', '1999-12-31T23:59:59.5+01:00'],
  date: ['2024-02-29', '1999-12-31'],
  time: ['12:30:00Z', '23:59:59+01:00'],
  duration: ['P1DT2H', 'PT5M'],
  email: ['user@example.com', 'a.b@mail.example.org'],
  'idn-email': ['user@example.com', 'δοκιμή@παράδειγμα.example'],
  hostname: ['example.com', 'www.example.org'],
  'idn-hostname': ['example.com', 'παράδειγμα.example'],
  uuid: ['3fa85f64-5717-4562-b3fc-2c963f66afa6', '00000000-0000-4000-8000-000000000001'],
  uri: ['https://example.com/path', 'urn:example:1'],
  url: ['https://example.com/path', 'https://example.org'],
  iri: ['https://example.com/path', 'https://example.com/größe'],
  'iri-reference': ['/größe', 'https://example.com/path'],
  'uri-reference': ['/path', 'https://example.com/path'],
  'uri-template': ['https://example.com/{id}', '/a{?b*}'],
  'json-pointer': ['/a/0', ''],
  'relative-json-pointer': ['1/a', '0#'],
  regex: ['^[a-z]+$', 'a|b'],
  ipv4: ['192.0.2.1', '198.51.100.7'],
  ipv6: ['2001:db8::1', '::1'],
  byte: ['aGVsbG8=', 'YQ=='],
};

const words = ['text', 'another text', 'x', 'ab', 'A1', '42', '', 'Größe', '0'];
/** Tried against patterns that are no use for making texts. */
const guesses = [
  'a',
  'A',
  '1',
  '/a',
  'a-b',
  'a/b',
  'a:b',
  'a.b',
  'https://example.com/a',
  'arn:aws:iam::123456789012:role/a',
];
const longest = 10_000;

export class TextSamples {
  readonly #validity: Validity;
  readonly #random: Random;
  readonly #patterns: PatternStrings;

  constructor(validity: Validity, random: Random) {
    this.#validity = validity;
    this.#random = random;
    this.#patterns = new PatternStrings(random);
  }

  /** `varied`: not always the same. `contents`: texts that hold what they must hold. */
  text(nodes: readonly ObjectSchema[], varied: boolean, contents: readonly string[] = []): string | undefined {
    const sizes = nodes.flatMap(({ string }) => string ?? []);
    const least = Math.max(0, ...sizes.map(({ minLength }) => minLength ?? 0));
    const most = Math.min(...sizes.map(({ maxLength }) => maxLength ?? Number.POSITIVE_INFINITY));
    if (least > Math.min(most, longest)) return undefined;
    const formats = nodes.flatMap(({ format }) => format ?? []);
    const patterns = sizes.flatMap(({ pattern }) => pattern ?? []);
    const fits = (text: string, strict: boolean): boolean => {
      const length = codePoints(text);
      if (length < least || length > most) return false;
      if (patterns.some((pattern) => this.#validity.patterns.matches(pattern, text) !== true)) return false;
      return !strict || formats.every((format) => hasFormat(format, text));
    };
    const all = [...contents, ...this.#candidates(formats, patterns, least, most, varied)];
    return all.find((text) => fits(text, true)) ?? all.find((text) => fits(text, false));
  }

  #candidates(
    formats: readonly string[],
    patterns: readonly string[],
    least: number,
    most: number,
    varied: boolean,
  ): readonly string[] {
    const named = formats.flatMap((format) =>
      Object.hasOwn(textsOfFormats, format) ? (textsOfFormats[format] ?? []) : [],
    );
    const plain = varied ? this.#random.turned(words) : words;
    const made = [
      ...(varied ? this.#random.turned(named) : named),
      ...patterns.flatMap((one) => this.#matching(one, least)),
    ];
    if (patterns.length > 0) made.push(...guesses);
    const lengths = [...new Set([least, Math.min(least + 1, most), Math.min(most, 32)])].filter((n) => n <= longest);
    const sized = [...made, ...plain].flatMap((text) => lengths.map((length) => ofLength(text, length, least, most)));
    return [...made, ...plain, ...sized, ...lengths.map((length) => 'a1'.repeat(length).slice(0, length))];
  }

  #matching(source: string, least: number): readonly string[] {
    const pattern = this.#validity.patterns.pattern(source);
    if (pattern === undefined) return [];
    const found: string[] = [];
    for (const further of [1, 0, 2, 4, 7, least, least + 1, 31]) {
      for (let count = 0; count < 3; count++) {
        const text = this.#patterns.text(pattern.root, further);
        if (text !== undefined) found.push(text);
      }
    }
    return found;
  }
}

/** The text, repeated or cut where it is too short or too long. */
function ofLength(text: string, length: number, least: number, most: number): string {
  const points = Array.from(text);
  if (points.length >= least && points.length <= most) return text;
  if (points.length > most) return points.slice(0, most).join('');
  const unit = text === '' ? 'a' : `${text}`;
  return Array.from(unit.repeat(Math.ceil(length / Math.max(1, points.length))))
    .slice(0, length)
    .join('');
}
