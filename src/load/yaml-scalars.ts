/** The plain scalars of YAML 1.2's core schema (section 10.3.2), which is JSON's plus other spellings. */

export type PlainScalar =
  | { readonly kind: 'null' | 'true' | 'false' | 'string' }
  | { readonly kind: 'number'; readonly value: number }
  /** `.inf`, `-.inf` and `.nan`: numbers that JSON does not have. */
  | { readonly kind: 'not-json' };

const integerPattern = /^[-+]?\d+$/;
const octalPattern = /^0o[0-7]+$/;
const hexadecimalPattern = /^0x[\da-fA-F]+$/;
const floatPattern = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const notJsonPattern = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const words: ReadonlyMap<string, PlainScalar> = new Map(
  (
    [
      ['null', ['', '~', 'null', 'Null', 'NULL']],
      ['true', ['true', 'True', 'TRUE']],
      ['false', ['false', 'False', 'FALSE']],
    ] as const
  ).flatMap(([kind, spellings]) => spellings.map((spelling) => [spelling, { kind }] as const)),
);
const string: PlainScalar = { kind: 'string' };

export function plainScalar(text: string): PlainScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return string;
  if (integerPattern.test(text) || floatPattern.test(text)) return { kind: 'number', value: Number(text) };
  if (octalPattern.test(text) || hexadecimalPattern.test(text)) return { kind: 'number', value: Number(text) };
  return notJsonPattern.test(text) ? { kind: 'not-json' } : string;
}
