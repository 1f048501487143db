// SPDX-License-Identifier: 0BSD
import { codePoints, equal, type Members } from './checks.js';
import { escaped, type Findings, full, type Path, report } from './issues.js';

/** An object whose members are being explained: where it stands, and the place of the schema that describes it. */
export interface Place {
  readonly findings: Findings;
  readonly path: Path;
  readonly schemaPointer: string;
  readonly object: Members;
}

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** In Unicode code points. */
interface Lengths {
  readonly maxLength?: number;
  readonly minLength?: number;
}

interface Bounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

type Test = (value: unknown) => boolean;
type Collect = (value: unknown, path: Path, findings: Findings) => void;
type CollectAt = (value: unknown, path: Path, findings: Findings, schemaPointer: string) => void;

export function place(findings: Findings, path: Path, schemaPointer: string, object: Members): Place {
  return { findings, path, schemaPointer, object };
}

/** Stands for an object that is not there, or is none. */
export const nowhere: Place = /* @__PURE__ */ place({ issues: [], limit: 0, answers: new Map() }, [], '', {});

/** Explains a member that must be there, of one of the types where there are any. */
export function required(at: Place, name: string, ...types: readonly TypeName[]): void {
  if (isThere(at, name) && types.length > 0) refuseOtherTypes(at, name, types);
}

export function optional(at: Place, name: string, ...types: readonly TypeName[]): void {
  if (at.object[name] !== undefined) refuseOtherTypes(at, name, types);
}

/** Explains a member that must be there, with one of the values. */
export function requiredValue(at: Place, name: string, allowed: readonly unknown[]): void {
  if (isThere(at, name)) optionalValue(at, name, allowed);
}

export function optionalValue(at: Place, name: string, allowed: readonly unknown[]): void {
  const value = at.object[name];
  if (value === undefined || allowed.some((entry) => equal(value, entry))) return;
  report(at.findings, [...at.path, name], `${pointerOf(at, name)}/enum`, { allowed });
}

/** Explains a member that must be there: a text whose length is limited, or a value of one of the types. */
export function requiredText(at: Place, name: string, lengths: Lengths, ...others: readonly TypeName[]): void {
  if (isThere(at, name)) optionalText(at, name, lengths, ...others);
}

export function optionalText(at: Place, name: string, lengths: Lengths, ...others: readonly TypeName[]): void {
  const value = at.object[name];
  if (typeof value !== 'string') {
    optional(at, name, 'string', ...others);
    return;
  }
  const { maxLength, minLength } = lengths;
  if (maxLength !== undefined && codePoints(value) > maxLength) refuse(at, name, 'maxLength', maxLength);
  if (minLength !== undefined && codePoints(value) < minLength) refuse(at, name, 'minLength', minLength);
}

/** Explains a member that must be there: a number that is limited (it comes first), or a value of one of the types. */
export function requiredNumber(at: Place, name: string, bounds: Bounds, ...types: readonly TypeName[]): void {
  if (isThere(at, name)) optionalNumber(at, name, bounds, ...types);
}

export function optionalNumber(at: Place, name: string, bounds: Bounds, ...types: readonly TypeName[]): void {
  const value = at.object[name];
  if (value === undefined) return;
  const [number] = types;
  if (number === undefined || typeof value !== 'number' || !isOfType(value, number)) {
    refuseOtherTypes(at, name, types);
    return;
  }
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) refuse(at, name, 'minimum', minimum);
  if (maximum !== undefined && value > maximum) refuse(at, name, 'maximum', maximum);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    refuse(at, name, 'exclusiveMinimum', exclusiveMinimum);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    refuse(at, name, 'exclusiveMaximum', exclusiveMaximum);
}

/** Explains a member that must be there: an array of values of one of the types. */
export function requiredItems(at: Place, name: string, ...types: readonly TypeName[]): void {
  if (isThere(at, name)) optionalItems(at, name, ...types);
}

export function optionalItems(at: Place, name: string, ...types: readonly TypeName[]): void {
  itemsOf(at, name).forEach((item, index) => {
    if (isOfOne(item, types)) return;
    report(at.findings, [...at.path, name, index], `${pointerOf(at, name)}/items/type`, { types });
  });
}

/** Explains a member that must be there: an array of values that have a validator of their own. */
export function requiredItemParts(at: Place, name: string, test: Test, collect: Collect): void {
  if (isThere(at, name)) optionalItemParts(at, name, test, collect);
}

export function optionalItemParts(at: Place, name: string, test: Test, collect: Collect): void {
  for (const [index, item] of itemsOf(at, name).entries()) {
    if (full(at.findings)) return;
    if (!test(item)) collect(item, [...at.path, name, index], at.findings);
  }
}

/** Explains a member that must be there: an object, whose members are explained by what follows. */
export function requiredObject(at: Place, name: string): Place {
  return isThere(at, name) ? optionalObject(at, name) : nowhere;
}

export function optionalObject(at: Place, name: string): Place {
  const value = at.object[name];
  if (value === undefined) return nowhere;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return place(at.findings, [...at.path, name], pointerOf(at, name), value as Members);
  refuseOtherTypes(at, name, ['object']);
  return nowhere;
}

/** Explains a member that must be there and has a validator of its own. */
export function requiredPart(at: Place, name: string, test: Test, collect: Collect): void {
  if (isThere(at, name)) optionalPart(at, name, test, collect);
}

export function optionalPart(at: Place, name: string, test: Test, collect: Collect): void {
  const value = at.object[name];
  if (value !== undefined && !test(value)) collect(value, [...at.path, name], at.findings);
}

/** Explains a member that must be there by a function that many schemas share: it is told which one is meant. */
export function requiredInside(at: Place, name: string, test: Test, collect: CollectAt): void {
  if (isThere(at, name)) optionalInside(at, name, test, collect);
}

export function optionalInside(at: Place, name: string, test: Test, collect: CollectAt): void {
  const value = at.object[name];
  if (value !== undefined && !test(value)) collect(value, [...at.path, name], at.findings, pointerOf(at, name));
}

function isThere(at: Place, name: string): boolean {
  if (at.object[name] !== undefined) return true;
  report(at.findings, at.path, `${at.schemaPointer}/required`, { property: name });
  return false;
}

/** The items of a member; none where it is absent, or no array, which is refused. */
function itemsOf(at: Place, name: string): readonly unknown[] {
  const value = at.object[name];
  if (Array.isArray(value)) return value;
  if (value !== undefined) refuseOtherTypes(at, name, ['array']);
  return [];
}

function refuse(at: Place, name: string, keyword: string, bound: number): void {
  report(at.findings, [...at.path, name], `${pointerOf(at, name)}/${keyword}`, { [keyword]: bound });
}

function refuseOtherTypes(at: Place, name: string, types: readonly TypeName[]): void {
  if (isOfOne(at.object[name], types)) return;
  report(at.findings, [...at.path, name], `${pointerOf(at, name)}/type`, { types });
}

function pointerOf(at: Place, name: string): string {
  return `${at.schemaPointer}/properties/${escaped(name)}`;
}

function isOfOne(value: unknown, types: readonly TypeName[]): boolean {
  for (const type of types) if (isOfType(value, type)) return true;
  return false;
}

/** NaN and the infinities are no JSON values, so they are no numbers. */
function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
