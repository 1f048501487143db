// SPDX-License-Identifier: 0BSD
import { formFields } from './form-fields.js';
import { jsonText, own, type ParameterSpec, type RequestTarget, scalar } from './parameters.js';

/** The query as one JSON text. */
export function queryJson(target: RequestTarget, _parameter: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value !== undefined) target.query.push(encodeURIComponent(jsonText(value)));
}

/** The query as plain text. */
export function queryText(target: RequestTarget, _parameter: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value !== undefined) target.query.push(encodeURIComponent(scalar(value)));
}

/** The query as a form. */
export function queryForm(target: RequestTarget, { fields }: ParameterSpec, input: unknown): void {
  const value = own(input, 'query');
  if (value !== undefined) target.query.push(...formFields(value, fields));
}
