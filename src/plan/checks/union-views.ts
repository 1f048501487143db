/** How the second pass explains a union of which no branch holds: by the branch that comes closest. */
import { type Code, code, joinCode, literal } from '../../encode.js';
import { type ExpressionPrinter, variable } from './expressions.js';
import type { Block, Fault, Statement } from './program.js';
import type { StatementView } from './statement-text.js';
import { pathCode, run, when } from './statement-views.js';

export type UnionStatement = Statement & { readonly kind: 'union' };

/** Unions of more branches than this are tested and explained piece by piece. */
export const longestCondition = 100;

/** What is needed of the function that is being made. */
export interface LoweringTools {
  block(block: Block, findings: Code): readonly StatementView[];
  at(fault: Fault): Code;
  /** A name that is not used yet. */
  fresh(prefix: string): Code;
  /** Declares a variable on top of the function. */
  local(name: Code, type: Code): void;
  /** A constant of the module: the tags of the branches of a union. */
  tags(value: Code): Code;
  /** A function or type of `runtime/issues.ts`. */
  use(name: string): Code;
}

/** Runs the second pass of every branch apart, and keeps what the closest one says. */
export function closest(union: UnionStatement, findings: Code, tools: LoweringTools): readonly StatementView[] {
  const isLong = union.branches.length > longestCondition;
  const { views, forks } = isLong ? forksInList(union, findings, tools) : forksByName(union, findings, tools);
  const parts = [findings, pathCode(union.fault.path), tools.at(union.fault), forks];
  if (union.tags.some((entries) => entries.length > 0)) {
    const tags = literal(union.tags.map((entries) => Object.fromEntries(entries)));
    parts.push(variable(union.subject), tools.tags(tags));
  }
  return [...views, run(code`${tools.use('closest')}(${joinCode(parts, ', ')})`)];
}

/** A condition of as many parts as there are branches may be too long for the compiler of the output. */
export function anyOfMany(
  union: UnionStatement,
  findings: Code,
  pass: 'test' | 'issues',
  printer: ExpressionPrinter,
  tools: LoweringTools,
): readonly StatementView[] {
  const flag = tools.fresh('holds');
  tools.local(flag, code`boolean`);
  const views: StatementView[] = [run(code`${flag} = false`)];
  for (let start = 0; start < union.branches.length; start += longestCondition) {
    const operands = union.branches.slice(start, start + longestCondition).map((branch) => branch.test);
    const condition = printer.print({ kind: 'any', operands });
    views.push({ guard: { condition: code`!${flag}`, action: code`${flag} = ${condition}` } });
  }
  if (pass === 'test') return [...views, { guard: { condition: code`!${flag}`, action: code`return false` } }];
  return [...views, when(code`!${flag}`, closest(union, findings, tools))];
}

interface Forks {
  readonly views: readonly StatementView[];
  readonly forks: Code;
}

function forksByName({ branches }: UnionStatement, findings: Code, tools: LoweringTools): Forks {
  const forks = branches.map(() => tools.fresh('fork'));
  const views = branches.flatMap(({ body }, index) => {
    const fork = forks[index] ?? findings;
    return [run(code`const ${fork} = ${tools.use('fork')}(${findings})`), ...tools.block(body, fork)];
  });
  return { views, forks: code`[${joinCode(forks, ', ')}]` };
}

/** Without declarations in between, so that the statements can be split between functions. */
function forksInList({ branches }: UnionStatement, findings: Code, tools: LoweringTools): Forks {
  const fork = tools.fresh('fork');
  const forks = tools.fresh('forks');
  tools.local(fork, tools.use('Findings'));
  tools.local(forks, code`${tools.use('Findings')}[]`);
  const views = branches.flatMap(({ body }) => [
    run(code`${fork} = ${tools.use('fork')}(${findings})`),
    run(code`${forks}.push(${fork})`),
    ...tools.block(body, fork),
  ]);
  return { views: [run(code`${forks} = []`), ...views], forks };
}
