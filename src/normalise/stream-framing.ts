/** Which bodies of an operation the configuration means where it says how the items of its streams are told apart. */
import { quote } from '../diagnostics.js';
import type { Framing } from '../ir/api.js';
import type { JsonObject } from '../json-object.js';
import type { Members } from './json.js';
import { essenceOf, framingOf } from './media-types.js';
import type { Reading } from './reading.js';
import { hasParts } from './stream-parts.js';

interface Candidate {
  readonly media: JsonObject;
  readonly isStream: boolean;
}

/**
 * The bodies, as the objects that describe them. What is a stream already is one of this framing; where nothing is, the
 * answers of success become one, and where there are none with a body, the request. `stream-option-unmatched` where
 * no body can be of the framing.
 */
export function chosenFramings(reading: Reading, operation: Members): ReadonlyMap<JsonObject, Framing> {
  const { framing, schema } = reading.streams ?? {};
  if (framing === undefined) return new Map();
  const body = reading.object(operation, 'requestBody');
  const sent = body ? candidates(reading, body, framing) : [];
  const answered = successes(reading, operation).flatMap((answer) => candidates(reading, answer, framing));
  const streams = [...answered, ...sent].filter(({ isStream }) => isStream);
  const chosen = streams.length > 0 ? streams : answered.length > 0 ? answered : sent;
  const id = operation.string('operationId');
  const name = id === undefined ? 'the operation' : quote(id);
  const report = (message: string): void => reading.report.report('stream-option-unmatched', message, operation.at);
  if (chosen.length === 0) {
    const why = framing === 'multipart' ? 'no body that is multipart' : 'no body that can be one';
    report(`the option "streams" makes ${name} a stream with the framing ${quote(framing)}; it has ${why}`);
  } else if (schema === 'event' && framing !== 'sse') {
    report(`the option "streams" has events in ${name}; only the framing "sse" has some`);
  }
  return new Map(chosen.map(({ media }) => [media, framing]));
}

/** Those of 2XX; of `default` where none is declared. */
function successes(reading: Reading, operation: Members): readonly Members[] {
  const entries = reading.entries(operation, 'responses');
  const exact = entries.filter(({ key }) => /^2(?:\d\d|XX)$/i.test(key));
  return (exact.length > 0 ? exact : entries.filter(({ key }) => key === 'default')).flatMap(({ value, at }) => {
    const found = reading.follow(value, at);
    return found ? [reading.members(found)] : [];
  });
}

/** The bodies that can be of a framing. Only a multipart body has boundaries, and nothing else can be read out of one. */
function candidates(reading: Reading, owner: Members, framing: Framing): readonly Candidate[] {
  return reading.entries(owner, 'content').flatMap(({ key, value, at }) => {
    const essence = essenceOf(key);
    const isMultipart = essence.startsWith('multipart/');
    const isForm = essence === 'multipart/form-data' || essence === 'application/x-www-form-urlencoded';
    const found = isForm || isMultipart !== (framing === 'multipart') ? undefined : reading.follow(value, at);
    if (!found) return [];
    const isStream = framingOf(essence) !== undefined || hasParts(reading, essence, reading.members(found));
    return [{ media: found.value, isStream }];
  });
}
