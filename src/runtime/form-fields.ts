// SPDX-License-Identifier: 0BSD
import {
  addQuery,
  type FieldSpec,
  jsonText,
  naming,
  own,
  type ParameterSpec,
  type RequestTarget,
  refuse,
  scalar,
} from './parameters.js';

/** The members of a form as `name=value`, encoded. `fields` says how those are written that are not written as usual. */
export function formFields(form: unknown, fields: readonly FieldSpec[] = []): readonly string[] {
  if (typeof form !== 'object' || form === null || Array.isArray(form)) return refuse('is not an object');
  const target = { headers: new Headers(), query: [] as string[] };
  for (const name of Object.keys(form)) {
    const { write = usualField, encoder } = fields.find((one) => one.name === name) ?? {};
    naming(name, () => write(target, { name, write, ...(encoder && { encoder }) }, { query: form }));
  }
  return target.query;
}

/**
 * One `name=value` for a member, or for each item of one that is an array; what is an object inside travels as JSON
 * (OpenAPI, Encoding Object, default values).
 */
function usualField(target: RequestTarget, field: ParameterSpec, input: unknown): void {
  const value = own(own(input, 'query'), field.name);
  for (const item of Array.isArray(value) ? value : [value]) {
    if (item !== undefined && item !== null)
      addQuery(target, field, typeof item === 'object' ? jsonText(item) : scalar(item));
  }
}
