// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import { own, refuse } from './parameters.js';
import { partEncoder } from './part-encode.js';
import type { BodySpec } from './write-body.js';
import { writeSequence } from './write-items.js';

/** Sends a multipart body, a part for each item (RFC 2046 section 5.1). */
export function writeParts(spec: BodySpec, headers: Headers, input: unknown, deadline: Deadline): BodyInit {
  const { boundary, start, part, end } = partEncoder(spec.events ?? [], (value, { codec }) =>
    jsonOf(codec ? codec.encode(value) : value),
  );
  const piece = (item: unknown): Uint8Array<ArrayBuffer> => {
    try {
      return part(item);
    } catch (error) {
      // The encoder quotes nothing.
      if (error instanceof TypeError) refuse(error.message);
      throw error;
    }
  };
  const type = (own(input, 'contentType') as string | undefined) ?? spec.type;
  const sent = { ...spec, type: `${type.replace('*', 'mixed')}; boundary=${boundary}` };
  return writeSequence(sent, headers, input, deadline, piece, end, start);
}

/** Cycles and big integers make the platform throw, with a message that quotes; `undefined` makes it say nothing. */
function jsonOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Told below.
  }
  return text ?? refuse('holds a part that is no JSON value');
}
