// SPDX-License-Identifier: 0BSD

/** The members of a JSON object. */
export interface Members {
  readonly [name: string]: unknown;
}

/** What has been asked of values already: of each function its answers by value. */
export type Answers = Map<unknown, Map<unknown, unknown>>;

/** Values nested deeper than this are refused: beyond it the call stack may end. */
export const depthLimit = 1000;

/** Thrown where a value is nested too deep, so that no `not` or `anyOf` on the way can take it for an answer. */
export const tooDeep: unknown = /* @__PURE__ */ Object.freeze({ message: 'nested too deep' });

/** Runs a check that counts its depth; false where the value is nested too deep. */
export function shallow(check: (value: unknown, depth: number) => boolean, value: unknown): boolean {
  try {
    return check(value, 0);
  } catch (fault) {
    if (fault === tooDeep) return false;
    throw fault;
  }
}

/** Reads an own member; what an object inherits is not there. */
export function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** How many members an object has. One that is `undefined` is absent, as it is in JSON. */
export function memberCount(object: Members): number {
  let count = 0;
  for (const name of Object.keys(object)) if (object[name] !== undefined) count += 1;
  return count;
}

/** Whether an object has a member that is not among those. */
export function hasOthers(object: Members, names: readonly string[]): boolean {
  return Object.keys(object).some((name) => object[name] !== undefined && !names.includes(name));
}

/** The length of a text in Unicode code points. A surrogate without its partner counts as one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** Whether a value equals a JSON value: the order of members does not count. As deep as `constant` is, no deeper. */
export function equal(value: unknown, constant: unknown): boolean {
  if (value === constant) return true;
  if (typeof value !== 'object' || typeof constant !== 'object' || value === null || constant === null) return false;
  if (Array.isArray(constant) || Array.isArray(value)) {
    if (!Array.isArray(value) || !Array.isArray(constant) || value.length !== constant.length) return false;
    return constant.every((item, index) => equal(value[index], item));
  }
  const members = value as Members;
  const wanted = constant as Members;
  const names = Object.keys(wanted);
  if (memberCount(members) !== names.length) return false;
  return names.every((name) => Object.hasOwn(members, name) && equal(members[name], wanted[name]));
}

/** Whether no two items are equal as JSON values. False, too, where an item is nested too deep to tell. */
export function unique(items: readonly unknown[]): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    // An array starts with `[`, a composite is never equal to a primitive: the prefix keeps the two apart.
    const identity = typeof item === 'object' && item !== null ? canonical(item, 0) : item;
    if (identity === undefined && item !== undefined) return false;
    const key = typeof identity === 'string' ? `${typeof item} ${identity}` : identity;
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

/** A text that is the same for equal JSON values: members in order of their names. */
function canonical(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth > depthLimit) return undefined;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      const part = canonical(item, depth + 1);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return `[${parts.join(',')}]`;
  }
  const members = value as Members;
  for (const name of Object.keys(members).sort()) {
    if (members[name] === undefined) continue;
    const part = canonical(members[name], depth + 1);
    if (part === undefined) return undefined;
    parts.push(`${JSON.stringify(name)}:${part}`);
  }
  return `{${parts.join(',')}}`;
}

// Below this, a decimal with as many digits as `scale` allows is told from its neighbours by a double.
const exactLimit = 2251799813685248;

/**
 * Whether a number is a multiple of another, as decimals: 19.99 is a multiple of 0.01, though their doubles are not.
 * `scale` is 10 to the number of the divisor's decimals, or 0 where that is too large for quick arithmetic.
 */
export function multipleOf(value: number, divisor: number, scale: number): boolean {
  const scaled = Math.round(value * scale);
  const step = Math.round(divisor * scale);
  if (scale !== 0 && Math.abs(scaled) <= exactLimit && step <= exactLimit) {
    return scaled / scale === value && scaled % step === 0;
  }
  if (!Number.isFinite(value)) return false;
  const [digits, decimals] = decimal(value);
  const [divisorDigits, divisorDecimals] = decimal(divisor);
  const common = Math.max(decimals, divisorDecimals);
  return (digits * 10n ** BigInt(common - decimals)) % (divisorDigits * 10n ** BigInt(common - divisorDecimals)) === 0n;
}

/** The shortest decimal of a double: its digits without the point, and how many of them are decimals. */
function decimal(value: number): [bigint, number] {
  const [, whole = '0', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return [BigInt(whole + fraction), fraction.length - Number(exponent)];
}
