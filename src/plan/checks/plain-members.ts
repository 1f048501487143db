/**
 * Members whose checks the second pass leaves to a function of the runtime, one line for each: those of a plain type,
 * those of some values, and those that have a validator of their own. Most members of most documents are such.
 */
import { childPointer, type JsonPointer } from '../../diagnostics.js';
import { type Code, code, joinCode, literal } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import type { SchemaId } from '../../ir/schema.js';
import { isInherited } from './expressions.js';
import { isNever } from './passes.js';
import type { CallExpression, Fault, Statement, Subject, UnitKey } from './program.js';

type MemberStatement = Statement & { readonly kind: 'member' };

/** What is asked of a member beyond its presence. */
type Demand =
  | { readonly kind: 'any' }
  | { readonly kind: 'type' | 'value'; readonly list: Code }
  /** A text of some length; or, where there are others, a value of one of those types. */
  | { readonly kind: 'text'; readonly lengths: Code; readonly others: Code }
  /** `inside`: the unit speaks for several schemas, and is to speak for the one below \`properties\`. */
  | { readonly kind: 'part' | 'inside'; readonly unit: UnitKey };

/** What must be known of the unit that a member calls. */
interface Callee {
  readonly schema: SchemaId;
  readonly deep: boolean;
  readonly shared: boolean;
}

export interface PlainMember {
  readonly name: string;
  readonly required: boolean;
  readonly object: Subject;
  readonly demand: Demand;
  /** The place of the schema that describes the object; absent where no fault of the member's own speaks of it. */
  readonly schema?: string;
}

/** The statement as a plain member, or `undefined` where it asks for more than the runtime's functions can say. */
export function plainMember(
  statement: Statement,
  shared: boolean,
  calleeOf: (unit: UnitKey) => Callee,
): PlainMember | undefined {
  if (statement.kind !== 'member' || isInherited(statement.name)) return undefined;
  const { name, object, required } = statement;
  const requiring = required && writtenId(required.schema);
  const found = demandOf(statement, shared, calleeOf);
  if (found === undefined) return undefined;
  const { demand, schema = requiring } = found;
  if (requiring !== undefined && schema !== requiring) return undefined;
  return { name, required: required !== undefined, object, demand, ...(schema !== undefined && { schema }) };
}

interface Found {
  readonly demand: Demand;
  readonly schema?: string;
}

function demandOf(
  { name, member, body }: MemberStatement,
  shared: boolean,
  calleeOf: (unit: UnitKey) => Callee,
): Found | undefined {
  const [only, ...more] = body;
  if (only === undefined) return { demand: { kind: 'any' } };
  if (more.length > 0) return undefined;
  if (only.kind === 'call')
    return only.subject.level === member.level ? partOf(name, only, shared, calleeOf(only.unit)) : undefined;
  if (only.kind === 'branch') return textOf(name, only);
  if (only.kind !== 'guard') return undefined;
  const { test, fault } = only;
  const keyword = fault.keyword;
  const schema = besideProperty(name, fault);
  if (schema === undefined) return undefined;
  if (test.kind === 'type' && keyword === 'type' && sameList(fault.params['types'], test.types)) {
    return { schema, demand: { kind: 'type', list: joinCode(test.types.map(literal), ', ') } };
  }
  if (test.kind === 'equal' && keyword === 'enum' && sameList(fault.params['allowed'], test.values)) {
    return { schema, demand: { kind: 'value', list: literal(test.values) } };
  }
  return undefined;
}

/** The schema whose member of that name a fault speaks of, if it speaks of one. */
function besideProperty(name: string, { schema, pointer, keyword }: Fault): string | undefined {
  const way = childPointer('' as JsonPointer, 'properties', name);
  const place = writtenId(schema);
  return pointer === keyword && place.endsWith(way) ? place.slice(0, -way.length) : undefined;
}

/** `if` it is a text, its lengths; else a refusal, but for values of other types that are all valid. */
function textOf(name: string, { arms, otherwise }: Statement & { readonly kind: 'branch' }): Found | undefined {
  const [arm, ...moreArms] = arms;
  const [refusal, ...more] = otherwise;
  if (arm === undefined || moreArms.length > 0 || refusal?.kind !== 'guard' || more.length > 0) return undefined;
  const { test, fault } = refusal;
  const schema = besideProperty(name, fault);
  const others = isNever(test) ? [] : test.kind === 'type' ? test.types : undefined;
  if (arm.test.kind !== 'type' || schema === undefined || others === undefined || fault.keyword !== 'type')
    return undefined;
  if (!sameList(fault.params['types'], ['string', ...others]) || !sameList(arm.test.types, ['string']))
    return undefined;
  const lengths: { [keyword: string]: number } = {};
  for (const entry of arm.body) {
    if (entry.kind !== 'guard' || entry.test.kind !== 'length' || entry.fault.schema !== fault.schema) return undefined;
    lengths[entry.test.operator === '<=' ? 'maxLength' : 'minLength'] = entry.test.bound;
  }
  return { schema, demand: { kind: 'text', lengths: literal(lengths), others: joinCode(others.map(literal), ', ') } };
}

function partOf(
  name: string,
  { unit, place, target }: CallExpression,
  shared: boolean,
  callee: Callee,
): Found | undefined {
  if (callee.deep) return undefined;
  const isOwn = target === callee.schema || (place === callee.schema && !shared);
  if (!callee.shared || isOwn) return { demand: { kind: 'part', unit } };
  if (place === undefined) return undefined;
  const way = childPointer('' as JsonPointer, 'properties', name);
  const written = writtenId(place);
  return written.endsWith(way)
    ? { schema: written.slice(0, -way.length), demand: { kind: 'inside', unit } }
    : undefined;
}

function sameList(said: unknown, tested: readonly unknown[]): boolean {
  return (
    Array.isArray(said) &&
    said.length === tested.length &&
    said.every((entry, index) => Object.is(entry, tested[index]))
  );
}

type Manner = '' | 'Value' | 'Text' | 'Part' | 'Inside';
type MemberFunction = `${'required' | 'optional'}${Manner}`;

/** How the functions of the runtime and of other units are called in this file. */
export interface MemberCalls {
  use(name: MemberFunction): Code;
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
    case 'text': {
      const parts = [here, said, demand.lengths, ...(demand.others === '' ? [] : [demand.others])];
      return code`${calls.use(required ? 'requiredText' : 'optionalText')}(${joinCode(parts, ', ')})`;
    }
    case 'part':
    case 'inside': {
      const { test, issues } = calls.unit(demand.unit);
      const manner = demand.kind === 'part' ? 'Part' : 'Inside';
      return code`${calls.use(required ? `required${manner}` : `optional${manner}`)}(${here}, ${said}, ${test}, ${issues})`;
    }
  }
}
