// SPDX-License-Identifier: 0BSD
import { readScalar, type ScalarKind } from './scalar-text.js';

/** How the texts of one member of a form become its value. */
export interface MemberValue {
  /** What each text may stand for; by default itself. */
  readonly kinds?: readonly ScalarKind[];
  /** Each text is JSON. */
  readonly json?: true;
  /** The value is an array, an item for each text. */
  readonly list?: true;
  /** Its items are arrays, so an array that comes is one of them. */
  readonly nested?: true;
  /** One text holds several values. */
  readonly split?: ',' | ' ' | '|';
  /** The members of an object that is no JSON. */
  readonly members?: readonly FormMember[];
  /** In a multipart form: bytes. */
  readonly file?: true;
}

export interface FormMember extends MemberValue {
  readonly name: string;
  /** The value is written by its members: `name[member]`, `name[0]`. */
  readonly deep?: true;
  /** The value is an object that is written by the names of its own members. */
  readonly spread?: true;
}

/** What came under a name, which the contract of its member says how to read. */
export interface FormText {
  readonly name: string;
  /** Several values where one text holds them. */
  readonly read: (member: MemberValue) => readonly unknown[];
}

/** Deeper names are taken as they are: they can only be hostile. */
const deepest = 32;

interface InsideText extends FormText {
  /** Inside the member. */
  readonly path: readonly string[];
}

/** The form as an object; `rest` is for members that have no contract. What comes twice and is no array is one all the same. */
export function formOf(
  texts: readonly FormText[],
  members: readonly FormMember[],
  rest: MemberValue = {},
): Readonly<Record<string, unknown>> {
  const byName = new Map<string, FormText[]>();
  const inside = new Map<FormMember, InsideText[]>();
  const deep = members.filter((member) => member.deep);
  for (const text of texts) {
    const owner = deep.find(({ name }) => text.name.startsWith(`${name}[`) && text.name.endsWith(']'));
    const path = owner ? text.name.slice(owner.name.length + 1, -1).split('][') : [];
    if (owner && path.length <= deepest) add(inside, owner, { ...text, path });
    else add(byName, text.name, text);
  }
  const known = new Map(members.map((member) => [member.name, member]));
  const spread = members.flatMap((member) => (member.spread ? spreadEntry(byName, member, known) : []));
  // `fromEntries` defines own properties, so a member named `__proto__` stays one.
  return Object.fromEntries([
    ...Array.from(byName, ([name, all]) => [name, memberValue(all, known.get(name) ?? rest)] as const),
    ...Array.from(inside, ([member, all]) => [member.name, deepValue(all, member)] as const),
    ...spread,
  ]);
}

/** Takes the texts of an object's members out of the form; a name that the form has itself is the form's. */
function spreadEntry(
  byName: Map<string, FormText[]>,
  { name, members = [] }: FormMember,
  known: ReadonlyMap<string, FormMember>,
): readonly (readonly [string, unknown])[] {
  const entries = members.flatMap((member) => {
    const texts = known.has(member.name) ? undefined : byName.get(member.name);
    if (!texts) return [];
    byName.delete(member.name);
    return [[member.name, memberValue(texts, member)] as const];
  });
  return entries.length === 0 ? [] : [[name, Object.fromEntries(entries)]];
}

function memberValue(texts: readonly FormText[], member: MemberValue): unknown {
  const values = texts.flatMap(({ read }) => read(member));
  if (member.members && member.split) return pairs(values, member.members);
  return member.list || values.length > 1 ? values : values[0];
}

/** `a,1,b,2` */
function pairs(values: readonly unknown[], members: readonly FormMember[]): object {
  const entries: (readonly [string, unknown])[] = [];
  for (let index = 0; index < values.length; index += 2) {
    const name = String(values[index]);
    const { kinds = ['string'] } = members.find((member) => member.name === name) ?? {};
    entries.push([name, readScalar(kinds, String(values[index + 1] ?? ''))]);
  }
  return Object.fromEntries(entries);
}

function deepValue(texts: readonly InsideText[], member: MemberValue): unknown {
  if (texts.some(({ path }) => path.length === 0)) return memberValue(texts, member);
  const groups = new Map<string, InsideText[]>();
  for (const text of texts) {
    const [step = '', ...path] = text.path;
    // `a[]` tells nothing of which items it is.
    add(groups, step === '' ? String(groups.size) : step, { ...text, path });
  }
  if (!member.list) {
    const of = (step: string): MemberValue => member.members?.find(({ name }) => name === step) ?? {};
    return Object.fromEntries(Array.from(groups, ([step, all]) => [step, deepValue(all, of(step))]));
  }
  const { list, ...item } = member;
  const isNumbered = [...groups.keys()].every((step) => /^\d+$/.test(step));
  const items = [...groups];
  if (isNumbered) items.sort(([left], [right]) => Number(left) - Number(right));
  return items.map(([, all]) => deepValue(all, item));
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/** The values of texts that belong to one member. What is no JSON stays text, so that a validator can tell it. */
export function valuesOf(
  texts: readonly string[],
  { kinds = ['string'], json, list, nested, members }: MemberValue,
): readonly unknown[] {
  return texts.flatMap((text): readonly unknown[] => {
    if (!json) return [members ? text : readScalar(kinds, text)];
    const value = parsed(text);
    return list && !nested && Array.isArray(value) ? value : [value];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
