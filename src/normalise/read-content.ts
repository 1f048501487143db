/** The `content` maps of bodies, responses and parameters (OpenAPI, Media Type Object). */
import { childAddress, quote } from '../diagnostics.js';
import type { MediaType } from '../ir/api.js';
import type { Located } from './follow.js';
import type { Members } from './json.js';
import { isMediaType, mediaTypeKind } from './media-types.js';
import type { Reading } from './reading.js';
import { streamOf } from './streams.js';

/** The `content` map of a body, a response or a parameter. */
export function readContent(reading: Reading, owner: Members): readonly MediaType[] {
  const content = owner.objectMember('content');
  if (!content) return [];
  return Object.entries(content).flatMap(([text, value]) => {
    const at = childAddress(owner.at, 'content', text);
    const found = reading.follow(value, at);
    if (!found) return [];
    if (!isMediaType(text)) {
      reading.report.report('media-type-invalid', `${quote(text)} is not a media type`, at);
      return [];
    }
    return [readMediaType(reading, text, found)];
  });
}

function readMediaType(reading: Reading, text: string, found: Located): MediaType {
  const members = reading.members(found);
  const kind = mediaTypeKind(text);
  if (kind === 'form' || kind === 'multipart' || kind === 'binary') {
    reading.report.report('not-yet-media-type', `${quote(text)} is passed through as bytes`, found.at);
  }
  const schemaValue = members.raw('schema');
  const schema = schemaValue === undefined ? undefined : reading.schema(childAddress(found.at, 'schema'), schemaValue);
  const stream = kind === 'event-stream' ? streamOf(reading, members, schema) : undefined;
  const example = members.raw('example');
  const named = Object.entries(members.objectMember('examples') ?? {}).flatMap(([name, value]) => {
    const entry = reading.follow(value, childAddress(found.at, 'examples', name));
    const given = entry && reading.members(entry).raw('value');
    return given === undefined ? [] : [given];
  });
  return {
    text,
    essence: (text.split(';')[0] ?? '').trim().toLowerCase(),
    kind,
    ...(schema !== undefined && { schema }),
    ...(stream && { stream }),
    examples: example === undefined ? named : [example, ...named],
    at: found.at,
  };
}
