/**
 * What dynamic references mean on the way that led to a schema. The way is known before any value is: whatever is made of a schema
 * that dynamic references can be reached from is made once for each different way, so that nothing is looked up later.
 */
import type { DynamicAnchor, ObjectSchema, Schema, SchemaId } from './schema.js';
import { schemaUsers, usersOf } from './visit.js';

/** For each name the anchor of the outermost schema resource that has one. */
export interface Environment {
  /** Tells environments apart. */
  readonly key: string;
  readonly anchors: ReadonlyMap<string, SchemaId>;
}

export const noEnvironment: Environment = { key: '', anchors: new Map() };

/** A schema is taken once for each way that leads to it; a document made for it could have as many as there are subsets. */
export const wayLimit = 10_000;

/** The environment inside of a schema resource: what has been met before counts (JSON Schema core, section 8.2.3.2). */
export function withAnchors(around: Environment, anchors: readonly DynamicAnchor[] | undefined): Environment {
  const added = anchors?.filter(({ name }) => !around.anchors.has(name)) ?? [];
  if (added.length === 0) return around;
  const all = new Map(around.anchors);
  for (const { name, schema } of added) all.set(name, schema);
  return environmentOf(all);
}

function environmentOf(anchors: ReadonlyMap<string, SchemaId>): Environment {
  if (anchors.size === 0) return noEnvironment;
  return { key: JSON.stringify([...anchors].sort(([left], [right]) => (left < right ? -1 : 1))), anchors };
}

/** What a dynamic reference means; `undefined` where a schema has none. */
export function dynamicTarget({ anchors }: Environment, { dynamicRef }: ObjectSchema): SchemaId | undefined {
  if (dynamicRef?.name === undefined) return dynamicRef?.target;
  return anchors.get(dynamicRef.name) ?? dynamicRef.target;
}

/** The environments that make a difference to the schemas of one API; none in nearly all documents. */
export class Environments {
  readonly #schemas: ReadonlyMap<SchemaId, Schema>;
  /** By schema the names of the references that can be reached from it, and whose meaning depends on the way. */
  readonly #names: ReadonlyMap<SchemaId, ReadonlySet<string>>;

  constructor(schemas: ReadonlyMap<SchemaId, Schema>) {
    this.#schemas = schemas;
    this.#names = reachableNames(schemas);
  }

  /** Whether the way to a schema makes a difference to what it means. */
  has(id: SchemaId): boolean {
    return this.#names.has(id);
  }

  keys(): Iterable<SchemaId> {
    return this.#names.keys();
  }

  /** The environment of a schema that is reached from another one: of all that was met, what makes a difference here. */
  inside(around: Environment, id: SchemaId): Environment {
    const names = this.#names.get(id);
    const schema = this.#schemas.get(id);
    if (names === undefined || schema?.kind !== 'schema') return noEnvironment;
    const all = withAnchors(around, schema.anchors);
    const relevant = [...all.anchors].filter(([name]) => names.has(name));
    return relevant.length === all.anchors.size ? all : environmentOf(new Map(relevant));
  }
}

function reachableNames(schemas: ReadonlyMap<SchemaId, Schema>): ReadonlyMap<SchemaId, ReadonlySet<string>> {
  const found = new Map<SchemaId, Set<string>>();
  const waiting: (readonly [SchemaId, string])[] = [];
  const add = (id: SchemaId, name: string): void => {
    const names = found.get(id) ?? new Set();
    if (names.has(name)) return;
    found.set(id, names.add(name));
    waiting.push([id, name]);
  };
  for (const schema of schemas.values()) {
    const dynamicRef = schema.kind === 'schema' ? schema.dynamicRef : undefined;
    if (dynamicRef?.name !== undefined && dynamicRef.candidates.length > 1) add(schema.id, dynamicRef.name);
  }
  if (found.size === 0) return found;
  const users = schemaUsers(schemas);
  // The list grows while it is walked.
  for (const [id, name] of waiting) for (const user of usersOf(id, users)) add(user, name);
  return found;
}
