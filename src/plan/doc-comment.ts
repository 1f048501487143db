/** Doc comments (JSDoc) for declarations and members, out of the document's annotations. */
import { type Code, commentLines, literal } from '../encode.js';
import type { Docs, JsonValue, ObjectSchema, Schema } from '../ir/schema.js';

export interface DocParts {
  readonly text?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** Tags of our own, each a complete line of fixed text and encoded values. */
  readonly tags?: readonly string[];
  /** Where the document says it; for declarations only. */
  readonly address?: string;
}

const longestExample = 160;

/** A block comment with a line end behind it, or the empty text where there is nothing to say; every line is indented. */
export function docComment({ text, deprecated, tags = [], address }: DocParts, indentation = ''): Code {
  const lines = text === undefined ? [] : trimBlank(commentLines(text));
  if (address !== undefined) addGroup(lines, commentLines(`From \`${address}\`.`));
  if (deprecated || tags.length > 0) addGroup(lines, deprecated ? ['@deprecated', ...tags] : tags);
  const [only] = lines;
  if (only === undefined) return '' as Code;
  if (lines.length === 1 && only.length < 110) return `${indentation}/** ${only} */\n` as Code;
  let comment = `${indentation}/**\n`;
  for (const line of lines) comment += line === '' ? `${indentation} *\n` : `${indentation} * ${line}\n`;
  return `${comment}${indentation} */\n` as Code;
}

/** A group of lines stands behind a blank one. */
function addGroup(lines: string[], group: readonly string[]): void {
  if (lines.length > 0) lines.push('');
  lines.push(...group);
}

function trimBlank(lines: string[]): string[] {
  if (lines[0] !== '' && lines.at(-1) !== '') return lines;
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start] === '') start++;
  while (end > start && lines[end - 1] === '') end--;
  return lines.slice(start, end);
}

/** What is said of an operation or an answer: a description that only repeats the summary says nothing. */
export function saidOf({
  summary,
  description,
}: {
  readonly summary?: string;
  readonly description?: string;
}): string[] {
  return [summary, description === summary ? undefined : description].filter((text) => text !== undefined);
}

/** The text of a schema's annotations: description, else title. */
export function docText({ title, description }: Docs): string | undefined {
  return description ?? title;
}

/** What a schema asserts or says beyond its type, as tags. */
export function schemaTags(schema: Schema | undefined): readonly string[] {
  if (schema?.kind !== 'schema' || !hasTags(schema)) return noTags;
  const { docs, format, string, number, array } = schema;
  const tags: string[] = [];
  const tag = (name: string, value: JsonValue | undefined): void => {
    if (value !== undefined) tags.push(`@${name} ${oneLine(value)}`);
  };
  if (docs.default) tag('default', docs.default.value);
  for (const example of docs.examples?.slice(0, 2) ?? [])
    if (literal(example).length <= longestExample) tag('example', example);
  if (format !== undefined) tags.push(`@format ${commentLines(format).join(' ')}`);
  for (const group of [number, string, array]) {
    if (group === undefined) continue;
    for (const [name, value] of Object.entries(group)) if (tagged.has(name)) tag(name, value);
  }
  return tags;
}

const noTags: readonly string[] = [];

/** Most schemas have none. */
function hasTags({ docs, format, string, number, array }: ObjectSchema): boolean {
  return (docs.default ?? docs.examples ?? format ?? string ?? number ?? array) !== undefined;
}

const tagged: ReadonlySet<string> = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems uniqueItems'.split(
    ' ',
  ),
);

function oneLine(value: JsonValue): string {
  return commentLines(literal(value)).join(' ');
}
