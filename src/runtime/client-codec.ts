// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import type { Answer, OperationSpec } from './operation.js';
import { naming } from './parameters.js';

/** An input as it travels. */
export function encodeInput({ codec }: OperationSpec, input: unknown): unknown {
  return codec && naming('input', () => codec.encode(input));
}

/** The body of an answer as programs hold it. */
export function decodeBody({ codec }: Answer, body: unknown, response: Response): unknown {
  try {
    return codec?.decode(body);
  } catch {
    throw new CallError('response', 'the body holds a date that is none', { response });
  }
}
