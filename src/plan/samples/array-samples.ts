/** Arrays for the keywords of arrays. */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { equal } from '../../runtime/checks.js';
import type { Maker } from './maker.js';

const longest = 1000;

export function arraySample(
  maker: Maker,
  nodes: readonly ObjectSchema[],
  depth: number,
  varied: boolean,
): readonly JsonValue[] | undefined {
  const said = nodes.flatMap(({ array }) => array ?? []);
  const least = Math.max(0, ...said.map(({ minItems }) => minItems ?? 0));
  const most = Math.min(longest, ...said.map(({ maxItems }) => maxItems ?? longest));
  if (least > most) return undefined;
  const unique = said.some(({ uniqueItems }) => uniqueItems === true);
  const idsOf = (index: number): readonly SchemaId[] =>
    said.flatMap(({ prefixItems = [], items }) => prefixItems[index] ?? items ?? []);
  const idsAt = (index: number): readonly SchemaId[] => {
    const ids = idsOf(index);
    return ids.length > 0 ? ids : nodes.flatMap(({ unevaluated }) => unevaluated?.items ?? []);
  };
  const found: JsonValue[] = [];
  const add = (ids: readonly SchemaId[]): boolean => {
    // The second item of a set has to be another one, so it is made with other choices.
    for (let attempt = 0; attempt < (unique ? 12 : 1); attempt++) {
      const item = maker.value(ids, depth + 1, attempt > 0 || (unique && found.length > 0) || varied);
      if (item === undefined) return false;
      if (unique && found.some((other) => equal(other, item))) continue;
      found.push(item);
      return true;
    }
    return false;
  };
  const prefix = Math.min(most, Math.max(0, ...said.map(({ prefixItems }) => prefixItems?.length ?? 0)));
  for (const { contains } of said) {
    for (let count = 0; contains !== undefined && count < Math.min(contains.min, most); count++) {
      // Where the item that stands at a fixed position is another one, behind it.
      const containing = (): boolean => add([...idsOf(found.length), contains.schema]);
      while (!containing()) if (found.length >= prefix || !add(idsAt(found.length))) return undefined;
    }
  }
  const few = maker.wantsOptional(depth) ? 1 + (varied ? maker.options.random.below(3) : 0) : 0;
  const wanted = Math.min(most, Math.max(least, few, maker.wantsOptional(depth) ? prefix : 0));
  while (found.length < wanted && add(idsAt(found.length)));
  return found.length >= least ? found : undefined;
}

/** Each value once, in the sense of `uniqueItems`. */
export function allDifferent(values: readonly JsonValue[]): readonly JsonValue[] {
  return values.filter((value, index) => values.findIndex((other) => equal(other, value)) === index);
}
