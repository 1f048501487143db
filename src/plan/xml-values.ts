/** With `--xml typed`, XML that has a schema is a value: a codec of the user's stands between it and the text. */
import { type Code, code, joinCode, key, literal } from '../encode.js';
import type { Api, MediaType } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import type { SchemaId } from '../ir/schema.js';
import { isObject, own } from '../json-object.js';
import type { Names } from './target.js';

/** The Api with the XML of all operations told to be values. What a service sends of itself stays text. */
export function withXmlValues(api: Api): Api {
  const operations = api.operations.map((operation) => ({
    ...operation,
    ...(operation.body && { body: { ...operation.body, content: operation.body.content.map(asValue) } }),
    responses: operation.responses.map((response) => ({ ...response, content: response.content.map(asValue) })),
  }));
  return { ...api, operations };
}

function asValue(media: MediaType): MediaType {
  return media.kind === 'xml' && media.schema !== undefined && !media.stream ? { ...media, decoded: true } : media;
}

/** Whether a program has the value of a body that its schema describes, not the text or the bytes. */
export function isValue({ kind, decoded }: MediaType): boolean {
  return kind === 'json' || decoded === true;
}

/** Whether any operation of the Api needs a codec. */
export function needsXmlCodec({ operations }: Api): boolean {
  return operations.some(({ body, responses }) =>
    [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)].some(({ decoded }) => decoded),
  );
}

/** What a codec is told of a body, as a literal: its type, and the root element (OpenAPI, XML Object). */
export function xmlBody({ schemas, components }: Api, names: Names, { essence, schema }: MediaType): Code {
  const places = schema === undefined ? [] : [schema, new ReferenceChains(schemas).endOf(schema).end];
  const type = places.map((id) => names.typeOf(id, 'read')).find((found) => found !== undefined);
  const { name, namespace, prefix } = rootOf(schemas, places);
  const root = name ?? components.find((component) => places.includes(component.schema))?.name;
  const members = [
    ['contentType', essence.includes('*') ? 'application/xml' : essence],
    ['schema', type],
    ['root', root === undefined || prefix === undefined ? root : `${prefix}:${root}`],
    ['namespace', namespace],
  ] as const;
  const said = members.flatMap(([member, value]) =>
    value === undefined ? [] : [code`${key(member)}: ${literal(value)}`],
  );
  return code`{ ${joinCode(said, ', ')} }`;
}

interface Root {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
}

/** The first XML Object of a schema and of what it refers to. */
function rootOf(schemas: Api['schemas'], places: readonly SchemaId[]): Root {
  for (const id of places) {
    const node = schemas.get(id);
    const xml = node?.kind === 'schema' ? node.docs.xml : undefined;
    if (xml === undefined || !isObject(xml)) continue;
    const text = (name: string): string | undefined => {
      const value = own(xml, name);
      return typeof value === 'string' && value !== '' ? value : undefined;
    };
    const [name, namespace, prefix] = [text('name'), text('namespace'), text('prefix')];
    return { ...(name && { name }), ...(namespace && { namespace }), ...(prefix && { prefix }) };
  }
  return {};
}
