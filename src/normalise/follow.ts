import type { Address, Collector } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { Sources } from '../load/sources.js';

/** An object of a document and where it stands, after every `$ref` was followed. */
export interface Located {
  readonly value: JsonObject;
  readonly at: Address;
}

/** The object at this place, through any chain of `$ref`; `undefined` with a diagnostic where it leads nowhere. */
export function followReferences(
  sources: Sources,
  report: Collector,
  value: JsonValue | undefined,
  at: Address,
): Located | undefined {
  const seen = new Set<string>();
  let current: { value: JsonValue | undefined; at: Address } = { value, at };
  for (;;) {
    if (!isObject(current.value)) {
      if (current.value !== undefined) report.report('type-mismatch', 'an object is expected here', current.at);
      return undefined;
    }
    const ref = own(current.value, '$ref');
    if (typeof ref !== 'string') return { value: current.value, at: current.at };
    const place = `${current.at.document}#${current.at.pointer}`;
    if (seen.has(place)) {
      report.report('ref-circular', 'a circular chain of "$ref" leads back to this place', current.at);
      return undefined;
    }
    seen.add(place);
    const target = sources.resolve(current.at, ref);
    if (!target.ok) {
      report.report(target.code, target.message, current.at);
      return undefined;
    }
    current = target;
  }
}
