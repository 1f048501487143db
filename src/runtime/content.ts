// SPDX-License-Identifier: 0BSD

export type Encoding = 'base64' | 'base64url' | 'base32' | 'base32hex' | 'base16';

/** RFC 4648, each with its padding but base64url, where it may be left out (section 5). No line ends. */
const forms: Readonly<Record<Encoding, RegExp>> = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base64url: /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/,
  base32: /^(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)?$/,
  base32hex: /^(?:[0-9A-V]{8})*(?:[0-9A-V]{2}={6}|[0-9A-V]{4}={4}|[0-9A-V]{5}={3}|[0-9A-V]{7}=)?$/,
  base16: /^(?:[0-9A-Fa-f]{2})*$/,
};

/** Whether a text is bytes in this encoding (`contentEncoding`). */
export function isEncoded(text: string, encoding: Encoding): boolean {
  return forms[encoding].test(text);
}

/** Whether a text, or what it encodes, is JSON (`contentMediaType`) that passes a test (`contentSchema`). */
export function holdsJson(text: string, encoding?: Encoding, test?: (content: unknown) => boolean): boolean {
  let content: unknown;
  try {
    content = JSON.parse(encoding === undefined ? text : decoded(text, encoding));
  } catch {
    return false;
  }
  return test === undefined || test(content);
}

/** Throws where the text is not in this encoding, or its bytes are not UTF-8. */
function decoded(text: string, encoding: Encoding): string {
  if (!isEncoded(text, encoding)) throw new RangeError('not encoded');
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytesOf(text, encoding)));
}

const alphabets = {
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  base32hex: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
} as const;

function bytesOf(text: string, encoding: Encoding): Iterable<number> {
  if (encoding === 'base64' || encoding === 'base64url') {
    return Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
  }
  if (encoding === 'base16') return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const letter of text.replace(/=+$/, '')) {
    bits = ((bits << 5) | alphabets[encoding].indexOf(letter)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return bytes;
}
