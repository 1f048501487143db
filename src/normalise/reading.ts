/** What the readers of one OpenAPI description share: the sources, the schema reader and the report. */
import { type Address, type Collector, quote } from '../diagnostics.js';
import type { MediaType, SecurityRequirement } from '../ir/api.js';
import type { Docs, JsonValue, SchemaId } from '../ir/schema.js';
import type { Sources } from '../load/sources.js';
import type { Dialect } from './dialects.js';
import { isObject, type JsonObject, Members, own } from './json.js';
import { isToken } from './media-types.js';
import { readDocs, type SchemaReader } from './read-schema.js';
import { inheritEventSchema } from './streams.js';

/** An object of a document and where it stands, after every `$ref` was followed. */
export interface Located {
  readonly value: JsonObject;
  readonly at: Address;
}

export interface ReadingOptions {
  /** Type the events of an untyped stream by the JSON response of the same status (output.md section 7). */
  readonly inheritEventSchema: boolean;
}

export class Reading {
  readonly sources: Sources;
  readonly report: Collector;
  /** The names of the declared security schemes. */
  readonly schemeNames: ReadonlySet<string>;
  rootSecurity: readonly (readonly SecurityRequirement[])[] = [];
  readonly #schemas: SchemaReader;
  readonly #dialect: Dialect;
  readonly #options: ReadingOptions;

  constructor(
    sources: Sources,
    report: Collector,
    schemas: SchemaReader,
    dialect: Dialect,
    schemeNames: ReadonlySet<string>,
    options: ReadingOptions,
  ) {
    this.sources = sources;
    this.report = report;
    this.schemeNames = schemeNames;
    this.#schemas = schemas;
    this.#dialect = dialect;
    this.#options = options;
  }

  members({ value, at }: Located): Members {
    return new Members(value, at, this.report);
  }

  schema(at: Address, value: JsonValue): SchemaId {
    return this.#schemas.read(at, value, this.#dialect);
  }

  docs(members: Members): Docs {
    return readDocs(members);
  }

  isToken(name: string, at: Address): boolean {
    if (isToken(name)) return true;
    this.report.report('header-name-invalid', `${quote(name)} is not an HTTP token`, at);
    return false;
  }

  /** The object at this place, through any chain of `$ref`; `undefined` with a diagnostic where it leads nowhere. */
  follow(value: JsonValue | undefined, at: Address): Located | undefined {
    const seen = new Set<string>();
    let current: { value: JsonValue | undefined; at: Address } = { value, at };
    for (;;) {
      if (!isObject(current.value)) {
        if (current.value !== undefined) this.report.report('type-mismatch', 'an object is expected here', current.at);
        return undefined;
      }
      const ref = own(current.value, '$ref');
      if (typeof ref !== 'string') return { value: current.value, at: current.at };
      const place = `${current.at.document}#${current.at.pointer}`;
      if (seen.has(place)) {
        this.report.report('ref-circular', 'a circular chain of "$ref" leads back to this place', current.at);
        return undefined;
      }
      seen.add(place);
      const target = this.sources.resolve(current.at, ref);
      if (!target.ok) {
        this.report.report(target.code, target.message, current.at);
        return undefined;
      }
      current = target;
    }
  }

  inheritEvents(content: readonly MediaType[]): readonly MediaType[] {
    return this.#options.inheritEventSchema ? inheritEventSchema(content, this.report) : content;
  }
}
