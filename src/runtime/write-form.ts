// SPDX-License-Identifier: 0BSD
import { formFields } from './form-fields.js';
import { own } from './parameters.js';
import type { BodySpec } from './write-body.js';

/** Sends a form as `name=value&…`. Spaces are `%20`, which every reader of forms knows beside `+`. */
export function writeForm({ type, fields }: BodySpec, headers: Headers, input: unknown): BodyInit {
  const body = own(input, 'body');
  headers.set('content-type', type);
  return body instanceof URLSearchParams ? String(body) : formFields(body, fields).join('&');
}
