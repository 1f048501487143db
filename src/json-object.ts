/** Objects of documents: what is one, and its own members. Nothing that the prototype has is part of a document. */
import type { JsonValue } from './ir/schema.js';

export type JsonObject = { readonly [key: string]: JsonValue };

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own member `name`, or `undefined`. */
export function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The own member of a value that may be no object. */
export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? own(value, name) : undefined;
}
