/** Walks the objects of a document by the grammar, and tells what it finds: references, identifiers and anchors. */
import { type Address, childPointer, type JsonPointer } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member } from '../json-object.js';
import { allowsReference, type Child, childOf, isExtension, type ObjectKind } from './grammar.js';

/** Which keywords name a schema resource: none (OpenAPI 2.0 and 3.0), `id` (draft 04), `$id` (06 and 07), `$id` and anchors. */
export type Dialect = 'none' | 'draft-04' | 'draft-07' | 'modern';

export interface WalkStart {
  readonly at: Address;
  readonly value: JsonValue;
  readonly kind: ObjectKind;
  readonly dialect: Dialect;
}

export interface FoundReference {
  /** The object that holds the reference. */
  readonly from: Address;
  readonly ref: string;
  readonly expects: ObjectKind;
  readonly dialect: Dialect;
}

export interface WalkSink {
  /** False where the object has been walked before. */
  enter(value: JsonObject, kind: ObjectKind): boolean;
  reference(found: FoundReference): void;
  notText(from: Address, keyword: string): void;
  identifier(id: string, at: Address): void;
  anchor(name: string, at: Address): void;
}

export function dialectOf(schema: JsonValue, otherwise: Dialect): Dialect {
  const dialect = member(schema, '$schema');
  if (typeof dialect !== 'string') return otherwise;
  if (/draft-0[45]\b/.test(dialect)) return 'draft-04';
  return /draft-0[67]\b/.test(dialect) ? 'draft-07' : 'modern';
}

interface Task {
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
  readonly kind: ObjectKind;
  readonly dialect: Dialect;
}

/** Iterative, in the document's order; aliases make a value stand in many places, of which the first is walked. */
export function walk(start: WalkStart, sink: WalkSink): void {
  const open: Task[] = [{ value: start.value, pointer: start.at.pointer, kind: start.kind, dialect: start.dialect }];
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    const { value } = task;
    if (!isObject(value) || !sink.enter(value, task.kind)) continue;
    const at: Address = { document: start.at.document, pointer: task.pointer };
    const dialect = task.kind === 'schema' ? dialectOf(value, task.dialect) : task.dialect;
    readIdentity(value, at, task.kind, dialect, sink);
    readReferences(value, at, task.kind, dialect, sink);
    const children: Task[] = [];
    for (const name of Object.keys(value)) {
      const child = childOf(task.kind, name);
      if (child !== undefined) addChildren(children, value, name, child, { ...task, dialect });
    }
    while (children.length > 0) open.push(children.pop() as Task);
  }
}

function addChildren(into: Task[], parent: JsonObject, name: string, child: Child, task: Task): void {
  const value = parent[name];
  const pointer = childPointer(task.pointer, name);
  const add = (item: JsonValue | undefined, at: JsonPointer): void => {
    if (isObject(item)) into.push({ value: item, pointer: at, kind: child.kind, dialect: task.dialect });
  };
  if (Array.isArray(value)) {
    if (child.as !== 'list' && child.as !== 'one or list') return;
    for (const [index, item] of value.entries()) add(item, childPointer(pointer, index));
  } else if (child.as === 'one' || child.as === 'one or list') add(value, pointer);
  else if (child.as === 'map' && isObject(value)) {
    for (const key of Object.keys(value)) if (!isExtension(name, key)) add(value[key], childPointer(pointer, key));
  }
}

function readIdentity(value: JsonObject, at: Address, kind: ObjectKind, dialect: Dialect, sink: WalkSink): void {
  if (kind === 'openapi') {
    const self = member(value, '$self');
    if (typeof self === 'string') sink.identifier(self, at);
    return;
  }
  if (kind !== 'schema' || dialect === 'none') return;
  const id = member(value, dialect === 'draft-04' ? 'id' : '$id');
  // Up to draft 07 a reference hides everything beside it.
  const hidden = dialect !== 'modern' && member(value, '$ref') !== undefined;
  if (typeof id === 'string' && !hidden) {
    if (dialect !== 'modern' && id.startsWith('#')) sink.anchor(id.slice(1), at);
    else sink.identifier(id, at);
  }
  if (dialect !== 'modern') return;
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const name = member(value, keyword);
    if (typeof name === 'string') sink.anchor(name, at);
  }
}

function readReferences(value: JsonObject, at: Address, kind: ObjectKind, dialect: Dialect, sink: WalkSink): void {
  const found = (ref: string): void => sink.reference({ from: at, ref, expects: kind, dialect });
  if (allowsReference(kind) && Object.hasOwn(value, '$ref')) {
    const ref = value['$ref'];
    if (typeof ref === 'string') found(ref);
    else sink.notText(at, '$ref');
  }
  if (kind !== 'schema') return;
  const dynamic = member(value, '$dynamicRef');
  if (typeof dynamic === 'string' && dialect === 'modern') found(dynamic);
  const mapping = member(member(value, 'discriminator'), 'mapping');
  if (!isObject(mapping)) return;
  const mappingAt: Address = { ...at, pointer: childPointer(at.pointer, 'discriminator', 'mapping') };
  for (const target of Object.values(mapping)) {
    // Without "#", "/" or an extension it is the name of a component.
    if (typeof target === 'string' && /[#/]|\.(?:json|ya?ml)$/.test(target)) {
      sink.reference({ from: mappingAt, ref: target, expects: 'schema', dialect });
    }
  }
}
