/** Arrays as Zod schemas. */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import type { ArrayAssertions, ObjectSchema } from '../../ir/schema.js';
import { range } from './zod-leaves.js';
import type { Place, ZodPrinter } from './zod-printer.js';

export function zodArray(printer: ZodPrinter, place: Place, { array }: ObjectSchema): Code {
  if (array === undefined) return code`z.array(z.unknown())`;
  const { minItems = 0, maxItems, uniqueItems, contains, prefixItems = [] } = array;
  let text = prefixItems.length > 0 ? tuple(printer, place, array, minItems) : list(printer, place, array);
  // A tuple has no words for its size.
  if (prefixItems.length > 0) {
    if (minItems > prefixItems.length || maxItems !== undefined) {
      const most = maxItems === undefined ? code`` : code` && items.length <= ${number(maxItems)}`;
      const test = code`(items) => items.length >= ${number(minItems)}${most}`;
      text = code`${text}.refine(${test}, ${literal(`must have ${range(minItems, maxItems)} items`)})`;
    }
  } else {
    if (minItems > 0) text = code`${text}.min(${number(minItems)})`;
    if (maxItems !== undefined) text = code`${text}.max(${number(maxItems)})`;
  }
  if (contains !== undefined) {
    const most = contains.max === undefined ? code`` : code`, ${number(contains.max)}`;
    const item = printer.of(place, contains.schema);
    const check = code`${printer.use('zod-checks', 'contains')}(${item}, ${number(contains.min)}${most})`;
    text = code`${text}.refine(${check}, ${literal(`must contain ${range(contains.min, contains.max)} such items`)})`;
  }
  if (uniqueItems === true)
    text = code`${text}.refine(${printer.use('zod-checks', 'isUnique')}, "must have no item twice")`;
  return text;
}

function list(printer: ZodPrinter, place: Place, { items }: ArrayAssertions): Code {
  return code`z.array(${items === undefined ? code`z.unknown()` : printer.of(place, items)})`;
}

/** Items of fixed positions, of which only so many must be there as `minItems` says. */
function tuple(printer: ZodPrinter, place: Place, { prefixItems = [], items }: ArrayAssertions, least: number): Code {
  const texts = prefixItems.map((id, index) => {
    const item = printer.of(place, id);
    return index < least ? item : code`${item}.optional()`;
  });
  const schema = items === undefined ? undefined : printer.facts.schema(items);
  const closed = schema?.kind === 'boolean' && !schema.value;
  const rest = closed ? code`` : code`, ${items === undefined ? code`z.unknown()` : printer.of(place, items)}`;
  return code`z.tuple([${joinCode(texts, ', ')}]${rest})`;
}
