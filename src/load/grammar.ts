/**
 * Where the objects of OpenAPI and JSON Schema may hold other objects. The reference table walks by it, so that `$ref`
 * counts only where the specifications read it: below `default`, `example`, `enum`, `const`, `x-…` and unknown members
 * everything is data, and below `properties` and other maps every key is a name.
 */

export type ObjectKind =
  | 'openapi'
  | 'components'
  | 'path item'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'request body'
  | 'response'
  | 'media type'
  | 'encoding'
  | 'example'
  | 'link'
  | 'callback'
  | 'security scheme'
  | 'schema'
  /** Lists and objects of the root in which nothing refers to anything. */
  | 'data';

/** How the objects stand in a member: itself, under names, in an array, or itself or in an array. */
export type Arrangement = 'one' | 'map' | 'list' | 'one or list';

export interface Child {
  readonly kind: ObjectKind;
  readonly as: Arrangement;
}

const one = (kind: ObjectKind): Child => ({ kind, as: 'one' });
const map = (kind: ObjectKind): Child => ({ kind, as: 'map' });
const list = (kind: ObjectKind): Child => ({ kind, as: 'list' });

function table(members: Readonly<Record<string, Child>>): ReadonlyMap<string, Child> {
  return new Map(Object.entries(members));
}

function all(names: string, child: Child): Record<string, Child> {
  return Object.fromEntries(names.split(' ').map((name) => [name, child]));
}

const valueHolder = { schema: one('schema'), content: map('media type'), examples: map('example') };

const members: Readonly<Record<ObjectKind, ReadonlyMap<string, Child>>> = {
  openapi: table({
    ...all('paths webhooks', map('path item')),
    components: one('components'),
    ...all('info servers tags externalDocs', one('data')),
    // OpenAPI 2.0
    definitions: map('schema'),
    parameters: map('parameter'),
    responses: map('response'),
  }),
  components: table({
    schemas: map('schema'),
    responses: map('response'),
    parameters: map('parameter'),
    examples: map('example'),
    requestBodies: map('request body'),
    headers: map('header'),
    securitySchemes: map('security scheme'),
    links: map('link'),
    callbacks: map('callback'),
    pathItems: map('path item'),
    mediaTypes: map('media type'),
  }),
  'path item': table({
    ...all('get put post delete options head patch trace query', one('operation')),
    additionalOperations: map('operation'),
    parameters: list('parameter'),
  }),
  operation: table({
    parameters: list('parameter'),
    requestBody: one('request body'),
    responses: map('response'),
    callbacks: map('callback'),
  }),
  parameter: table({ ...valueHolder, items: one('schema') }),
  header: table({ ...valueHolder, items: one('schema') }),
  'request body': table({ content: map('media type') }),
  response: table({ headers: map('header'), content: map('media type'), links: map('link'), schema: one('schema') }),
  'media type': table({
    ...all('schema itemSchema', one('schema')),
    examples: map('example'),
    encoding: map('encoding'),
    itemEncoding: one('encoding'),
    prefixEncoding: list('encoding'),
  }),
  encoding: table({
    headers: map('header'),
    encoding: map('encoding'),
    itemEncoding: one('encoding'),
    prefixEncoding: list('encoding'),
  }),
  example: table({}),
  link: table({}),
  callback: table({}),
  'security scheme': table({}),
  data: table({}),
  schema: table({
    ...all('properties patternProperties $defs definitions dependentSchemas dependencies', map('schema')),
    ...all('allOf anyOf oneOf prefixItems', list('schema')),
    ...all('additionalItems additionalProperties unevaluatedItems unevaluatedProperties contains', one('schema')),
    ...all('propertyNames not if then else contentSchema', one('schema')),
    items: { kind: 'schema', as: 'one or list' },
  }),
};

/** Maps of OpenAPI whose `x-…` keys are extensions; in all other maps they are names. */
const extensible: ReadonlySet<string> = new Set(['paths', 'responses', 'callbacks']);

/** What the member `name` of an object holds, if it holds objects of the specification at all. */
export function childOf(kind: ObjectKind, name: string): Child | undefined {
  if (kind === 'callback') return name.startsWith('x-') ? undefined : one('path item');
  return members[kind].get(name);
}

export function isExtension(memberName: string, key: string): boolean {
  return key.startsWith('x-') && extensible.has(memberName);
}

/** Objects that the specifications do not let a reference stand for. */
export function allowsReference(kind: ObjectKind): boolean {
  return kind !== 'openapi';
}
