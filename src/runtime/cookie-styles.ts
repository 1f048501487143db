// SPDX-License-Identifier: 0BSD
import {
  given,
  joined,
  jsonText,
  own,
  type ParameterSpec,
  pieces,
  type RequestTarget,
  refuse,
  scalar,
} from './parameters.js';

/** Style `form` for a single value. */
export function cookie(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('cookies', parameter, input);
  if (value !== undefined && value !== null) addEscaped(target, parameter, parameter.name, scalar(value));
}

/** Style `form`, exploded: a cookie for every item or member. */
export function cookieList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  for (const [key = parameter.name, text] of pieces(given('cookies', parameter, input)))
    addEscaped(target, parameter, key, text);
}

/** Style `form`, not exploded: one cookie, `name=a,b` or `name=key,value`. */
export function cookieJoined(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('cookies', parameter, input);
  const text = joined(value, parameter.encoder ?? encodeURIComponent);
  if (text !== '' || typeof value === 'string') addCookie(target, `${encodeURIComponent(parameter.name)}=${text}`);
}

/** One JSON text, escaped: cookies have neither quotes nor commas. */
export function cookieJson(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = own(own(input, 'cookies'), parameter.name);
  if (value !== undefined) addEscaped(target, parameter, parameter.name, jsonText(value));
}

/** Style `cookie`, exploded: a cookie for every item or member. */
export function cookieText(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  for (const [key = parameter.name, text] of pieces(given('cookies', parameter, input)))
    addCookie(target, `${key}=${octets(text)}`);
}

/** Style `cookie`, not exploded: one cookie, whose commas are those between the values. */
export function cookieTextJoined(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = given('cookies', parameter, input);
  const text = joined(value, octets);
  if (text !== '' || typeof value === 'string') addCookie(target, `${parameter.name}=${text}`);
}

function addEscaped(
  target: RequestTarget,
  { encoder = encodeURIComponent }: ParameterSpec,
  name: string,
  text: string,
): void {
  addCookie(target, `${encodeURIComponent(name)}=${encoder(text)}`);
}

function addCookie({ headers }: RequestTarget, pair: string): void {
  const before = headers.get('cookie');
  headers.set('cookie', before ? `${before}; ${pair}` : pair);
}

/** Nothing is escaped, so what would need it is refused (RFC 6265 section 4.1.1). */
function octets(text: string): string {
  return /^[!#-+\--:<-[\]-~]*$/.test(text) ? text : refuse('has a character that a cookie cannot hold');
}
