// SPDX-License-Identifier: 0BSD
import { given, joined, jsonText, own, type ParameterSpec, type RequestTarget, scalar } from './parameters.js';

/** Style `simple` of an array or an object: `a,b` and `key,value`. Nothing is escaped, because nothing decodes headers. */
export function headerList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  setJoined(target, parameter, input, ',');
}

/** The same, exploded: `key=value`. */
export function headerExploded(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  setJoined(target, parameter, input, '=');
}

function setJoined({ headers }: RequestTarget, parameter: ParameterSpec, input: unknown, pair: string): void {
  const value = given('headers', parameter, input);
  const text = joined(value, (piece) => piece, pair);
  if (text !== '' || typeof value === 'string') headers.set(parameter.name, text);
}

/** One JSON text. What is not ASCII is escaped as JSON can: other characters are no part of a header (RFC 9110 section 5.5). */
export function headerJson({ headers }: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = own(own(input, 'headers'), parameter.name);
  if (value === undefined) return;
  const encoder = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  headers.set(parameter.name, jsonText(value).replace(/[\u007f-\uffff]/g, encoder));
}

/** A header that repeats a member of the body unless the caller gives the value. */
export function headerFromBody({ headers }: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const { name, from = [], encoding } = parameter;
  const value = [['headers', name], ...from.map((steps) => ['body', ...steps])]
    .map((steps) => steps.reduce(own, input))
    .find((found) => /^[bsn]/.test(typeof found));
  // Space at the edges is no part of a header (RFC 9110 section 5.5), U+007F none of its characters; U+0000 is refused.
  const encode = encoding?.encode ?? ((text: string) => text.replace(/^\s|\s$|\x7f/, '\0'));
  if (value !== undefined) headers.set(name, encode(scalar(value)));
}
