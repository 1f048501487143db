/** What the contract says of the parts of a multipart sequence beside their data: headers that are always the same, and names. */
import { type Code, code, literal } from '../encode.js';
import type { Api, MediaType, StreamEvent } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';

const disposition = 'content-disposition';

/** Headers with one value, by their names in lower case. */
function constants({ schemas }: Api, { headers = [] }: StreamEvent): Readonly<Record<string, string>> {
  const chains = new ReferenceChains(schemas);
  return Object.fromEntries(
    headers.flatMap(({ name, schema }) => {
      const node = schema === undefined ? undefined : schemas.get(chains.endOf(schema).end);
      if (node?.kind !== 'schema') return [];
      const values = node.const ? [node.const.value] : (node.enum ?? []);
      const [value] = values;
      return values.length === 1 && typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [];
    }),
  );
}

/** The members of a part's literal that say it; nothing of what is no part. */
export function partMembers(
  api: Api,
  { essence, stream }: MediaType,
  event: StreamEvent,
): readonly (readonly [name: string, value: Code | undefined])[] {
  if (stream?.framing !== 'multipart') return [];
  const headers = constants(api, event);
  return [
    ['headers', Object.keys(headers).length === 0 ? undefined : literal(headers)],
    ['named', isForm(essence) ? code`true` : undefined],
  ];
}

/** The type of a part that is sent. Of a form it has a name, unless the contract says which (OpenAPI 3.2, section 4.15). */
export function partType(api: Api, { essence }: MediaType, event: StreamEvent): 'NamedPart' | 'SentPart' {
  return isForm(essence) && !Object.hasOwn(constants(api, event), disposition) ? 'NamedPart' : 'SentPart';
}

function isForm(essence: string): boolean {
  return essence === 'multipart/form-data';
}
