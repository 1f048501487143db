// SPDX-License-Identifier: 0BSD
import { codePoints, equal, type Members } from './checks.js';
import { type Findings, type Path, report } from './issues.js';

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

type Test = (value: unknown) => boolean;
type Collect = (value: unknown, path: Path, findings: Findings) => void;
type CollectAt = (value: unknown, path: Path, findings: Findings, schemaPointer: string) => void;

export function place(findings: Findings, path: Path, schemaPointer: string, object: Members): Place {
  return { findings, path, schemaPointer, object };
}

/** Explains a member that must be there, of one of the types where there are any. */
export function required(at: Place, name: string, ...types: readonly TypeName[]): void {
  if (isThere(at, name) && types.length > 0) optional(at, name, ...types);
}

export function optional(at: Place, name: string, ...types: readonly TypeName[]): void {
  const value = at.object[name];
  if (value === undefined || types.some((type) => isOfType(value, type))) return;
  report(at.findings, [...at.path, name], `${pointerOf(at, name)}/type`, { types });
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
  const length = codePoints(value);
  const { maxLength = length, minLength = length } = lengths;
  const refuse = (keyword: string, bound: number): void =>
    report(at.findings, [...at.path, name], `${pointerOf(at, name)}/${keyword}`, { [keyword]: bound });
  if (length > maxLength) refuse('maxLength', maxLength);
  if (length < minLength) refuse('minLength', minLength);
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

function pointerOf(at: Place, name: string): string {
  return `${at.schemaPointer}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
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
