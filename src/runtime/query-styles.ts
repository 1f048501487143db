// SPDX-License-Identifier: 0BSD
import {
  addQuery,
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

/** Style `form`, exploded: one `name=value` for every item or member. */
export function queryList(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  for (const [key = parameter.name, text] of pieces(given('query', parameter, input)))
    addQuery(target, { ...parameter, name: key }, text);
}

/** Style `form`, not exploded: `name=a,b` and `name=key,value`. */
export function queryJoined(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  addJoined(target, parameter, input, ',', ',');
}

/** Style `spaceDelimited`: `name=a%20b`. */
export function spaceDelimited(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  addJoined(target, parameter, input, ' ', '%20');
}

/** Style `pipeDelimited`: `name=a%7Cb`. */
export function pipeDelimited(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  addJoined(target, parameter, input, '|', '%7C');
}

/** A comma inside a value can be told from one between values by its encoder; a space and a bar cannot. */
function addJoined(
  target: RequestTarget,
  parameter: ParameterSpec,
  input: unknown,
  delimiter: string,
  encoded: string,
): void {
  const value = given('query', parameter, input);
  const { encoder = encodeURIComponent } = parameter;
  const isSingle = typeof value !== 'object';
  const piece = (text: string): string => {
    if (isSingle) return encoder(text);
    if (delimiter !== ',' && text.includes(delimiter)) refuse('holds the delimiter of its style');
    return encoder(text).replaceAll(',', '%2C');
  };
  const text = joined(value, piece, encoded, encoded);
  if (text !== '' || typeof value === 'string') addQuery(target, { name: parameter.name, encoder: String }, text);
}

/**
 * Style `deepObject`: `name[key]=value`, as deep as the value is. The items of arrays are told by their position, `name[0]=a`:
 * of what servers read it is the only way that says which members belong to one item.
 */
export function deepObject(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (typeof value !== 'object') addQuery(target, { ...parameter, name }, scalar(value));
    else
      for (const [key, member] of Object.entries(value)) {
        if (/[[\]]/.test(key)) refuse('has a member whose name holds a bracket');
        add(`${name}[${key}]`, member);
      }
  };
  add(parameter.name, given('query', parameter, input));
}

/** One JSON text. */
export function jsonField(target: RequestTarget, parameter: ParameterSpec, input: unknown): void {
  const value = own(own(input, 'query'), parameter.name);
  if (value !== undefined) addQuery(target, parameter, jsonText(value));
}
