/**
 * Members whose checks the second pass leaves to a function of the runtime, one line for each: those of a plain type,
 * those of some values, and those that have a validator of their own. Most members of most documents are such.
 */
import { childPointer, type JsonPointer } from '../../diagnostics.js';
import { type Code, code, joinCode, literal } from '../../encode.js';
import { isInherited } from './expressions.js';
import type { Statement, Subject, UnitKey } from './program.js';

export type MemberStatement = Statement & { readonly kind: 'member' };

/** What is asked of a member beyond its presence. */
type Demand =
  | { readonly kind: 'any' }
  | { readonly kind: 'type' | 'value'; readonly list: Code }
  | { readonly kind: 'part'; readonly unit: UnitKey };

export interface PlainMember {
  readonly name: string;
  readonly required: boolean;
  readonly object: Subject;
  readonly demand: Demand;
  /** The place of the schema that describes the object; absent where no fault of the member's own speaks of it. */
  readonly schema?: string;
}

/** The statement as a plain member, or `undefined` where it asks for more than the runtime's functions can say. */
export function plainMember(statement: Statement, isDeep: (unit: UnitKey) => boolean): PlainMember | undefined {
  if (statement.kind !== 'member' || isInherited(statement.name)) return undefined;
  const { name, object, required } = statement;
  const requiring = required?.schema;
  const found = demandOf(statement, isDeep);
  if (found === undefined) return undefined;
  const { demand, schema = requiring } = found;
  if (requiring !== undefined && schema !== requiring) return undefined;
  return { name, required: required !== undefined, object, demand, ...(schema !== undefined && { schema }) };
}

interface Found {
  readonly demand: Demand;
  readonly schema?: string;
}

function demandOf({ name, member, body }: MemberStatement, isDeep: (unit: UnitKey) => boolean): Found | undefined {
  const [only, ...more] = body;
  if (only === undefined) return { demand: { kind: 'any' } };
  if (more.length > 0) return undefined;
  if (only.kind === 'call') {
    return only.subject.level === member.level && !isDeep(only.unit)
      ? { demand: { kind: 'part', unit: only.unit } }
      : undefined;
  }
  if (only.kind !== 'guard') return undefined;
  const { test, fault } = only;
  const keyword = fault.keyword;
  const way = childPointer('' as JsonPointer, 'properties', name);
  if (fault.pointer !== keyword || !fault.schema.endsWith(way)) return undefined;
  const schema = fault.schema.slice(0, -way.length);
  if (test.kind === 'type' && keyword === 'type' && sameList(fault.params['types'], test.types)) {
    return { schema, demand: { kind: 'type', list: joinCode(test.types.map(literal), ', ') } };
  }
  if (test.kind === 'equal' && keyword === 'enum' && sameList(fault.params['allowed'], test.values)) {
    return { schema, demand: { kind: 'value', list: literal(test.values) } };
  }
  return undefined;
}

function sameList(said: unknown, tested: readonly unknown[]): boolean {
  return (
    Array.isArray(said) &&
    said.length === tested.length &&
    said.every((entry, index) => Object.is(entry, tested[index]))
  );
}

/** How the functions of the runtime and of other units are called in this file. */
export interface MemberCalls {
  use(name: 'required' | 'optional' | 'requiredValue' | 'optionalValue' | 'requiredPart' | 'optionalPart'): Code;
  unit(key: UnitKey): { readonly test: Code; readonly issues: Code };
}

/** `$required(here, "login", "string")` */
export function memberCall({ name, required, demand }: PlainMember, here: Code, calls: MemberCalls): Code {
  const said = literal(name);
  switch (demand.kind) {
    case 'any':
      return code`${calls.use('required')}(${here}, ${said})`;
    case 'type':
      return code`${calls.use(required ? 'required' : 'optional')}(${here}, ${said}, ${demand.list})`;
    case 'value':
      return code`${calls.use(required ? 'requiredValue' : 'optionalValue')}(${here}, ${said}, ${demand.list})`;
    case 'part': {
      const { test, issues } = calls.unit(demand.unit);
      return code`${calls.use(required ? 'requiredPart' : 'optionalPart')}(${here}, ${said}, ${test}, ${issues})`;
    }
  }
}
