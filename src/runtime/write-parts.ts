// SPDX-License-Identifier: 0BSD
import { own, refuse } from './parameters.js';
import { partEncoder } from './part-encode.js';
import type { BodySpec } from './write-body.js';
import { writeSequence } from './write-items.js';

/** Sends a multipart body, a part for each item (RFC 2046 section 5.1). */
export function writeParts(spec: BodySpec, headers: Headers, input: unknown): BodyInit {
  const json = (value: unknown): string => JSON.stringify(value) ?? refuse('holds a part that is no JSON value');
  const { boundary, start, part, end } = partEncoder(spec.events ?? [], (value, { codec }) =>
    json(codec ? codec.encode(value) : value),
  );
  const type = (own(input, 'contentType') as string | undefined) ?? spec.type;
  const sent = { ...spec, type: `${type.replace('*', 'mixed')}; boundary=${boundary}` };
  return writeSequence(sent, headers, input, part, end, start);
}
