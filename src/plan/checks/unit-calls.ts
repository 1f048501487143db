/** How the functions of units are declared and called: with their depth and with known answers only where they need them. */
import { type Code, code, joinCode } from '../../encode.js';
import type { SchemaId } from '../../ir/schema.js';
import type { Shared } from './expressions.js';
import type { Unit } from './program.js';

type Manner = Pick<Unit, 'deep' | 'once' | 'answers'>;

export interface UnitNames extends Manner {
  /** The function of the first pass that other units call. */
  readonly test: Code;
  /** The rules that the second pass walks by. */
  readonly rules: Code;
  /** The schema that the unit speaks for, where it is told no other. */
  readonly schema: SchemaId;
  /** It may speak for others, too. */
  readonly shared: boolean;
}

/** `$isPet(value)`, `$isTree(value, depth + 1)`, `$once($isTree, value, depth + 1, answers)` */
export function testCall({ test, ...manner }: UnitNames, subject: Code, known: Code, shared: Shared): Code {
  if (manner.once) return code`${shared.use('once', 'once')}(${test}, ${subject}, depth + 1, ${known})`;
  if (manner.answers) return code`${test}(${subject}, depth + 1, ${known})`;
  return manner.deep ? code`${test}(${subject}, depth + 1)` : code`${test}(${subject})`;
}

/** The parameters of a function of the first pass. */
export function testParameters(
  { deep, answers }: Manner,
  named: (name: 'value' | 'answers') => Code,
  shared: Shared,
): Code {
  const parameters = [code`${named('value')}: unknown`];
  if (deep) parameters.push(code`depth: number`);
  if (answers) parameters.push(code`${named('answers')}: ${shared.use('checks', 'Answers')}`);
  return joinCode(parameters, ', ');
}

/** The first call of a function, by somebody who has only a value. */
export function outerTest({ test, deep, answers }: Pick<UnitNames, 'test' | 'deep' | 'answers'>, shared: Shared): Code {
  if (answers) return code`${shared.use('once', 'shallowOnce')}(${test}, value)`;
  return deep ? code`${shared.use('checks', 'shallow')}(${test}, value)` : code`${test}(value)`;
}
