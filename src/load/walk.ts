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
  /** Whether the value is a map of such objects. */
  readonly isMap: boolean;
  readonly dialect: Dialect;
}

export interface FoundReference {
  /** The object that holds the reference. */
  readonly from: Address;
  readonly ref: string;
  readonly expects: ObjectKind;
  /** Whether a map of such objects is expected: `paths: { $ref: paths.yaml }`. */
  readonly expectsMap: boolean;
  readonly dialect: Dialect;
  /** It may lead nowhere: a meta-schema that cannot be read is taken for one that adds nothing. */
  readonly optional?: boolean;
}

export interface WalkSink {
  /** False where the object has been walked before. */
  enter(value: JsonObject, kind: ObjectKind): boolean;
  /** The same for a map that something refers to. */
  enterMap(value: JsonObject): boolean;
  reference(found: FoundReference): void;
  notText(from: Address, keyword: string): void;
  identifier(id: string, at: Address): void;
  anchor(name: string, at: Address): void;
  /** What dynamic references may mean; the name is empty for `$recursiveAnchor`. */
  dynamicAnchor(name: string, at: Address): void;
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
  const open: Task[] = start.isMap
    ? mapTasks(start, sink)
    : [{ value: start.value, pointer: start.at.pointer, kind: start.kind, dialect: start.dialect }];
  const schemes = member(member(start.value, 'components'), 'securitySchemes');
  for (let task = open.pop(); task !== undefined; task = open.pop()) {
    const { value } = task;
    if (!isObject(value) || !sink.enter(value, task.kind)) continue;
    const at: Address = { document: start.at.document, pointer: task.pointer };
    const dialect = task.kind === 'schema' ? dialectOf(value, task.dialect) : task.dialect;
    readIdentity(value, at, task.kind, dialect, sink);
    readReferences(value, at, task.kind, dialect, sink);
    if (task.kind === 'openapi' || task.kind === 'operation') readRequirements(value, at, dialect, schemes, sink);
    const first = open.length;
    for (const name of Object.keys(value)) {
      const child = childOf(task.kind, name);
      if (child !== undefined) addChildren(open, value, name, child, at, dialect, sink);
    }
    // The last one is taken first.
    if (open.length > first + 1) reverseFrom(open, first);
  }
}

function reverseFrom(tasks: Task[], first: number): void {
  for (let low = first, high = tasks.length - 1; low < high; low++, high--) {
    const task = tasks[low] as Task;
    tasks[low] = tasks[high] as Task;
    tasks[high] = task;
  }
}

function mapTasks({ value, at, kind, dialect }: WalkStart, sink: WalkSink): Task[] {
  if (!isObject(value) || !sink.enterMap(value) || sectionReference(value, at, kind, dialect, sink)) return [];
  const tasks = Object.keys(value).map((key) => ({
    value: value[key] as JsonValue,
    pointer: childPointer(at.pointer, key),
    kind,
    dialect,
  }));
  return tasks.reverse();
}

/** Reports the reference that stands in place of a map; a map whose entries are objects has no text under `$ref`. */
function sectionReference(
  value: JsonObject,
  from: Address,
  kind: ObjectKind,
  dialect: Dialect,
  sink: WalkSink,
): boolean {
  const ref = member(value, '$ref');
  if (typeof ref !== 'string') return false;
  sink.reference({ from, ref, expects: kind, expectsMap: true, dialect });
  return true;
}

function addChildren(
  into: Task[],
  parent: JsonObject,
  name: string,
  { kind, as }: Child,
  at: Address,
  dialect: Dialect,
  sink: WalkSink,
): void {
  const value = parent[name];
  // Most members that could hold an object hold none: only for the others the way is written out.
  if (Array.isArray(value)) {
    if (as !== 'list' && as !== 'one or list') return;
    const pointer = childPointer(at.pointer, name);
    for (const [index, item] of value.entries())
      if (isObject(item)) into.push({ value: item, pointer: childPointer(pointer, index), kind, dialect });
  } else if (!isObject(value)) return;
  else if (as === 'one' || as === 'one or list')
    into.push({ value, pointer: childPointer(at.pointer, name), kind, dialect });
  else if (as === 'map') {
    const pointer = childPointer(at.pointer, name);
    // Below a schema every key is a name, `$ref` too: but text is no schema, so that it can only be a reference.
    if (sectionReference(value, { document: at.document, pointer }, kind, dialect, sink)) return;
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (isObject(item) && !isExtension(name, key))
        into.push({ value: item, pointer: childPointer(pointer, key), kind, dialect });
    }
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
    if (typeof name !== 'string') continue;
    sink.anchor(name, at);
    if (keyword === '$dynamicAnchor') sink.dynamicAnchor(name, at);
  }
  // It counts at the root of a schema resource (2019-09 core, section 8.2.4.2.2).
  const isRoot = typeof id === 'string' || at.pointer === '';
  if (isRoot && member(value, '$recursiveAnchor') === true) sink.dynamicAnchor('', at);
}

/** The dialects that need not be looked up. */
const wellKnown = /^https?:\/\/(?:json-schema\.org|spec\.openapis\.org)\//;

function readReferences(value: JsonObject, at: Address, kind: ObjectKind, dialect: Dialect, sink: WalkSink): void {
  const ref = allowsReference(kind) ? member(value, '$ref') : undefined;
  if (typeof ref === 'string') sink.reference({ from: at, ref, expects: kind, expectsMap: false, dialect });
  else if (ref !== undefined) sink.notText(at, '$ref');
  if (kind !== 'schema' && kind !== 'openapi') return;
  const metaSchema = member(value, kind === 'openapi' ? 'jsonSchemaDialect' : '$schema');
  if (typeof metaSchema === 'string' && !wellKnown.test(metaSchema)) {
    const from = { from: at, ref: metaSchema, expects: 'schema', expectsMap: false } as const;
    sink.reference({ ...from, dialect: 'modern', optional: true });
  }
  if (kind !== 'schema') return;
  const dynamic = dialect === 'modern' ? member(value, '$dynamicRef') : undefined;
  if (typeof dynamic === 'string')
    sink.reference({ from: at, ref: dynamic, expects: kind, expectsMap: false, dialect });
  // A keyword of 2019-09 alone. In OpenAPI "#" is the whole description, and nobody reads it: where it is read, a fault is said.
  const recursive = dialect === 'modern' ? member(value, '$recursiveRef') : undefined;
  if (typeof recursive === 'string')
    sink.reference({ from: at, ref: recursive, expects: kind, expectsMap: false, dialect, optional: true });
  const discriminator = member(value, 'discriminator');
  if (discriminator === undefined) return;
  const mapping = member(discriminator, 'mapping');
  const targets: (readonly [string, JsonValue | undefined])[] = [
    ['defaultMapping', member(discriminator, 'defaultMapping')],
    ...(isObject(mapping) ? Object.values(mapping).map((target) => ['mapping', target] as const) : []),
  ];
  for (const [keyword, target] of targets) {
    // Without "#", "/" or an extension it is the name of a component.
    if (typeof target === 'string' && /[#/]|\.(?:json|ya?ml)$/.test(target)) {
      const from: Address = { ...at, pointer: childPointer(at.pointer, 'discriminator', keyword) };
      sink.reference({ from, ref: target, expects: 'schema', expectsMap: false, dialect });
    }
  }
}

/** A security requirement may name a scheme by its URI (OpenAPI 3.2); a component that is called so goes first. */
function readRequirements(
  value: JsonObject,
  at: Address,
  dialect: Dialect,
  schemes: JsonValue | undefined,
  sink: WalkSink,
): void {
  const list = member(value, 'security');
  for (const [index, requirement] of (Array.isArray(list) ? list : []).entries()) {
    for (const ref of isObject(requirement) ? Object.keys(requirement) : []) {
      if (!/[#/]/.test(ref) || member(schemes, ref) !== undefined) continue;
      const from: Address = { ...at, pointer: childPointer(at.pointer, 'security', index) };
      sink.reference({ from, ref, expects: 'security scheme', expectsMap: false, dialect });
    }
  }
}
