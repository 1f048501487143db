/** What the readers of one OpenAPI description share: the sources, the schema reader and the report. */
import { type Address, type Collector, quote } from '../diagnostics.js';
import type { MediaType, SecurityRequirement } from '../ir/api.js';
import type { Docs, JsonValue, SchemaId } from '../ir/schema.js';
import type { Sources } from '../load/sources.js';
import type { Dialect } from './dialects.js';
import { followReferences, type Located } from './follow.js';
import { Members } from './json.js';
import { isToken } from './media-types.js';
import type { Origins } from './origins.js';
import { readDocs, type SchemaReader } from './read-schema.js';
import type { OperationFacts, Selection } from './selection.js';
import { inheritEventSchema } from './streams.js';

export interface ReadingOptions {
  /** Type the events of an untyped stream by the JSON response of the same status (output.md section 7). */
  readonly inheritEventSchema: boolean;
  readonly selection: Selection | undefined;
}

export class Reading {
  readonly sources: Sources;
  readonly report: Collector;
  /** The names of the declared security schemes. */
  readonly schemeNames: ReadonlySet<string>;
  rootSecurity: readonly (readonly SecurityRequirement[])[] = [];
  readonly #schemas: SchemaReader;
  readonly #dialect: Dialect;
  readonly #origins: Origins;
  readonly #options: ReadingOptions;

  constructor(
    sources: Sources,
    report: Collector,
    schemas: SchemaReader,
    dialect: Dialect,
    origins: Origins,
    schemeNames: ReadonlySet<string>,
    options: ReadingOptions,
  ) {
    this.sources = sources;
    this.report = report;
    this.schemeNames = schemeNames;
    this.#schemas = schemas;
    this.#dialect = dialect;
    this.#origins = origins;
    this.#options = options;
  }

  /** Whether the operation is wanted; what is not is not read. */
  selects(facts: OperationFacts): boolean {
    return this.#options.selection?.operation(facts) ?? true;
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
    const found = followReferences(this.sources, this.report, value, at);
    return found && { value: found.value, at: this.#origins.of(found.value, found.at) };
  }

  inheritEvents(content: readonly MediaType[]): readonly MediaType[] {
    return this.#options.inheritEventSchema ? inheritEventSchema(content, this.report) : content;
  }
}
