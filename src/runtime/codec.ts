// SPDX-License-Identifier: 0BSD
import type { ValueCodec } from './validation.js';

/**
 * Where the dates and times of a value are. `date` travels as `2024-02-29` and is the start of that day in UTC, `date-time`
 * travels as RFC 3339 says.
 */
export type CodecPart = 'date' | 'date-time' | CodecRef | CodecNode;

/** A codec of its own; by a function, because codecs refer to each other. */
export type CodecRef = () => Codec;

export interface CodecNode {
  /** The members that hold dates. With `rest`, `null` stands for those that hold none. */
  readonly members?: Readonly<Record<string, CodecPart | null>>;
  /** All other members. */
  readonly rest?: CodecPart;
  /** The first items, each by itself. */
  readonly prefix?: readonly (CodecPart | null)[];
  /** All other items. */
  readonly items?: CodecPart;
  /** Further parts for the same value. */
  readonly also?: readonly CodecPart[];
  /** Parts for values that look like this. */
  readonly choose?: readonly CodecChoice[];
}

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'date' | 'date-time';
type Scalar = string | number | boolean | null;

/** What a value looks like at its surface, so that choosing costs the same for every size of it. */
export interface CodecChoice {
  readonly is: Kind;
  readonly required?: readonly string[];
  /** The values that a member can have, where it is there. */
  readonly values?: Readonly<Record<string, readonly Scalar[]>>;
  /** The kinds that a member can be of, where it is there. */
  readonly kinds?: Readonly<Record<string, readonly Kind[]>>;
  readonly part: CodecPart;
}

export interface Codec extends ValueCodec {
  readonly part: CodecPart;
}

/** A value that is not what its codec says; the message names no value. */
export class CodecFault extends RangeError {
  readonly path: readonly (string | number)[];

  constructor(message: string, path: readonly (string | number)[]) {
    super(message);
    this.name = 'CodecFault';
    this.path = path;
  }
}

/**
 * Makes a codec. Both ways take time linear in the size of the value, and leave the value itself as it is. The part is read
 * as a constant: behind the name of something that every object inherits, TypeScript would take `'date'` for any string.
 */
export function codec<const Part extends CodecPart>(part: Part): Codec {
  return {
    part,
    decode: (value) => new Walk(decodeSide).apply([part], value),
    encode: (value) => new Walk(encodeSide).apply([part], value),
  };
}

/** One direction: what a date is before, and what becomes of it. */
interface Side {
  readonly isDate: (value: unknown, kind: 'date' | 'date-time') => boolean;
  readonly convert: (value: unknown, kind: 'date' | 'date-time') => unknown;
}

const patterns = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
} as const;

const decodeSide: Side = {
  isDate: (value, kind) => typeof value === 'string' && patterns[kind].test(value),
  convert: (value, kind) => {
    if (typeof value !== 'string') return value;
    if (!patterns[kind].test(value) || !isDay(value.slice(0, 10))) return undefined;
    // A leap second is one that Date does not know.
    const date = new Date(
      value
        .toUpperCase()
        .replace(' ', 'T')
        .replace(/:60(?=[.Z+-])/, ':59'),
    );
    return Number.isNaN(date.getTime()) ? undefined : date;
  },
};

/** Date goes on counting: to it February 30 is in March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const encodeSide: Side = {
  isDate: (value) => value instanceof Date,
  convert: (value, kind) => {
    if (!(value instanceof Date)) return value;
    // RFC 3339 has years of four digits.
    const text = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    if (!/^\d{4}-/.test(text)) return undefined;
    return kind === 'date' ? text.slice(0, text.indexOf('T')) : text;
  },
};

/** What the recursion may use of the stack; validators refuse such values long before. */
const deepest = 1000;

class Walk {
  readonly #side: Side;
  readonly #path: (string | number)[] = [];

  constructor(side: Side) {
    this.#side = side;
  }

  /** Applies all the parts at once, each one once: a value that several branches describe is still visited once. */
  apply(parts: readonly CodecPart[], value: unknown): unknown {
    if (value === null || value === undefined) return value;
    const nodes: CodecNode[] = [];
    const date = this.#expand(parts, value, nodes);
    if (date !== undefined && (typeof value === 'string' || value instanceof Date)) {
      const converted = this.#side.convert(value, date);
      if (converted === undefined) throw new CodecFault(`is not a ${date}`, [...this.#path]);
      return converted;
    }
    if (nodes.length === 0) return value;
    if (this.#path.length > deepest) throw new CodecFault('is nested too deeply', []);
    if (Array.isArray(value)) return value.map((item, index) => this.#part(itemParts(nodes, index), item, index));
    if (!isObject(value)) return value;
    // `fromEntries` defines own properties, so a member named `__proto__` stays one.
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#part(memberParts(nodes, name), member, name)]),
    );
  }

  #part(parts: readonly CodecPart[], value: unknown, step: string | number): unknown {
    if (parts.length === 0) return value;
    this.#path.push(step);
    const result = this.apply(parts, value);
    this.#path.pop();
    return result;
  }

  /** Follows references and choices; gives the first date that applies, and all nodes. */
  #expand(parts: readonly CodecPart[], value: unknown, nodes: CodecNode[]): 'date' | 'date-time' | undefined {
    let date: 'date' | 'date-time' | undefined;
    const seen = new Set<CodecPart>();
    const pending = [...parts];
    // The list grows while it is walked.
    for (const given of pending) {
      const part = typeof given === 'function' ? given().part : given;
      if (seen.has(part)) continue;
      seen.add(part);
      if (typeof part === 'function') pending.push(part);
      else if (typeof part === 'string') date ??= part;
      else {
        nodes.push(part);
        pending.push(...(part.also ?? []));
        for (const choice of part.choose ?? []) if (this.#fits(choice, value)) pending.push(choice.part);
      }
    }
    return date;
  }

  #fits({ is, required = [], values = {}, kinds = {} }: CodecChoice, value: unknown): boolean {
    if (!this.#isKind(value, is)) return false;
    if (is !== 'object') return true;
    const member = (name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];
    const has = (name: string): boolean => Object.hasOwn(value as object, name) && member(name) !== undefined;
    return (
      required.every(has) &&
      Object.entries(values).every(([name, list]) => !has(name) || list.includes(member(name) as Scalar)) &&
      Object.entries(kinds).every(([name, list]) => !has(name) || list.some((kind) => this.#isKind(member(name), kind)))
    );
  }

  #isKind(value: unknown, kind: Kind): boolean {
    switch (kind) {
      case 'null':
        return value === null;
      case 'array':
        return Array.isArray(value);
      case 'object':
        return isObject(value);
      case 'date':
      case 'date-time':
        return this.#side.isDate(value, kind);
      default:
        return typeof value === kind;
    }
  }
}

/** Objects that are JSON: not arrays, dates, blobs and forms. */
function isObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function itemParts(nodes: readonly CodecNode[], index: number): readonly CodecPart[] {
  const parts: CodecPart[] = [];
  for (const { prefix = [], items } of nodes) {
    const part = index < prefix.length ? prefix[index] : items;
    if (part !== undefined && part !== null && !parts.includes(part)) parts.push(part);
  }
  return parts;
}

function memberParts(nodes: readonly CodecNode[], name: string): readonly CodecPart[] {
  const parts: CodecPart[] = [];
  for (const { members = {}, rest } of nodes) {
    const part = Object.hasOwn(members, name) ? members[name] : rest;
    if (part !== undefined && part !== null && !parts.includes(part)) parts.push(part);
  }
  return parts;
}
