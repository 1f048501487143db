/** The schemas that documents name, as far as they are selected; what is not selected has its name all the same where it is needed. */
import { type Address, childAddress } from '../diagnostics.js';
import type { Component } from '../ir/api.js';
import type { JsonValue } from '../ir/schema.js';
import { member } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import type { Dialect } from './dialects.js';
import { type SchemaReader, schemaId } from './read-schema.js';
import type { Selection, Wanted } from './selection.js';

interface Named {
  readonly name: string;
  readonly at: Address;
  readonly value: JsonValue;
  readonly dialect: Dialect;
  readonly wanted: Wanted;
}

export class NamedSchemas {
  readonly #sources: Sources;
  readonly #schemas: SchemaReader;
  readonly #selection: Selection | undefined;
  readonly #all: Named[] = [];

  constructor(sources: Sources, schemas: SchemaReader, selection: Selection | undefined) {
    this.#sources = sources;
    this.#schemas = schemas;
    this.#selection = selection;
  }

  add(name: string, at: Address, value: JsonValue, dialect: Dialect): void {
    const wanted = this.#selection?.schema({ at, name, value }) ?? 'yes';
    this.#all.push({ name, at, value, dialect, wanted });
    if (wanted === 'yes') this.#schemas.read(at, value, dialect);
  }

  /** Reads everything that was registered, and the heirs of parents that were reached. */
  drain(): void {
    let open = this.#all.filter(({ wanted }) => wanted === 'reached');
    for (;;) {
      this.#schemas.drain();
      const heirs = open.filter((named) => !this.#isRead(named.at) && this.#hasParent(named));
      if (heirs.length === 0) return;
      for (const { at, value, dialect } of heirs) this.#schemas.read(at, value, dialect);
      open = open.filter((named) => !heirs.includes(named));
    }
  }

  /** Those that are selected, and those that something refers to, in the documents' order. */
  get components(): readonly Component[] {
    return this.#all
      .filter(({ at, wanted }) => wanted === 'yes' || this.#isRead(at))
      .map(({ name, at }) => ({ name, schema: schemaId(at) }));
  }

  #isRead(at: Address): boolean {
    return this.#schemas.schemas.has(schemaId(at));
  }

  /** Whether it inherits, by allOf, from a schema with a discriminator: a value of that may be one of this. */
  #hasParent({ at, value }: Named): boolean {
    const branches = member(value, 'allOf');
    if (!Array.isArray(branches)) return false;
    return (branches as readonly JsonValue[]).some((branch, index) => {
      const ref = member(branch, '$ref');
      const target = typeof ref === 'string' ? this.#sources.resolve(childAddress(at, 'allOf', index), ref) : undefined;
      const parent = target?.ok ? this.#schemas.schemas.get(schemaId(target.at)) : undefined;
      return parent?.kind === 'schema' && parent.discriminator !== undefined;
    });
  }
}
