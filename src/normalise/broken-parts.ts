/**
 * Which operations and named schemas a fault concerns. A part is a place that something refers to: an operation, a component,
 * whatever a `$ref` leads to. A fault breaks the parts that it stands in, and all that reach those by references.
 */
import { type Address, childAddress, type DocumentUri, type JsonPointer } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, member } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import { type OperationFacts, placeOf, type SchemaFacts } from './selection.js';

interface Part {
  readonly at: Address;
  /** Who reaches this part by one reference. */
  readonly users: Part[];
}

export class BrokenParts {
  readonly #sources: Sources;
  readonly #parts = new Map<string, Part>();
  readonly #byDocument = new Map<DocumentUri, Part[]>();
  readonly #open: Part[] = [];

  /** `root` is the description that the operations belong to. */
  constructor(sources: Sources, operations: readonly OperationFacts[], schemas: readonly SchemaFacts[]) {
    this.#sources = sources;
    for (const facts of operations) this.#addOperation(facts);
    for (const { at } of schemas) this.#part(at);
    for (let part = this.#open.pop(); part !== undefined; part = this.#open.pop()) this.#follow(part);
  }

  /** The places of all parts that a fault at this place breaks. */
  brokenBy(at: Address): ReadonlySet<string> {
    const broken = new Set<string>();
    const open = (this.#byDocument.get(at.document) ?? []).filter((part) => holds(part.at.pointer, at.pointer));
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const place = placeOf(part.at);
      if (broken.has(place)) continue;
      broken.add(place);
      open.push(...part.users);
    }
    return broken;
  }

  #part(at: Address): Part {
    const place = placeOf(at);
    const known = this.#parts.get(place);
    if (known !== undefined) return known;
    const part: Part = { at, users: [] };
    this.#parts.set(place, part);
    const others = this.#byDocument.get(at.document);
    if (others === undefined) this.#byDocument.set(at.document, [part]);
    else others.push(part);
    this.#open.push(part);
    return part;
  }

  /** An operation has what its path item says for all of them, and the security that holds for it. */
  #addOperation({ at, value }: OperationFacts): void {
    const part = this.#part(at);
    const item: Address = { document: at.document, pointer: parent(at.pointer) };
    for (const name of ['parameters', 'servers']) this.#part(childAddress(item, name)).users.push(part);
    for (const root of this.#sources.entries) {
      const document: Address = { document: root, pointer: '' as JsonPointer };
      const own = member(value, 'security');
      if (own === undefined) this.#part(childAddress(document, 'security')).users.push(part);
      const security = own ?? member(this.#sources.valueAt(document), 'security');
      for (const requirement of Array.isArray(security) ? security : []) {
        for (const scheme of isObject(requirement) ? Object.keys(requirement) : []) {
          this.#part(childAddress(document, 'components', 'securitySchemes', scheme)).users.push(part);
          this.#part(childAddress(document, 'securityDefinitions', scheme)).users.push(part);
        }
      }
    }
  }

  /** Finds the references in a part; data that looks like one does no harm. */
  #follow(part: Part): void {
    const value = this.#sources.valueAt(part.at);
    if (value === undefined) return;
    const open: { readonly value: JsonValue; readonly at: Address }[] = [{ value, at: part.at }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { at } = next;
      if (isObject(next.value)) this.#addReferences(next.value, at, part);
      for (const [step, child] of entriesOf(next.value)) {
        // The definitions of a JSON Schema are parts of their own.
        if (at.pointer === '' && (step === '$defs' || step === 'definitions')) continue;
        if (typeof child === 'object' && child !== null) open.push({ value: child, at: childAddress(at, step) });
      }
    }
  }

  #addReferences(value: JsonObject, at: Address, part: Part): void {
    const add = (ref: JsonValue | undefined): void => {
      if (typeof ref !== 'string') return;
      const target = this.#sources.resolve(at, ref);
      if (target.ok) this.#part(target.at).users.push(part);
      else if (target.unreadable !== undefined)
        this.#part({ document: target.unreadable, pointer: '' as JsonPointer }).users.push(part);
    };
    add(member(value, '$ref'));
    add(member(value, '$dynamicRef'));
    const mapping = member(member(value, 'discriminator'), 'mapping');
    for (const target of isObject(mapping) ? Object.values(mapping) : []) {
      add(target);
      if (typeof target !== 'string' || /[#/]/.test(target)) continue;
      for (const list of ['components/schemas', 'definitions']) add(`#/${list}/${target}`);
    }
  }
}

function entriesOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item, index) => [index, item] as const);
  return isObject(value) ? Object.entries(value) : [];
}

/** Whether a place stands in a part. The definitions of a JSON Schema do not count as parts of its root. */
function holds(part: JsonPointer, place: JsonPointer): boolean {
  if (part === '') return !/^\/(?:\$defs|definitions)\//.test(place);
  return place === part || place.startsWith(`${part}/`);
}

function parent(pointer: JsonPointer): JsonPointer {
  return pointer.slice(0, pointer.lastIndexOf('/')) as JsonPointer;
}
