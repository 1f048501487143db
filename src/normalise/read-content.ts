/** The `content` maps of bodies, responses and parameters, encodings and headers (OpenAPI, Media Type Object and on). */
import { childAddress, quote } from '../diagnostics.js';
import type { Encoding, Framing, Header, MediaType, ParameterStyle, StreamSpec } from '../ir/api.js';
import type { Located } from './follow.js';
import { extensionsOf, type Members, present } from './json.js';
import { essenceOf, framingOf, isMediaType, mediaTypeKind, streamKind } from './media-types.js';
import { readExamples } from './read-details.js';
import type { Reading } from './reading.js';
import { hasParts, partsOf } from './stream-parts.js';
import { streamOf } from './streams.js';

/** The `content` map of a body, a response, a parameter or a header. */
export function readContent(reading: Reading, owner: Members): readonly MediaType[] {
  return reading.entries(owner, 'content').flatMap(({ key, value, at }) => {
    const found = reading.follow(value, at);
    if (!found) return [];
    if (!isMediaType(key)) {
      reading.report.report('media-type-invalid', `${quote(key)} is not a media type`, at);
      return [];
    }
    return [readMediaType(reading, key, found)];
  });
}

function readMediaType(reading: Reading, text: string, found: Located): MediaType {
  const members = reading.members(found);
  const schema = reading.schemaOf(members, 'schema');
  const itemSchema = reading.schemaOf(members, 'itemSchema');
  const essence = essenceOf(text);
  const encodings = readEncodings(reading, members);
  const stream = readStream(reading, essence, members, encodings);
  if (itemSchema !== undefined && !stream)
    reading.report.report(
      'stream-item-unread',
      `a body of the type ${quote(text)} has no items, so "itemSchema" says nothing`,
      childAddress(members.at, 'itemSchema'),
    );
  return {
    text,
    essence,
    kind: stream ? streamKind(stream.framing) : mediaTypeKind(text),
    ...(schema !== undefined && { schema }),
    ...(itemSchema !== undefined && { itemSchema }),
    ...(stream && { stream }),
    ...encodings,
    examples: readExamples(reading, members),
    at: found.at,
    extensions: extensionsOf(found.value),
  };
}

function readStream(reading: Reading, essence: string, media: Members, encodings: Encodings): StreamSpec | undefined {
  const framing = reading.framings.get(media.object) ?? framingOf(essence) ?? partsFraming(reading, essence, media);
  if (framing === undefined) return undefined;
  if (framing !== 'multipart') return streamOf(reading, media, framing, reading.streams);
  if (reading.streams?.sentinels)
    reading.report.report(
      'stream-option-unmatched',
      'the option "streams" has sentinels for parts, which a boundary ends',
      media.at,
    );
  return partsOf(reading, media, encodings, reading.streams?.schema === 'text');
}

function partsFraming(reading: Reading, essence: string, media: Members): Framing | undefined {
  return hasParts(reading, essence, media) ? 'multipart' : undefined;
}

type Encodings = Pick<Encoding, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

const noEncodings: Encodings = { encoding: [] };

/** `encoding`, by name, or `prefixEncoding` and `itemEncoding`, by position; an Encoding Object nests the same three. */
function readEncodings(reading: Reading, owner: Members): Encodings {
  const byPosition = owner.has('prefixEncoding') || owner.has('itemEncoding');
  if (!byPosition && !owner.has('encoding')) return noEncodings;
  if (byPosition && owner.has('encoding')) {
    reading.report.report(
      'keyword-conflict',
      '"encoding" names parts and "prefixEncoding" and "itemEncoding" count them; only one of the two can be meant',
      childAddress(owner.at, 'encoding'),
    );
  }
  const item = owner.has('itemEncoding') ? reading.object(owner, 'itemEncoding') : undefined;
  const prefix = owner.has('prefixEncoding') ? reading.list(owner, 'prefixEncoding') : undefined;
  return {
    encoding: reading.entries(owner, 'encoding').flatMap(({ key, value, at }) => {
      const found = reading.follow(value, at);
      return found ? [{ name: key, encoding: readEncoding(reading, reading.members(found)) }] : [];
    }),
    ...(prefix && {
      prefixEncoding: prefix.flatMap(({ value, at }) => {
        const found = reading.follow(value, at);
        return found ? [readEncoding(reading, reading.members(found))] : [];
      }),
    }),
    ...(item && { itemEncoding: readEncoding(reading, item) }),
  };
}

const styles: ReadonlySet<string> = new Set<ParameterStyle>(['form', 'spaceDelimited', 'pipeDelimited', 'deepObject']);

function readEncoding(reading: Reading, encoding: Members): Encoding {
  const style = encoding.string('style');
  if (style !== undefined && !styles.has(style)) {
    reading.report.report(
      'type-mismatch',
      `${quote(style)} is not a style of encodings`,
      childAddress(encoding.at, 'style'),
    );
  }
  return {
    ...present({
      contentType: encoding.string('contentType'),
      style: style !== undefined && styles.has(style) ? (style as ParameterStyle) : undefined,
      explode: encoding.boolean('explode'),
      allowReserved: encoding.boolean('allowReserved'),
    }),
    headers: readHeaders(reading, encoding),
    ...readEncodings(reading, encoding),
    at: encoding.at,
    extensions: extensionsOf(encoding.object),
  };
}

export function readHeaders(reading: Reading, owner: Members): readonly Header[] {
  return reading.entries(owner, 'headers').flatMap(({ key, value, at }) => {
    // OpenAPI: "Content-Type" as a response header is ignored, `content` says it.
    if (key.toLowerCase() === 'content-type' || !reading.isToken(key, at)) return [];
    const found = reading.follow(value, at);
    return found ? [readHeader(reading, key, found)] : [];
  });
}

function readHeader(reading: Reading, name: string, found: Located): Header {
  const members = reading.members(found);
  const schema = reading.schemaOf(members, 'schema');
  const [content] = readContent(reading, members);
  return {
    name,
    required: members.boolean('required') ?? false,
    docs: reading.docs(members),
    ...(schema !== undefined && { schema }),
    ...(content && { content }),
    explode: members.boolean('explode') ?? false,
    examples: readExamples(reading, members),
    at: found.at,
    extensions: extensionsOf(found.value),
  };
}
