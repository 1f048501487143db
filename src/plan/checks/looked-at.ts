/** The tests that tell whether some part of a schema looks at a member or an item. */
import { type Code, code, joinCode, literal, number } from '../../encode.js';
import { type ExpressionPrinter, indexVariable, type Shared, variable } from './expressions.js';
import type { Evaluated, Subject, UnevaluatedStatement } from './program.js';

/** More names than this are looked up in a set. */
const longestComparison = 12;

/** The tests of a name that is none of these: all of them hold then. */
export function namedByNone(names: readonly string[], key: Subject, shared: Shared): readonly Code[] {
  if (names.length === 0) return [];
  const name = variable(key);
  if (names.length <= longestComparison) return names.map((entry) => code`${name} !== ${literal(entry)}`);
  return [code`!${setOf(names, shared)}.has(${name})`];
}

function setOf(names: readonly string[], shared: Shared): Code {
  return shared.constant('$set', code`/* @__PURE__ */ new Set<unknown>([${joinCode(names.map(literal), ', ')}])`);
}

/** One test for each part of the schema that looks at members or items; `flags` are the variables of the conditions. */
export function lookedAt(
  { key, part, evaluated }: UnevaluatedStatement,
  flags: readonly Code[],
  printer: ExpressionPrinter,
  shared: Shared,
): readonly Code[] {
  return evaluated.flatMap((entry) => {
    const found = key === undefined ? itemTests(entry, part, printer) : memberTests(entry, key, printer, shared);
    if (entry.all ? entry.where.length === 0 : found.length === 0) return [];
    const where = entry.where.map(({ condition, holds }): Code => {
      const flag = flags[condition] ?? code`false`;
      return holds ? flag : code`!${flag}`;
    });
    const all = joinCode(where, ' && ');
    if (entry.all) return [where.length > 1 ? code`(${all})` : all];
    const either = joinCode(found, ' || ');
    if (where.length === 0) return [either];
    return [code`(${joinCode([...where, found.length > 1 ? code`(${either})` : either], ' && ')})`];
  });
}

function memberTests(
  { names, patterns }: Evaluated,
  key: Subject,
  printer: ExpressionPrinter,
  shared: Shared,
): readonly Code[] {
  const name = variable(key);
  const named =
    names.length > longestComparison
      ? [code`${setOf(names, shared)}.has(${name})`]
      : names.map((entry) => code`${name} === ${literal(entry)}`);
  const subject = { ...key, opaque: false };
  return [...named, ...patterns.map((pattern) => printer.print({ kind: 'pattern', subject, pattern }))];
}

function itemTests({ positions, matching }: Evaluated, part: Subject, printer: ExpressionPrinter): readonly Code[] {
  const first = positions > 0 ? [code`${indexVariable(part)} < ${number(positions)}`] : [];
  return matching === undefined ? first : [...first, code`(${printer.print(matching)})`];
}
