/**
 * What the declarations of a graph are called. OpenAPI has no such names: they are configured, or made of what the document says.
 * A resource is `x-oaiMeta.group`, else the first tag, else the first segment of the path; a schema has those of the first
 * operation that reaches it, and is shared where none does. A model is `x-oaiMeta.name` where that is a name, else the
 * component's; a method is the operationId's. Of equal claims the shorter name in the document wins, then the first in the alphabet.
 */
import { type Collector, pointerSteps, quote } from '../../diagnostics.js';
import type { Api, MediaType, Operation } from '../../ir/api.js';
import type { Extensions } from '../../ir/details.js';
import type { Schema, SchemaId } from '../../ir/schema.js';
import { inPlaceChildren, partChildren } from '../../ir/visit.js';
import { member } from '../../json-object.js';

/** Names of the configuration: component or operationId → `resource.name`. */
export interface DeclarationNamesOptions {
  readonly models: ReadonlyMap<string, string>;
  readonly methods: ReadonlyMap<string, string>;
}

export interface DeclaredName {
  /** `chat.completions` */
  readonly resource: string;
  /** In lower case with underscores. */
  readonly name: string;
}

interface Claim<Key> {
  readonly key: Key;
  /** The best one first; names are made of the last one where all are taken. */
  readonly wanted: readonly DeclaredName[];
  /** What decides between equal claims. */
  readonly spelling: string;
  /** Whether the first one was configured. */
  readonly pinned: boolean;
}

const sharedResource = '$shared';

export class DeclaredNames {
  readonly models: ReadonlyMap<SchemaId, DeclaredName>;
  readonly methods: ReadonlyMap<string, DeclaredName>;
  readonly #taken: ReadonlySet<string>;

  constructor(api: Api, { models, methods }: DeclarationNamesOptions, report: Collector) {
    const taken = new Set<string>();
    this.#taken = taken;
    this.models = settle(modelClaims(api, models, report), taken, report);
    this.methods = settle(methodClaims(api, methods, report), new Set(), report);
  }

  /** The name of a model that no schema has: what a method answers where that stands inline. */
  response({ resource, name }: DeclaredName): DeclaredName {
    for (let number = 1; ; number++) {
      const answer = { resource, name: `${name}_response${number === 1 ? '' : `_${number}`}` };
      if (!this.#taken.has(idOf(answer))) return answer;
    }
  }
}

function idOf({ resource, name }: DeclaredName): string {
  return `${resource} ${name}`;
}

/** `HTTPError-code` as `http_error_code`; letters of any script stay. */
export function snakeCase(text: string): string {
  return text
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
}

/** `realtime_mcphttp_error` as `RealtimeMcphttpError`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

function settle<Key>(
  claims: readonly Claim<Key>[],
  taken: Set<string>,
  report: Collector,
): ReadonlyMap<Key, DeclaredName> {
  const names = new Map<Key, DeclaredName>();
  const rank = ({ pinned }: Claim<Key>): number => (pinned ? 0 : 1);
  const order = [...claims].sort(
    (left, right) =>
      rank(left) - rank(right) ||
      left.spelling.length - right.spelling.length ||
      (left.spelling < right.spelling ? -1 : left.spelling > right.spelling ? 1 : 0),
  );
  for (const { key, wanted, pinned, spelling } of order) {
    const [first] = wanted;
    const last = wanted.at(-1);
    if (first === undefined || last === undefined) continue;
    if (pinned && taken.has(idOf(first)))
      report.report('decls-name', `${quote(spelling)} has the configured name of another declaration`);
    let name = wanted.find((one) => !taken.has(idOf(one)));
    for (let number = 2; name === undefined; number++) {
      const next = { ...last, name: `${last.name}_${number}` };
      if (!taken.has(idOf(next))) name = next;
    }
    taken.add(idOf(name));
    names.set(key, name);
  }
  return names;
}

/** `chat.completions.create` as the resource `chat.completions` and the name `create`. */
function readPin(text: string): DeclaredName {
  const end = text.lastIndexOf('.');
  return { resource: text.slice(0, end), name: text.slice(end + 1) };
}

function modelClaims(api: Api, pins: ReadonlyMap<string, string>, report: Collector): readonly Claim<SchemaId>[] {
  const reached = firstResources(api);
  const claims: Claim<SchemaId>[] = [];
  const claim = (id: SchemaId, schema: Schema, spelling: string, pin: string | undefined): void => {
    const extensions = schema.kind === 'boolean' ? {} : schema.extensions;
    const resource = groupOf(extensions) ?? reached.get(id) ?? sharedResource;
    const given = metaText(extensions, 'name');
    const wanted = [
      ...(pin === undefined ? [] : [readPin(pin)]),
      ...(given === undefined || !/^[\w.-]+$/.test(given) ? [] : [{ resource, name: snakeCase(given) }]),
      { resource, name: snakeCase(spelling) || 'model' },
    ];
    claims.push({ key: id, wanted: wanted.filter(({ name }) => name !== ''), spelling, pinned: pin !== undefined });
  };
  const components = new Set<SchemaId>();
  for (const { name, schema: id } of api.components) {
    const schema = api.schemas.get(id);
    if (schema === undefined) continue;
    components.add(id);
    claim(id, schema, name, pins.get(name));
  }
  const known = new Set(api.components.map(({ name }) => name));
  for (const name of pins.keys())
    if (!known.has(name)) report.report('decls-name', `decls.models names ${quote(name)}, which is no named schema`);
  // A reference may lead to any schema: what it leads to needs a name, because it may lead to itself.
  for (const id of api.referenced) {
    const schema = api.schemas.get(id);
    if (schema === undefined || components.has(id)) continue;
    const steps = pointerSteps(schema.at.pointer).filter((step) => !structural.has(step));
    const file = schema.at.document.split('/').at(-1)?.split('.')[0] ?? '';
    claim(id, schema, steps.slice(-3).join('_') || file, undefined);
  }
  return claims;
}

const structural: ReadonlySet<string> = new Set([
  'components',
  'schemas',
  'properties',
  'schema',
  '$defs',
  'definitions',
  'content',
]);

function methodClaims(api: Api, pins: ReadonlyMap<string, string>, report: Collector): readonly Claim<string>[] {
  const known = new Set(api.operations.map(({ operationId }) => operationId));
  for (const id of pins.keys())
    if (!known.has(id)) report.report('decls-name', `decls.methods names ${quote(id)}, which is no operationId`);
  return api.operations.map((operation) => {
    const { id, operationId, method, path, extensions } = operation;
    const pin = operationId === undefined ? undefined : pins.get(operationId);
    const resource = resourceOf(operation);
    const given = metaText(extensions, 'name');
    const spelling = operationId ?? `${method} ${path.text}`;
    const wanted = [
      ...(pin === undefined ? [] : [readPin(pin)]),
      ...(given === undefined || !/^[\w.-]+$/.test(given) ? [] : [{ resource, name: snakeCase(given) }]),
      { resource, name: snakeCase(spelling) || 'method' },
    ];
    return { key: id, wanted: wanted.filter(({ name }) => name !== ''), spelling, pinned: pin !== undefined };
  });
}

function resourceOf({ extensions, tags, path }: Operation): string {
  const segment = path.text.split('/').find((step) => step !== '' && !step.includes('{'));
  return groupOf(extensions) ?? (snakeCase(tags[0] ?? '') || snakeCase(segment ?? '') || sharedResource);
}

function groupOf(extensions: Extensions): string | undefined {
  return snakeCase(metaText(extensions, 'group') ?? '') || undefined;
}

function metaText(extensions: Extensions, name: string): string | undefined {
  const text = Object.hasOwn(extensions, 'x-oaiMeta') ? member(extensions['x-oaiMeta'], name) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Of every schema that an operation reaches, the resource of the first one that does. */
function firstResources(api: Api): ReadonlyMap<SchemaId, string> {
  const found = new Map<SchemaId, string>();
  for (const operation of api.operations) {
    const resource = resourceOf(operation);
    const open = [...operationSchemas(operation)];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (found.has(id)) continue;
      found.set(id, resource);
      const schema = api.schemas.get(id);
      if (schema === undefined) continue;
      for (const child of inPlaceChildren(schema)) open.push(child);
      for (const child of partChildren(schema)) open.push(child);
    }
  }
  return found;
}

function operationSchemas({ parameters, body, responses }: Operation): readonly SchemaId[] {
  const media: MediaType[] = [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)];
  const found: (SchemaId | undefined)[] = [];
  for (const { schema, content } of [...parameters, ...responses.flatMap(({ headers }) => headers)]) {
    found.push(schema);
    if (content) media.push(content);
  }
  for (const { schema, itemSchema, stream } of media) {
    found.push(schema, itemSchema);
    for (const event of stream?.events ?? []) found.push(event.schema);
  }
  return found.filter((id) => id !== undefined);
}
