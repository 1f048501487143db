/** Which parts of a description are read at all. */
import type { Address } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';

/** An operation before it is read. */
export interface OperationFacts {
  readonly at: Address;
  /** The template as written. */
  readonly path: string;
  /** As the document writes it: `get`. */
  readonly method: string;
  readonly value: JsonObject;
}

/** A schema that the document names, before it is read. */
export interface SchemaFacts {
  readonly at: Address;
  readonly name: string;
  readonly value: JsonValue;
}

/** `reached`: where something that is read refers to it, or is the parent of a family (a discriminator) that it belongs to. */
export type Wanted = 'yes' | 'reached' | 'no';

/** What is not selected is neither read nor checked; a schema that something else refers to is read all the same. */
export interface Selection {
  operation(facts: OperationFacts): boolean;
  schema(facts: SchemaFacts): Wanted;
}

export function placeOf(at: Address): string {
  return `${at.document}#${at.pointer}`;
}

/** Without the parts that stand at these places. */
export function without(places: ReadonlySet<string>, selection: Selection | undefined): Selection {
  return {
    operation: (facts) => !places.has(placeOf(facts.at)) && (selection?.operation(facts) ?? true),
    schema: (facts) => (places.has(placeOf(facts.at)) ? 'no' : (selection?.schema(facts) ?? 'yes')),
  };
}
