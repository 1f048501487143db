/**
 * Keys for the values of an enumeration: total, injective, and each decided by its value alone unless another value wants
 * the same one. A value that is written like its key keeps it; the others are spelt out, and in the last resort quoted.
 */
import type { JsonValue, ObjectSchema } from '../ir/schema.js';
import { pascalCase } from './identifiers.js';

export type EnumValue = string | number | boolean;

export interface EnumMember {
  readonly key: string;
  readonly value: EnumValue;
  readonly description?: string;
}

/** The members of an enumeration that can be an object of constants: values that are not null; nothing where one is not primitive. */
export function enumMembers(schema: ObjectSchema, admitted: readonly JsonValue[]): readonly EnumMember[] | undefined {
  const values = admitted.filter((value) => value !== null);
  if (values.length === 0 || !values.every(isPrimitive)) return undefined;
  const keys = enumKeys(values, said(schema, ['x-enum-varnames', 'x-enumNames'], values, true));
  const descriptions = said(schema, ['x-enum-descriptions', 'x-enumDescriptions'], values, false);
  return values.map((value, index) => {
    const description = descriptions[index];
    return { key: keys[index] ?? '', value, ...(description !== undefined && { description }) };
  });
}

function isPrimitive(value: JsonValue): value is EnumValue {
  return typeof value !== 'object' || value === null ? value !== null : false;
}

/** What an extension says of each value: a list in the order of `enum`, or a map from the value's text. */
function said(
  schema: ObjectSchema,
  names: readonly string[],
  values: readonly EnumValue[],
  asKeys: boolean,
): readonly (string | undefined)[] {
  const found = names.flatMap((name) => (Object.hasOwn(schema.extensions, name) ? [schema.extensions[name]] : []));
  const [list] = found;
  return values.map((value) => {
    const place = schema.enum?.indexOf(value) ?? -1;
    const text = Array.isArray(list) ? list[place] : isMap(list) ? list[String(value)] : undefined;
    if (typeof text !== 'string' || text === '') return undefined;
    if (!asKeys) return text;
    return identifierPattern.test(text) ? text : pascalCase(text) || undefined;
  });
}

const identifierPattern = /^[\p{ID_Start}_][\p{ID_Continue}]*$/u;

function isMap(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** From the plainest to the one that no other value has. */
const forms: readonly ((value: EnumValue) => string)[] = [plain, spelt, String, (value) => JSON.stringify(value)];

function enumKeys(values: readonly EnumValue[], wanted: readonly (string | undefined)[]): readonly string[] {
  // Level -1 is what the document asks for.
  const levels = values.map((_, index): number => (wanted[index] === undefined ? 0 : -1));
  const keyOf = (index: number): string => {
    const [value, level] = [values[index] ?? '', levels[index] ?? 0];
    return (level < 0 ? wanted[index] : forms[level]?.(value)) ?? '';
  };
  for (;;) {
    const groups = new Map<string, number[]>();
    for (const index of values.keys()) {
      const key = keyOf(index);
      const group = groups.get(key);
      if (group) group.push(index);
      else groups.set(key, [index]);
    }
    let changed = false;
    for (const [key, group] of groups) {
      if (group.length < 2) continue;
      // One that is written like the key keeps it, and so does one that has no other form left.
      const keeper =
        group.find((index) => levels[index] === forms.length - 1) ?? group.find((index) => values[index] === key);
      for (const index of group) {
        const level = levels[index] ?? 0;
        if (index === keeper || level === forms.length - 1) continue;
        levels[index] = level + 1;
        changed = true;
      }
    }
    if (!changed) return [...values.keys()].map(keyOf);
  }
}

const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '<': 'Less',
    '>': 'Greater',
    '=': 'Equal',
    '-': 'Minus',
    '+': 'Plus',
    '*': 'Star',
    '/': 'Slash',
    '\\': 'Backslash',
    '!': 'Not',
    '%': 'Percent',
    '&': 'And',
    '|': 'Or',
    '#': 'Hash',
    '@': 'At',
    $: 'Dollar',
    '^': 'Caret',
    '~': 'Tilde',
    '.': 'Dot',
    ',': 'Comma',
    ':': 'Colon',
    ';': 'Semicolon',
    '?': 'Question',
    ' ': 'Space',
    _: 'Underscore',
    '(': 'Open',
    ')': 'Close',
    '[': 'Open',
    ']': 'Close',
    '{': 'Open',
    '}': 'Close',
    '"': 'Quote',
    "'": 'Apostrophe',
    '`': 'Backtick',
  }),
);

/** `pending` → `Pending`, `-date` → `MinusDate`, `401k` → `Value401k`, `<=` → `LessEqual`, the empty text → `Empty`. */
function plain(value: EnumValue): string {
  const text = String(value);
  if (text === '') return 'Empty';
  const words = text.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== '');
  if (words.length === 0) return spelt(value);
  const lead = /^[-+<>=!~*#@$]+(?=[\p{ID_Continue}])/u.exec(text)?.[0] ?? '';
  return begin(spell(lead) + join(words));
}

/** Every sign by its name. */
function spelt(value: EnumValue): string {
  const text = String(value);
  const words = text.split(/([^\p{ID_Continue}]|_)/u).flatMap((word) => (word === '' ? [] : [signs.get(word) ?? word]));
  return begin(join(words.flatMap((word) => word.split(/[^\p{ID_Continue}]+/u)).filter((word) => word !== '')));
}

function spell(text: string): string {
  return [...text].map((sign) => signs.get(sign) ?? '').join('');
}

/** Words in PascalCase; two numbers that meet stay two. */
function join(words: readonly string[]): string {
  let result = '';
  for (const word of words) {
    const [first = ''] = word;
    const touching = /\d$/.test(result) && /^\d/.test(word);
    result += `${touching ? '_' : ''}${first.toUpperCase()}${word.slice(first.length)}`;
  }
  return result;
}

function begin(name: string): string {
  if (name === '') return 'Other';
  return /^\p{ID_Start}/u.test(name) ? name : `Value${name}`;
}
