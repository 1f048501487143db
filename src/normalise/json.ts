/** Typed access to document values: own members only, and a located diagnostic where the type is not what the specification says. */
import { type Address, type Collector, childAddress } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';

function describe(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Reads members of one object at one address. Absent members are `undefined`; wrong types are reported and `undefined`. */
export class Members {
  readonly object: JsonObject;
  readonly at: Address;
  readonly #report: Collector;

  constructor(object: JsonObject, at: Address, report: Collector) {
    this.object = object;
    this.at = at;
    this.#report = report;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  raw(name: string): JsonValue | undefined {
    return own(this.object, name);
  }

  #typed<T extends JsonValue>(name: string, wanted: string, test: (value: JsonValue) => value is T): T | undefined {
    const value = own(this.object, name);
    if (value === undefined || test(value)) return value;
    this.#report.report(
      'type-mismatch',
      `"${name}" must be ${wanted}, not ${describe(value)}`,
      childAddress(this.at, name),
    );
    return undefined;
  }

  string(name: string): string | undefined {
    return this.#typed(name, 'a string', (value): value is string => typeof value === 'string');
  }

  /** What only people read. Where it is no text it is left out with a warning, since nothing else depends on it. */
  text(name: 'title' | 'summary' | 'description'): string | undefined {
    const value = own(this.object, name);
    if (value === undefined || typeof value === 'string') return value;
    const message = `"${name}" must be a string, not ${describe(value)}; it is left out`;
    this.#report.report('annotation-invalid', message, childAddress(this.at, name));
    return undefined;
  }

  boolean(name: string): boolean | undefined {
    return this.#typed(name, 'a boolean', (value): value is boolean => typeof value === 'boolean');
  }

  number(name: string): number | undefined {
    return this.#typed(
      name,
      'a number',
      (value): value is number => typeof value === 'number' && Number.isFinite(value),
    );
  }

  /** A count: a whole number of at least 0 (`3.0` counts). */
  count(name: string): number | undefined {
    return this.#typed(
      name,
      'a whole number of at least 0',
      (value): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0,
    );
  }

  objectMember(name: string): JsonObject | undefined {
    return this.#typed(name, 'an object', (value): value is JsonObject => isObject(value));
  }

  array(name: string): readonly JsonValue[] | undefined {
    return this.#typed(name, 'an array', (value): value is readonly JsonValue[] => Array.isArray(value));
  }

  strings(name: string): readonly string[] | undefined {
    return this.#typed(
      name,
      'an array of strings',
      (value): value is readonly string[] => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    );
  }
}

/** The specification extensions of an object. */
export function extensionsOf(object: JsonObject): Readonly<Record<string, JsonValue>> {
  let extensions: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(object)) {
    const value = name.startsWith('x-') ? object[name] : undefined;
    if (value === undefined) continue;
    extensions ??= Object.create(null) as Record<string, JsonValue>;
    extensions[name] = value;
  }
  return extensions ?? noExtensions;
}

export const noExtensions: Readonly<Record<string, JsonValue>> = Object.freeze(Object.create(null));

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are not `undefined`. */
export function present<T extends object>(members: T): Present<T> {
  const made = {} as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) if (value !== undefined) made[name] = value;
  return made as Present<T>;
}

/** As `extensionsOf`; nothing where there is none. */
export function sectionExtensions(object: JsonObject | undefined): Readonly<Record<string, JsonValue>> | undefined {
  const found = object && extensionsOf(object);
  return found === noExtensions ? undefined : found;
}
