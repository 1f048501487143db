/** The dialects of the documents at hand: those that have a name, and those that a meta-schema among the documents makes. */
import type { Address, JsonPointer } from '../diagnostics.js';
import { isObject, own } from '../json-object.js';
import type { SourceDocument, Sources } from '../load/sources.js';
import {
  type Dialect,
  dialectOfDocument,
  dialectOfMetaSchema,
  dialectOfSchemaUri,
  isKnownSchemaUri,
} from './dialects.js';

export class DialectTable {
  readonly #sources: Sources;
  readonly #byUri = new Map<string, Dialect>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** The dialect of a whole document, where it names one. */
  ofDocument(document: SourceDocument | undefined): Dialect | undefined {
    if (!document) return undefined;
    const uri = isObject(document.value) ? own(document.value, 'jsonSchemaDialect') : undefined;
    const at: Address = { document: document.uri, pointer: '' as JsonPointer };
    return dialectOfDocument(document.kind, typeof uri === 'string' ? uri : undefined, (name) => this.ofUri(name, at));
  }

  /** The dialect of a `$schema` that stands at a place; a meta-schema that was not read adds nothing to the newest draft. */
  ofUri(uri: string, at: Address): Dialect {
    const known = this.#byUri.get(uri);
    if (known !== undefined) return known;
    const found = isKnownSchemaUri(uri) ? undefined : this.#sources.resolve(at, uri);
    const dialect = found?.ok === true ? dialectOfMetaSchema(found.value) : dialectOfSchemaUri(uri);
    this.#byUri.set(uri, dialect);
    return dialect;
  }
}
