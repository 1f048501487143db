// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { naming } from './parameters.js';
import type { ValueCodec } from './validation.js';

/** The input as it travels. */
export function encodeInput(codec: ValueCodec | undefined, input: unknown): unknown {
  return naming('input', () => codec?.encode(input));
}

/** A body as programs hold it. The message quotes nothing of it. */
export function decodeBody(codec: ValueCodec | undefined, body: unknown, response: Response): unknown {
  try {
    return codec?.decode(body);
  } catch {
    throw new CallError('response', 'the body holds a date that is none', { response });
  }
}
