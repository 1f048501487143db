/**
 * The encoders: the only way for document text into generated code, one per context (security rules 1 to 5). Each
 * throws on a value of the wrong type, because a template helper that prints nothing for `undefined` hides a fault.
 */
import type { JsonValue } from './ir/schema.js';

/** A piece of TypeScript that may be printed as it is. Made by encoders and by plan, never out of document text alone. */
export type Code = string & { readonly __brand: 'Code' };

/** A name that `plan/names.ts` gave. */
export type Identifier = string & { readonly __brand: 'Identifier' };

/** Brands fixed text of our own, or text assembled from other Code, as Code. */
export function code(strings: TemplateStringsArray, ...values: readonly (Code | Identifier | number)[]): Code {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index++) text += `${values[index]}${strings[index + 1] ?? ''}`;
  return text as Code;
}

export function joinCode(parts: readonly (Code | Identifier)[], separator: string): Code {
  return parts.join(separator) as Code;
}

// What must not stand raw in source text: line separators (they end lines in older engines), bidi controls and
// zero-width marks (a reader sees other code than the compiler), lone surrogates (UTF-8 cannot hold them), and the
// characters of `</script` and `<!--`, for output that ends up inline in a page.
const unsafeInLiteral =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|<(?=[/!])|(?<=--)>/g;

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Printable ASCII without `"`, `<` and `\`: nothing of it is unsafe but `-->`. Looking for each unsafe character costs many times as much. */
const plainText = /^[ !#-;=-[\]-~]*$/;

function quoted(text: string): string {
  if (plainText.test(text) && !text.includes('-->')) return `"${text}"`;
  return JSON.stringify(text).replace(unsafeInLiteral, escapeUnit);
}

/** Any JSON value as an expression. A `__proto__` member becomes a computed key, so that it stays an own property. */
export function literal(value: JsonValue): Code {
  if (value === null || typeof value === 'boolean') return String(value) as Code;
  if (typeof value === 'string') return quoted(value) as Code;
  if (typeof value === 'number') return number(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]` as Code;
  if (typeof value !== 'object') throw new TypeError(`literal: not a JSON value (${typeof value})`);
  const members = Object.entries(value).map(([name, member]) => `${key(name)}: ${literal(member)}`);
  return (members.length === 0 ? '{}' : `{ ${members.join(', ')} }`) as Code;
}

const plainName = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** A key of an object literal, an interface or a type literal. */
export function key(name: string): Code {
  if (typeof name !== 'string') throw new TypeError(`key: not a string (${typeof name})`);
  if (name === '__proto__') return '["__proto__"]' as Code;
  return (plainName.test(name) ? name : quoted(name)) as Code;
}

/** Reads the member `name` of the object that `object` evaluates to. */
export function member(object: Code | Identifier, name: string): Code {
  return (plainName.test(name) ? `${object}.${name}` : `${object}[${quoted(name)}]`) as Code;
}

/** The text of a JSON file. Nothing in it reads differently from what it is: marks that hide or turn text are escaped. */
export function json(value: JsonValue): string {
  const text = JSON.stringify(value, null, 2);
  if (typeof text !== 'string') throw new TypeError(`json: not a JSON value (${typeof value})`);
  return text.replace(unsafeInLiteral, escapeUnit);
}

/** A finite number as an expression. */
export function number(value: number): Code {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError('number: not a finite number');
  return (Object.is(value, -0) ? '0' : String(value)) as Code;
}

export function boolean(value: boolean): Code {
  if (typeof value !== 'boolean') throw new TypeError(`boolean: not a boolean (${typeof value})`);
  return String(value) as Code;
}

/** The flags under which a pattern compiles: Unicode mode where possible (code points, `\p{…}`), `undefined` where it never does. */
export function regexFlags(pattern: string): 'u' | '' | undefined {
  for (const flags of ['u', ''] as const) {
    try {
      new RegExp(pattern, flags);
      return flags;
    } catch {
      // the next, laxer mode
    }
  }
  return undefined;
}

/** A pattern as an expression. Never a regular expression literal: there, `/` and line ends would end it. */
export function regex(pattern: string): Code {
  const flags = regexFlags(pattern);
  if (flags === undefined) throw new TypeError('regex: the pattern does not compile');
  return (flags === '' ? `new RegExp(${quoted(pattern)})` : `new RegExp(${quoted(pattern)}, "${flags}")`) as Code;
}

const unsafeInComment =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

/**
 * Text for the lines of a block comment, without the ` * ` in front. The text may read differently afterwards, the code
 * around it may not: `*` before `/` cannot end the comment, and no line can start a JSDoc tag, a directive or a `///` reference.
 */
export function commentLines(text: string): string[] {
  if (typeof text !== 'string') throw new TypeError(`comment: not a string (${typeof text})`);
  if (plainComment.test(text) && !text.includes('*/') && !text.includes('//')) return text.split('\n').map(commentLine);
  return (
    text
      .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
      .replace(unsafeInComment, ' ')
      .replaceAll('*/', '*\\/')
      // Tools look for `//# sourceMappingURL=` anywhere in a file, in comments too.
      .replace(/\/\/(?=[#@])/g, '//\\')
      .split('\n')
      .map(commentLine)
  );
}

/** Printable ASCII and line ends: nothing to replace in it but sequences. */
const plainComment = /^[ -~\n]*$/;

/** No line can start a tag or a directive. */
function commentLine(line: string): string {
  const text = line.trimEnd();
  return /^\s*[@#/]/.test(text) ? text.replace(/[@#/]/, '\\$&') : text;
}

/** Text inside a one-line block comment. */
export function comment(text: string): Code {
  return commentLines(text).join(' ') as Code;
}

/** A line of Markdown that reads as the text says, and holds no markup: no link, no HTML, no table. */
export function markdownText(text: string): Code {
  if (typeof text !== 'string') throw new TypeError(`markdownText: not a string (${typeof text})`);
  const line = text.replace(unsafeInComment, ' ').replace(/\s+/g, ' ').trim();
  return line.replace(/[\\`*_{}[\]<>()#+!|~&:-]|(?<=www)\./g, '\\$&') as Code;
}
