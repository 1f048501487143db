// SPDX-License-Identifier: 0BSD
import type { Validator, ValueCodec } from './validation.js';

/** An event of a stream, or the one `item` of a sequence. */
export interface EventSpec {
  readonly name: string;
  readonly data: 'json' | 'text';
  readonly validate?: Validator<unknown>;
  readonly codec?: ValueCodec;
}
