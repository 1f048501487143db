/**
 * Members whose checks the second pass leaves to a function of the runtime, one line for each: those of a plain type,
 * those of some values, and those that have a validator of their own. Most members of most documents are such.
 */
import { childPointer, type JsonPointer } from '../../diagnostics.js';
import { type Code, code, joinCode, literal } from '../../encode.js';
import { writtenId } from '../../ir/resolve.js';
import type { JsonType, SchemaId } from '../../ir/schema.js';
import { isInherited } from './expressions.js';
import { isNever } from './passes.js';
import type { CallExpression, Fault, Operator, Statement, Subject, UnitKey } from './program.js';

type MemberStatement = Statement & { readonly kind: 'member' };

/** What is asked of a member beyond its presence. */
type Demand =
  | { readonly kind: 'any' }
  | { readonly kind: 'type' | 'value'; readonly list: Code }
  /** A text of some length; or, where there are others, a value of one of those types. */
  | { readonly kind: 'text'; readonly lengths: Code; readonly others: Code }
  | { readonly kind: 'number'; readonly bounds: Code; readonly list: Code }
  | { readonly kind: 'items'; readonly list: Code }
  | { readonly kind: 'itemParts'; readonly unit: UnitKey }
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

/** A member that is an object, described in its place by nothing but its members. */
export interface InnerObject {
  readonly name: string;
  readonly required: boolean;
  readonly object: Subject;
  readonly member: Subject;
  /** The places of the schemas of the object around, and of this one. */
  readonly schema: string;
  readonly own: string;
  readonly body: readonly Statement[];
}

export function innerObject(statement: Statement): InnerObject | undefined {
  if (statement.kind !== 'member' || isInherited(statement.name)) return undefined;
  const { name, object, member, required, body } = statement;
  const [only, ...more] = body;
  if (only?.kind !== 'branch' || more.length > 0) return undefined;
  const found = refusalOf(name, only);
  if (found === undefined || !sameList(found.types, ['object']) || found.others.length > 0) return undefined;
  if (required !== undefined && writtenId(required.schema) !== found.schema) return undefined;
  const [open, ...members] = found.body;
  const isPlain = (entry: Statement): boolean => entry.kind === 'member' && entry.object.level === member.level;
  if (open?.kind !== 'open' || members.length === 0 || !members.every(isPlain)) return undefined;
  const { schema, own } = found;
  return { name, required: required !== undefined, object, member, schema, own, body: members };
}

interface Refusal {
  readonly types: readonly JsonType[];
  /** What is asked of a value of those types. */
  readonly body: readonly Statement[];
  readonly others: readonly JsonType[];
  readonly schema: string;
  readonly own: string;
}

/** `if` it is of one type, some checks; else a refusal, but for values of other types that are all valid. */
function refusalOf(name: string, { arms, otherwise }: Statement & { readonly kind: 'branch' }): Refusal | undefined {
  const [arm, ...moreArms] = arms;
  const [refusal, ...more] = otherwise;
  if (arm === undefined || moreArms.length > 0 || refusal?.kind !== 'guard' || more.length > 0) return undefined;
  const { test, fault } = refusal;
  if (arm.test.kind !== 'type' || fault.keyword !== 'type') return undefined;
  const schema = besideProperty(name, fault);
  const others = isNever(test) ? [] : test.kind === 'type' ? test.types : undefined;
  if (schema === undefined || others === undefined) return undefined;
  const { types } = arm.test;
  if (!sameList(fault.params['types'], [...types, ...others])) return undefined;
  return { types, body: arm.body, others, schema, own: writtenId(fault.schema) };
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
  if (only.kind === 'branch') {
    const refusal = refusalOf(name, only);
    return refusal && (boundedOf(refusal) ?? itemsOf(refusal, shared, calleeOf));
  }
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

const bounds: Readonly<Record<Operator, string>> = {
  '<=': 'maximum',
  '>=': 'minimum',
  '<': 'exclusiveMaximum',
  '>': 'exclusiveMinimum',
};

/** A text with its lengths, or a number with its bounds. */
function boundedOf(found: Refusal): Found | undefined {
  const [type, ...moreTypes] = found.types;
  if (type === undefined || moreTypes.length > 0) return undefined;
  const said: { [keyword: string]: number } = {};
  for (const entry of found.body) {
    if (entry.kind !== 'guard' || writtenId(entry.fault.schema) !== found.own) return undefined;
    const { test, fault } = entry;
    if (type === 'string' && test.kind === 'length')
      said[test.operator === '<=' ? 'maxLength' : 'minLength'] = test.bound;
    else if ((type === 'number' || type === 'integer') && test.kind === 'compare')
      said[bounds[test.operator]] = test.bound;
    else return undefined;
    if (said[fault.keyword] !== fault.params[fault.keyword]) return undefined;
  }
  const { schema } = found;
  const others = joinCode(found.others.map(literal), ', ');
  if (type === 'string') return { schema, demand: { kind: 'text', lengths: literal(said), others } };
  const list = joinCode([type, ...found.others].map(literal), ', ');
  return { schema, demand: { kind: 'number', bounds: literal(said), list } };
}

/** An array whose items are of a plain type, or have a validator of their own. */
function itemsOf(found: Refusal, shared: boolean, calleeOf: (unit: UnitKey) => Callee): Found | undefined {
  if (!sameList(found.types, ['array']) || found.others.length > 0) return undefined;
  const [items, ...more] = found.body;
  if (items?.kind !== 'items' || items.from !== 0 || more.length > 0) return undefined;
  const [only, ...others] = items.body;
  if (only === undefined || others.length > 0) return undefined;
  const { schema } = found;
  if (only.kind === 'guard') {
    const { test, fault } = only;
    const isType = test.kind === 'type' && fault.keyword === 'type' && fault.pointer === 'type';
    if (!isType || !sameList(fault.params['types'], test.types)) return undefined;
    if (writtenId(fault.schema) !== `${found.own}/items`) return undefined;
    return { schema, demand: { kind: 'items', list: joinCode(test.types.map(literal), ', ') } };
  }
  if (only.kind !== 'call' || only.subject.level !== items.item.level) return undefined;
  const callee = calleeOf(only.unit);
  const isOwn = only.target === callee.schema || (only.place === callee.schema && !shared);
  if (callee.deep || (callee.shared && !isOwn)) return undefined;
  return { schema, demand: { kind: 'itemParts', unit: only.unit } };
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

type Manner = '' | 'Value' | 'Text' | 'Number' | 'Items' | 'ItemParts' | 'Part' | 'Inside';
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
    case 'number': {
      const use = calls.use(required ? 'requiredNumber' : 'optionalNumber');
      return code`${use}(${here}, ${said}, ${demand.bounds}, ${demand.list})`;
    }
    case 'items':
      return code`${calls.use(required ? 'requiredItems' : 'optionalItems')}(${here}, ${said}, ${demand.list})`;
    case 'itemParts': {
      const { test, issues } = calls.unit(demand.unit);
      const use = calls.use(required ? 'requiredItemParts' : 'optionalItemParts');
      return code`${use}(${here}, ${said}, ${test}, ${issues})`;
    }
    case 'part':
    case 'inside': {
      const { test, issues } = calls.unit(demand.unit);
      const manner = demand.kind === 'part' ? 'Part' : 'Inside';
      return code`${calls.use(required ? `required${manner}` : `optional${manner}`)}(${here}, ${said}, ${test}, ${issues})`;
    }
  }
}
