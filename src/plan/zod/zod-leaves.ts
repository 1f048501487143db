/** Texts and numbers as Zod schemas. Zod's own words are taken only where they mean what JSON Schema means. */
import { type Code, code, literal, number, regexFlags } from '../../encode.js';
import type { ObjectSchema } from '../../ir/schema.js';
import { PatternCosts } from '../../patterns/pattern-cost.js';
import { type AssertionOptions, assertedContent, assertedFormat } from '../checks/asserted.js';
import { numberFormats, textFormats } from '../checks/formats.js';
import { patternTest } from '../checks/pattern-test.js';
import { Unsayable, type UseRuntime } from './zod-printer.js';

/** Formats that Zod checks as our validators do. Its e-mail addresses, URLs, times and UUIDs are other ones. */
const zodFormats: ReadonlyMap<string, Code> = new Map([
  ['date', code`z.iso.date()`],
  ['uuid', code`z.guid()`],
  ['ipv4', code`z.ipv4()`],
  ['byte', code`z.base64()`],
]);

export function zodString(schema: ObjectSchema, assertions: AssertionOptions, use: UseRuntime): Code {
  const { string } = schema;
  const format = assertedFormat(schema, assertions);
  if (assertions.formats?.has(format ?? '') || assertedContent(schema, assertions) !== undefined) throw new Unsayable();
  const { minLength = 0, maxLength, pattern } = string ?? {};
  const checked = format === undefined ? undefined : textFormats.get(format);
  let text = (checked && zodFormats.get(format ?? '')) ?? code`z.string()`;
  // Zod counts UTF-16 units, JSON Schema code points; none is none in both.
  if (minLength === 1) text = code`${text}.min(1)`;
  if (maxLength === 0) text = code`${text}.max(0)`;
  if (minLength > 1 || (maxLength ?? 0) > 0) {
    const most = maxLength === undefined ? code`` : code`, ${number(maxLength)}`;
    const message = `must have ${range(minLength, maxLength)} characters`;
    text = code`${text}.refine(${use('zod-checks', 'hasLength')}(${number(minLength)}${most}), ${literal(message)})`;
  }
  if (pattern !== undefined && regexFlags(pattern) !== undefined) {
    const test = patternTest(pattern, new PatternCosts(), () => use('slow-pattern', 'slowPattern'));
    text = test.own
      ? code`${text}.refine(${test.text}.test, ${literal(`must match the pattern ${pattern}`)})`
      : code`${text}.regex(${test.text})`;
  }
  if (checked !== undefined && !zodFormats.has(format ?? '')) {
    const check = use(checked.module, checked.name);
    text = code`${text}.refine(${check}, ${literal(`must be of the format ${format}`)})`;
  }
  return text;
}

/** The integers that Zod's `int()` accepts, which are those that a double tells apart. */
const largest = Number.MAX_SAFE_INTEGER;

export function zodNumber(
  schema: ObjectSchema,
  isInteger: boolean,
  assertions: AssertionOptions,
  use: UseRuntime,
): Code {
  const { number: said } = schema;
  const format = assertedFormat(schema, assertions);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = said ?? {};
  const checked = format === undefined ? undefined : numberFormats.get(format);
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const isSafe = least >= -largest && most <= largest;
  let text = code`z.number()`;
  if (checked !== undefined && format === 'int32') text = code`z.int32()`;
  else if (isInteger) text = isSafe ? code`z.int()` : code`${text}.refine(Number.isInteger, "must be an integer")`;
  if (minimum !== undefined) text = code`${text}.gte(${number(minimum)})`;
  if (exclusiveMinimum !== undefined) text = code`${text}.gt(${number(exclusiveMinimum)})`;
  if (maximum !== undefined) text = code`${text}.lte(${number(maximum)})`;
  if (exclusiveMaximum !== undefined) text = code`${text}.lt(${number(exclusiveMaximum)})`;
  if (multipleOf !== undefined) {
    const check = code`${use('zod-checks', 'isMultipleOf')}(${number(multipleOf)})`;
    text = code`${text}.refine(${check}, ${literal(`must be a multiple of ${multipleOf}`)})`;
  }
  if (checked !== undefined && format !== 'int32') {
    const check = use(checked.module, checked.name);
    text = code`${text}.refine(${check}, ${literal(`must be of the format ${format}`)})`;
  }
  return text;
}

export function range(least: number, most: number | undefined): string {
  if (most === undefined) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}
