/** The members of forms (OpenAPI, Encoding Object): which of them are files, and how each is written. */
import type { Api, Encoding, MediaType } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import type { SchemaId } from '../ir/schema.js';
import type { ArrayShape, PropertyShape, Shape } from '../ir/shape.js';
import { takenApart } from '../ir/visit.js';

export interface FormField {
  readonly name: string;
  readonly encoding?: Encoding;
  /** Whether its value, or each item of it, is bytes. */
  readonly isFile: boolean;
  /** Whether its value can be an array. */
  readonly isArray: boolean;
  /** Whether its value can be an array or an object. */
  readonly isList: boolean;
  /** The media type that the encoding says, where it is one and no range. */
  readonly type?: string;
}

export interface FormShape {
  readonly shape: Shape;
  /** The members in it that are parts with headers of their own. */
  readonly parts: ReadonlySet<PropertyShape>;
}

const groups = new Set(['union', 'intersection'] as const);

export class FormFields {
  readonly #api: Api;
  readonly #chains: ReferenceChains;

  constructor(api: Api) {
    this.#api = api;
    this.#chains = new ReferenceChains(api.schemas);
  }

  /** The members that the schema describes, each once, and those that only have an encoding. */
  of({ schema, encoding, kind }: MediaType): readonly FormField[] {
    const encodings = new Map(encoding.map(({ name, encoding: one }) => [name, one]));
    const byName = new Map<string, FormField>();
    for (const property of schema === undefined ? [] : this.#properties({ kind: 'ref', target: schema })) {
      if (!byName.has(property.name))
        byName.set(property.name, this.#field(property, encodings.get(property.name), kind));
    }
    for (const [name, one] of encodings) {
      if (!byName.has(name)) byName.set(name, this.#field({ name, shape: { kind: 'unknown' } }, one, kind));
    }
    return [...byName.values()];
  }

  /** What a multipart form looks like: files are bytes. A schema of which all members are plain keeps its name. */
  shapeOf(media: MediaType, schema: SchemaId): FormShape {
    const special = new Map(
      this.of(media).flatMap((field) => (field.isFile || hasHeaders(field.encoding) ? [[field.name, field]] : [])),
    );
    const parts = new Set<PropertyShape>();
    const start: Shape = { kind: 'ref', target: schema };
    return { shape: special.size === 0 ? start : this.#written(start, special, parts, new Set()), parts };
  }

  /** Recursion follows what applies in place; each schema is written out once on a way. */
  #written(
    shape: Shape,
    special: ReadonlyMap<string, FormField>,
    parts: Set<PropertyShape>,
    seen: ReadonlySet<SchemaId>,
  ): Shape {
    switch (shape.kind) {
      case 'ref': {
        const target = seen.has(shape.target) ? undefined : this.#api.shapes.get(shape.target);
        if (!target || !this.#properties(shape).some(({ name }) => special.has(name))) return shape;
        return this.#written(target, special, parts, new Set([...seen, shape.target]));
      }
      case 'union':
      case 'intersection':
        return { ...shape, members: shape.members.map((member) => this.#written(member, special, parts, seen)) };
      case 'object': {
        const properties = shape.properties.map((property) => {
          const field = special.get(property.name);
          if (!field) return property;
          const written = { ...property, shape: field.isFile ? this.#fileShape(property.shape) : property.shape };
          if (hasHeaders(field.encoding)) parts.add(written);
          return written;
        });
        return { ...shape, properties };
      }
      default:
        return shape;
    }
  }

  #fileShape(shape: Shape): Shape {
    const parts = takenApart(shape, this.#api.shapes, groups);
    const isNullable = parts.some(({ kind }) => kind === 'null');
    const isArray = parts.some(({ kind }) => kind === 'array');
    const file: Shape = isArray ? { kind: 'array', items: { kind: 'binary' } } : { kind: 'binary' };
    return isNullable ? { kind: 'union', members: [file, { kind: 'null' }] } : file;
  }

  #properties(start: Shape): readonly PropertyShape[] {
    return takenApart(start, this.#api.shapes, groups).flatMap((part) =>
      part.kind === 'object' ? part.properties : [],
    );
  }

  #field(
    { name, shape }: Pick<PropertyShape, 'name' | 'shape'>,
    encoding: Encoding | undefined,
    kind: MediaType['kind'],
  ): FormField {
    const parts = takenApart(shape, this.#api.shapes, groups);
    const arrays = parts.filter((part) => part.kind === 'array');
    const type = encoding?.contentType?.trim();
    const isBytes = kind === 'multipart' && !isStyled(encoding) && !isTextual(type);
    return {
      name,
      ...(encoding && { encoding }),
      isFile: isBytes && this.#isFile(shape, parts, arrays),
      isArray: arrays.length > 0 || parts.some((part) => part.kind === 'tuple'),
      isList: parts.some((part) => ['array', 'tuple', 'object', 'unknown'].includes(part.kind)),
      ...(type !== undefined && /^[^,*]+$/.test(type) && { type }),
    };
  }

  #isFile(shape: Shape, parts: readonly Shape[], arrays: readonly ArrayShape[]): boolean {
    if (arrays.length > 0) {
      const others = parts.some((part) => part.kind !== 'array' && part.kind !== 'null');
      return !others && arrays.every(({ items }) => this.#isBinary(items));
    }
    return this.#isBinary(shape);
  }

  /**
   * `format: binary`, `contentMediaType` of something that is no text, or nothing at all: then the default is
   * `application/octet-stream` (OpenAPI 3.1, Encoding Object).
   */
  #isBinary(shape: Shape): boolean {
    const parts = takenApart(shape, this.#api.shapes, groups).filter(({ kind }) => kind !== 'null');
    const [only] = parts;
    if (parts.length !== 1 || !only) return false;
    if (only.kind === 'string' && only.format === 'binary') return true;
    if (only.kind !== 'string' && only.kind !== 'unknown') return false;
    const schema = shape.kind === 'ref' ? this.#api.schemas.get(this.#chains.endOf(shape.target).end) : undefined;
    const { contentMediaType, contentEncoding } = (schema?.kind === 'schema' ? schema.string : undefined) ?? {};
    if (contentMediaType !== undefined) return contentEncoding === undefined && !isTextual(contentMediaType);
    return (
      only.kind === 'unknown' && (schema?.kind === 'boolean' || schema === undefined || schema.types === undefined)
    );
  }
}

/** Whether a body of bytes may be text too: its schema describes something, and no bytes. */
export function admitsText(api: Api, schema: SchemaId): boolean {
  const parts = takenApart({ kind: 'ref', target: schema }, api.shapes, groups);
  return parts.some((part) => part.kind !== 'unknown' && !(part.kind === 'string' && part.format === 'binary'));
}

export function isStyled({ style, explode, allowReserved }: Partial<Encoding> = {}): boolean {
  return style !== undefined || explode !== undefined || allowReserved !== undefined;
}

/** Whether a media type, the first of a list, is one of text or JSON. */
export function isTextual(type: string | undefined): boolean {
  return type !== undefined && /^(?:text\/|[^,;]*[/+](?:json|xml)\b|application\/x-www-form-urlencoded)/i.test(type);
}

/** Whether the parts of a member have headers of their own: then its value is a `FormPart`. */
export function hasHeaders(encoding: Encoding | undefined): boolean {
  return encoding !== undefined && encoding.headers.length > 0;
}

export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^[^,;]*[/+]json\b/i.test(type);
}
