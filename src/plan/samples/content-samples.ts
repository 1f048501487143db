/** Texts that hold what `contentEncoding`, `contentMediaType` and `contentSchema` say, for validators that check it. */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { type AssertionOptions, assertedContent, type ContentEncoding } from '../checks/asserted.js';

/** `value` gives a value of a schema. */
export function contentTexts(
  nodes: readonly ObjectSchema[],
  options: AssertionOptions,
  value: (schema: SchemaId) => JsonValue | undefined,
): readonly string[] {
  return nodes.flatMap((node) => {
    const content = assertedContent(node, options);
    if (content === undefined) return [];
    const { encoding, mediaType, schema } = content;
    const held = schema === undefined ? {} : value(schema);
    if (held === undefined) return [];
    const text = mediaType === undefined ? 'text' : JSON.stringify(held);
    return [encoding === undefined ? text : encoded(text, encoding)];
  });
}

const alphabets = {
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  base32hex: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
} as const;

/** RFC 4648, with padding but for base64url. */
function encoded(text: string, encoding: ContentEncoding): string {
  const bytes = Array.from(new TextEncoder().encode(text));
  switch (encoding) {
    case 'base64':
      return btoa(String.fromCharCode(...bytes));
    case 'base64url':
      return encoded(text, 'base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    case 'base16':
      return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
    default: {
      const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
      const letters = (bits.match(/.{1,5}/g) ?? []).map((five) =>
        alphabets[encoding].charAt(Number.parseInt(five.padEnd(5, '0'), 2)),
      );
      return letters.join('').padEnd(Math.ceil(letters.length / 8) * 8, '=');
    }
  }
}
