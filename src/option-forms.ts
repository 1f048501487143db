/** The forms that options may have, as checks that can say where in a value a fault is and what belongs there. */
import { quote } from './diagnostics.js';
import { nearest } from './nearest.js';

export type Check = ((value: unknown) => boolean) & {
  /** What fits, in words: `a whole number`. */
  readonly wanted?: string;
  /** The words that fit, where these are a few: one that was given may be nearly one of them. */
  readonly words?: readonly string[];
  /** What is wrong inside of a value; nothing where that is the value itself. */
  readonly inside?: (value: unknown) => readonly Misfit[];
};

/** What is wrong with a part of a value. */
export interface Misfit {
  /** The names of the members that lead to the part. */
  readonly path: readonly string[];
  /** What is said of it: `must be a whole number`. */
  readonly said: string;
}

/** A check that says in words what fits. */
export function form(wanted: string, check: (value: unknown) => boolean): Check {
  return Object.assign((value: unknown) => check(value), { wanted });
}

export function oneOf(words: readonly string[]): Check {
  const check = (value: unknown): boolean => typeof value === 'string' && words.includes(value);
  return Object.assign(check, { wanted: listed(words), words });
}

export function listOf(check: Check, wanted = `a list, each ${check.wanted}`): Check {
  return form(wanted, (value) => Array.isArray(value) && value.every((one) => check(one)));
}

export function oneOrMore(check: Check): Check {
  const isList = listOf(check);
  return form(
    `${check.wanted} or a list of such`,
    (value) => check(value) || (Array.isArray(value) && value.length > 0 && isList(value)),
  );
}

/** An object whose members have any names. */
export function mapOf(check: Check): Check {
  const inside = (value: unknown): readonly Misfit[] =>
    Object.entries(isMembers(value) ? value : {}).flatMap(([name, entry]) => below(name, misfits(check, entry)));
  const fits = (value: unknown): boolean => isMembers(value) && Object.values(value).every((one) => check(one));
  return Object.assign(fits, { wanted: 'an object', inside });
}

/** An object with members of these kinds, of which the named ones must be there. */
export function objectOf(members: Readonly<Record<string, Check>>, ...required: readonly string[]): Check {
  const names = Object.keys(members);
  const inside = (value: unknown): readonly Misfit[] => {
    if (!isMembers(value)) return [];
    const wrong = Object.entries(value).flatMap(([name, entry]): readonly Misfit[] => {
      const check = Object.hasOwn(members, name) ? members[name] : undefined;
      if (check) return entry === undefined ? [] : below(name, misfits(check, entry));
      const meant = nearest(name, names);
      const hint = meant === undefined ? `; it has ${names.join(', ')}` : `; did you mean ${quote(meant)}?`;
      return [{ path: [name], said: `is no member${hint}` }];
    });
    const missing = required.filter((name) => !Object.hasOwn(value, name));
    return [...wrong, ...missing.map((name) => ({ path: [], said: `needs the member ${quote(name)}` }))];
  };
  const fits = (value: unknown): boolean => isMembers(value) && inside(value).length === 0;
  return Object.assign(fits, { wanted: `an object with ${names.join(', ')}`, inside });
}

/** A plain value, or an object: what is an object is judged as one. */
export function orObject(plain: Check, object: Check): Check {
  const fits = (value: unknown): boolean => plain(value) || object(value);
  const inside = (value: unknown): readonly Misfit[] => object.inside?.(value) ?? [];
  return Object.assign(fits, { wanted: `${plain.wanted}, or ${object.wanted}`, inside });
}

/** What is wrong with a value, each as near to the fault as can be told; nothing where it fits. */
export function misfits(check: Check, value: unknown): readonly Misfit[] {
  if (check(value)) return [];
  const inside = check.inside?.(value) ?? [];
  if (inside.length > 0) return inside;
  const { wanted = 'something else', words } = check;
  const given = typeof value !== 'string' ? '' : words ? meaning(value, words) : `, not ${quote(value)}`;
  return [{ path: [], said: `must be ${wanted}${given}` }];
}

function below(name: string, found: readonly Misfit[]): readonly Misfit[] {
  return found.map(({ path, said }) => ({ path: [name, ...path], said }));
}

function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `a, b or c` */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

/** What was given instead of one of a few words, and which one was meant perhaps. */
export function meaning(value: string, known: readonly string[], name = value, rest = ''): string {
  const meant = nearest(name, known);
  return `, not ${quote(value)}${meant === undefined || meant === name ? '' : `; did you mean ${quote(meant + rest)}?`}`;
}
