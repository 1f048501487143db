/** The type of what an event, an item or a part holds, for all that print it. */
import { type Code, code } from '../encode.js';
import type { StreamEvent } from '../ir/api.js';

/** `described` is the type of its schema, where it has one. */
export function eventDataType(data: StreamEvent['data'], described: Code | undefined): Code {
  switch (data) {
    case 'json':
      return described ?? code`unknown`;
    case 'text':
      return described ?? code`string`;
    case 'binary':
      return code`globalThis.Uint8Array`;
    case 'any':
      // A part of another kind than its schema says is text or bytes.
      return described === undefined ? code`unknown` : code`${described} | string | globalThis.Uint8Array`;
  }
}
