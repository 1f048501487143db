/** What schemas say of all items of a stream together, and nobody checks. */
import { type Collector, quote } from '../diagnostics.js';
import type { MediaType, Operation } from '../ir/api.js';
import { ReferenceChains } from '../ir/resolve.js';
import type { ObjectSchema, Schema, SchemaId } from '../ir/schema.js';

const counted: readonly string[] = ['minItems', 'maxItems'];
/** Requests are there as a whole. */
const compared: readonly string[] = [...counted, 'uniqueItems'];

export function reportUncheckedWholes(
  operations: readonly Operation[],
  schemas: ReadonlyMap<SchemaId, Schema>,
  report: Collector,
): void {
  const chains = new ReferenceChains(schemas);
  const keywords = (media: MediaType): readonly string[] => {
    const whole = media.stream?.whole;
    const schema = whole === undefined ? undefined : schemas.get(chains.endOf(whole).end);
    return schema?.kind === 'schema' ? keywordsOf(schema, media) : [];
  };
  const say = (all: readonly string[], { at }: MediaType, whom: string): void => {
    if (all.length === 0) return;
    const list = all.map(quote).join(', ');
    report.report('stream-whole-unchecked', `${list} of all items together: not checked${whom}`, at);
  };
  for (const { body, responses } of operations) {
    for (const media of body?.content ?? []) {
      // JSON texts are checked by the schema of the array.
      if (isUnlikeJson(media)) say(without(keywords(media), compared), media, '');
    }
    for (const media of responses.flatMap(({ content }) => content)) {
      const all = keywords(media);
      say(without(all, counted), media, '');
      say(
        all.filter((keyword) => counted.includes(keyword)),
        media,
        ' by clients',
      );
    }
  }
}

function without(all: readonly string[], some: readonly string[]): readonly string[] {
  return all.filter((keyword) => !some.includes(keyword));
}

function isUnlikeJson({ stream }: MediaType): boolean {
  return stream?.framing === 'sse' || stream?.framing === 'multipart';
}

/** What an array says but what each of its items is. */
function keywordsOf(schema: ObjectSchema, { itemSchema, stream }: MediaType): readonly string[] {
  const { array = {}, unevaluated, conditional } = schema;
  const { minItems, maxItems, uniqueItems, contains, prefixItems, items } = array;
  // Parts are described by their positions.
  const isByPosition = stream?.framing === 'multipart';
  const said: Readonly<Record<string, unknown>> = {
    minItems,
    maxItems,
    uniqueItems: uniqueItems || undefined,
    contains,
    prefixItems: isByPosition ? undefined : prefixItems,
    items: itemSchema === undefined || items === itemSchema ? undefined : items,
    unevaluatedItems: unevaluated?.items,
    $ref: schema.ref,
    $dynamicRef: schema.dynamicRef,
    enum: schema.enum,
    const: schema.const,
    allOf: schema.allOf,
    anyOf: schema.anyOf,
    oneOf: schema.oneOf,
    not: schema.not,
    if: conditional,
  };
  return Object.keys(said).filter((keyword) => said[keyword] !== undefined);
}
