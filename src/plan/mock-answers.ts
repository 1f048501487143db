/** What a mock answers where nothing else is said: the first success that an example or a sample is found for. */
import type { Address } from '../diagnostics.js';
import { type Code, code, joinCode, key, literal, number } from '../encode.js';
import type { MediaType, Operation, StreamEvent, StreamSpec } from '../ir/api.js';
import type { ArrayAssertions, JsonValue, SchemaId } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import { type PlannedAnswer, plannedAnswers } from './answers.js';
import { isForm, mockForm, mockFormType } from './mock-forms.js';
import { isSendable, itemsFrom, itemsFromEvents, type Valid } from './mock-streams.js';
import { allDifferent } from './samples/array-samples.js';
import { Sampler } from './samples/sampler.js';
import type { PlanContext } from './target.js';

export interface UsualAnswer {
  readonly status: number;
  /** An object literal. */
  readonly text: Code;
}

/** In a wrapper because `null` is a value too. */
type Found = { readonly value: JsonValue } | undefined;

/** A contract that wants more items than this gets a mock that its server refuses. */
const mostItems = 100;

const fieldAttempts = 10;

export class MockAnswers {
  readonly #context: PlanContext;
  readonly #sampler: Sampler;
  /** Examples that are shared are told once. */
  readonly #refused = new Set<string>();

  constructor(context: PlanContext) {
    this.#context = context;
    this.#sampler = new Sampler(context.api, context.options);
  }

  usualOf(operation: Operation): UsualAnswer | undefined {
    const all = plannedAnswers(operation, this.#context.names).filter(({ status }) => codeOf(status) !== undefined);
    const successes = all.filter(({ outcome }) => outcome !== 'failure');
    const [first] = successes.length > 0 ? successes : all;
    if (first === undefined) return undefined;
    const same = all.filter(({ response }) => response === first.response);
    const contents = same.flatMap(({ media }) => {
      const found = media && this.#bodyOf(media);
      if (media === undefined || found === undefined) return [];
      const sent = isForm(media) && media.kind === 'multipart' ? { contentType: mockFormType } : {};
      return [{ type: media.essence, body: found.value, ...sent }];
    });
    if (contents.length === 0 && same.some(({ media }) => media !== undefined)) {
      const message = `no valid answer was found for ${operation.method} ${operation.path.text}`;
      this.#context.report.report('sample-missing', message, first.response.at);
      return undefined;
    }
    const status = codeOf(first.status) ?? 200;
    const listed = contents.map((content) => literal(content));
    const headers = this.#headersOf(first);
    return {
      status,
      text: code`{ status: ${number(status)}, contents: [${joinCode(listed, ', ')}]${headers} }`,
    };
  }

  /** The headers that have to be there. */
  #headersOf({ headers }: PlannedAnswer): Code {
    const members = headers.flatMap(({ name, required, schema, examples, content }) => {
      if (!required || content !== undefined) return [];
      const value = this.#valueOf(schema, examples)?.value ?? 'text';
      const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      return isScalar ? [code`${key(name)}: ${literal(value)}`] : [];
    });
    return members.length === 0 ? code`` : code`, headers: { ${joinCode(members, ', ')} }`;
  }

  #bodyOf(media: MediaType): Found {
    const { kind, schema, stream } = media;
    if (stream !== undefined) return this.#itemsOf(media, stream);
    if (kind === 'json') return schema === undefined ? example(media) : this.#valueOf(schema, media.examples);
    if (kind === 'multipart' || kind === 'form') return isForm(media) ? this.#formOf(media) : undefined;
    const given = media.examples.find(({ value }) => typeof value?.value === 'string')?.value;
    if (given !== undefined || kind === 'xml' || kind !== 'text' || schema === undefined)
      return given ?? { value: 'text' };
    const sampled = this.#valueOf(schema, []);
    return typeof sampled?.value === 'string' ? sampled : { value: 'text' };
  }

  #formOf(media: MediaType): Found {
    const value = media.schema === undefined ? { value: {} } : this.#valueOf(media.schema, media.examples);
    const text = value && mockForm(this.#context.api, media, value.value);
    return text === undefined ? undefined : { value: text };
  }

  /** The parts of the first valid example; else one of each position, and more like the last one where there must be more. */
  #partsOf(media: MediaType, { events, whole }: StreamSpec): Found {
    const bounds = whole === undefined ? {} : this.#arrayOf(whole);
    const written = this.#writtenParts(media, events, bounds);
    if (written !== undefined) return { value: written };
    const parts = events.flatMap((event, index): JsonValue[] => {
      const { schema, data } = event;
      const isJson = isJsonPart(event);
      const found = isJson && schema === undefined ? { value: {} } : this.#partData(schema, isJson, data);
      return found === undefined ? [] : [partWith(media, event, index, found.value)];
    });
    if (parts.length < events.length) return undefined;
    const { minItems = 0, maxItems, uniqueItems } = bounds;
    const others = uniqueItems === true ? this.#otherParts(parts.at(-1), events.at(-1)?.schema, minItems) : [];
    const more = atLeast([...parts.slice(-1), ...others], minItems - parts.length + 1);
    const wanted = Math.max(minItems, parts.length);
    return { value: [...parts, ...more.slice(1)].slice(0, Math.min(wanted, maxItems ?? wanted)) };
  }

  #writtenParts(
    media: MediaType,
    events: readonly StreamEvent[],
    { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: ArrayAssertions,
  ): readonly JsonValue[] | undefined {
    for (const { value, at } of media.examples) {
      const given = value?.value;
      if (!Array.isArray(given)) continue;
      const parts = given.flatMap((data: JsonValue, index): JsonValue[] => {
        const event = events[Math.min(index, events.length - 1)];
        if (event === undefined) return [];
        const isText = typeof data === 'string' || (event.data !== 'text' && event.data !== 'binary');
        const valid = event.schema === undefined || !isJsonPart(event) ? data : this.#valid(event.schema, data);
        return isText && valid !== undefined ? [partWith(media, event, index, valid)] : [];
      });
      if (parts.length === given.length && parts.length >= minItems && parts.length <= maxItems) return parts;
      this.#reportInvalid(at);
    }
    return undefined;
  }

  /** Parts like one, each with data of its own, for contracts whose parts are all different. */
  #otherParts(part: JsonValue | undefined, schema: SchemaId | undefined, count: number): readonly JsonValue[] {
    if (schema === undefined || !isObject(part)) return [];
    const known = own(part, 'data') ?? null;
    const samples = this.#sampler.samples(schema, 'read', Math.min(count + 1, mostItems));
    const [, ...others] = allDifferent([known, ...samples.filter((data) => typeof data === typeof known)]);
    return others.map((data) => ({ ...part, data }));
  }

  #partData(schema: SchemaId | undefined, isJson: boolean, data: StreamEvent['data']): Found {
    if (schema === undefined || data === 'binary') return { value: 'text' };
    const found = this.#valueOf(schema, []);
    return isJson || typeof found?.value === 'string' ? found : undefined;
  }

  /** The items of the first valid example, else a valid list, else an event of each kind. */
  #itemsOf(media: MediaType, stream: StreamSpec): Found {
    if (stream.framing === 'multipart') return this.#partsOf(media, stream);
    for (const example of media.examples) {
      if (example.value === undefined && example.serializedValue === undefined) continue;
      const items = itemsFrom(example, stream, this.#valid);
      if (items !== undefined && this.#isWhole(stream, items)) return { value: items };
      this.#reportInvalid(example.at);
    }
    const written = itemsFromEvents(stream, this.#valid);
    if (written !== undefined && this.#isWhole(stream, written)) return { value: written };
    return this.#sampledWhole(stream) ?? this.#sampledItems(stream);
  }

  readonly #valid: Valid = (schema, value) => this.#sampler.example(schema, value, 'read');

  /** Whether all items together are as the contract says; of events only how many there are is known here. */
  #isWhole({ framing, whole }: StreamSpec, items: readonly JsonValue[]): boolean {
    if (whole === undefined) return true;
    if (framing !== 'sse') return this.#valid(whole, items) !== undefined;
    const { minItems = 0, maxItems = items.length } = this.#arrayOf(whole);
    return items.length >= minItems && items.length <= maxItems;
  }

  #arrayOf(whole: SchemaId): ArrayAssertions {
    const schema = this.#context.api.schemas.get(whole);
    return (schema?.kind === 'schema' ? schema.array : undefined) ?? {};
  }

  /** What says something of all items says what each is, too. */
  #sampledWhole(stream: StreamSpec): Found {
    if (stream.whole === undefined) return undefined;
    const value = this.#sampler.sample(stream.whole, 'read');
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const items = itemsFrom({ value: { value } }, stream, this.#valid);
    return items === undefined ? undefined : { value: items };
  }

  /** One event of each kind that has a name, or one item; again, where there must be more. */
  #sampledItems({ events, framing, whole }: StreamSpec): Found {
    const items = events.flatMap(({ name, schema, fields, data }): JsonValue[] => {
      const found = schema === undefined ? { value: 'text' } : this.#valueOf(schema, []);
      if (found === undefined || (data === 'text' && typeof found.value !== 'string')) return [];
      if (framing !== 'sse') return [found.value];
      const said = fields === undefined ? {} : this.#fieldsOf(fields);
      return said === undefined ? [] : [{ event: name, data: found.value, ...said }];
    });
    const { minItems = 0, maxItems } = whole === undefined ? {} : this.#arrayOf(whole);
    const some = items.slice(0, maxItems);
    return items.length === 0 ? undefined : { value: atLeast(some, minItems) };
  }

  /** An id and a reconnection time that can stand in a stream; nothing where there are none. */
  #fieldsOf(fields: SchemaId): JsonObject | undefined {
    for (const sample of this.#sampler.samples(fields, 'read', fieldAttempts)) {
      const { id, retry } = sample as JsonObject;
      // Where nothing is said of what a field is, a sample may be of any type.
      const said = {
        ...(id !== undefined && { id: isSendable({ id }) ? id : '1' }),
        ...(retry !== undefined && { retry: isSendable({ retry }) ? retry : 1000 }),
      };
      if (this.#valid(fields, said) !== undefined) return said;
    }
    return undefined;
  }

  #reportInvalid(at: Address): void {
    const place = `${at.document}#${at.pointer}`;
    if (this.#refused.has(place)) return;
    this.#refused.add(place);
    const message = 'the example is not valid by its schema, so a mock answers with another value';
    this.#context.report.report('example-invalid', message, at);
  }

  /** The first valid example, else a sample; examples that are not valid are reported. */
  #valueOf(schema: SchemaId | undefined, examples: MediaType['examples']): Found {
    if (schema === undefined) return { value: 'text' };
    for (const { value, at } of examples) {
      if (value === undefined) continue;
      const valid = this.#sampler.example(schema, value.value, 'read');
      if (valid !== undefined) return { value: valid };
      this.#reportInvalid(at);
    }
    const value = this.#sampler.sample(schema, 'read');
    return value === undefined ? undefined : { value };
  }
}

function isJsonPart({ data, schema }: StreamEvent): boolean {
  return data === 'json' || (data === 'any' && schema !== undefined);
}

/** A part as handlers give it. */
function partWith({ essence }: MediaType, event: StreamEvent, index: number, data: JsonValue): JsonValue {
  const { contentTypes = [] } = event;
  const type = contentTypes.find((one) => !one.includes('*') && (!isJsonPart(event) || /json/i.test(one)));
  const name = essence === 'multipart/form-data' ? { name: `part${index + 1}` } : {};
  return { ...name, data, ...(type !== undefined && { contentType: type }) };
}

/** So many items, though not more than a mock can have. */
function atLeast(items: readonly JsonValue[], least: number): readonly JsonValue[] {
  const count = Math.min(least, mostItems);
  if (items.length >= count || items.length === 0) return items;
  return Array.from({ length: count }, (_, index) => items[index % items.length] ?? null);
}

function example({ examples }: MediaType): Found {
  return examples.find(({ value }) => value !== undefined)?.value ?? { value: {} };
}

/** A status of a declared answer that can be sent. */
function codeOf(status: PlannedAnswer['status']): number | undefined {
  switch (status.kind) {
    case 'exact':
      return status.code >= 200 ? status.code : undefined;
    case 'range':
      return status.hundred === 1 ? undefined : status.hundred * 100;
    case 'default':
      return 200;
  }
}
