// SPDX-License-Identifier: 0BSD
import { own, type ParameterSpec, type RequestTarget, refuse, scalar } from './parameters.js';

/** The query as one JSON text. */
export function queryJson(target: RequestTarget, _parameter: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value === undefined) return;
  target.query.push(encodeURIComponent(JSON.stringify(value) ?? refuse('is not a JSON value')));
}

/** The query as plain text. */
export function queryText(target: RequestTarget, _parameter: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value !== undefined) target.query.push(encodeURIComponent(scalar(value)));
}

/**
 * The query as a form: one `name=value` for each member, or for each item of one that is an array; what is an object
 * inside travels as JSON (OpenAPI, Encoding Object, default values).
 */
export function queryForm(target: RequestTarget, _parameter: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse('is not an object');
  for (const [name, member] of Object.entries(value)) {
    for (const item of Array.isArray(member) ? member : [member]) {
      if (item === undefined || item === null) continue;
      const text = typeof item === 'object' ? JSON.stringify(item) : scalar(item);
      target.query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
    }
  }
}
