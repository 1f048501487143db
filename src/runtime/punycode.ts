// SPDX-License-Identifier: 0BSD
// RFC 3492, with the parameters of section 5.

const base = 36;
const first = 128;

function adapt(delta: number, count: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / 700) : Math.floor(delta / 2);
  left += Math.floor(left / count);
  let k = 0;
  for (; left > 455; k += base) left = Math.floor(left / 35);
  return k + Math.floor((36 * left) / (left + 38));
}

function threshold(k: number, bias: number): number {
  return Math.min(26, Math.max(1, k - bias));
}

/** The text that lower-case Punycode stands for (section 6.2); nothing where it is none. */
export function fromPunycode(encoded: string): string | undefined {
  const end = encoded.lastIndexOf('-');
  const output = Array.from(encoded.slice(0, Math.max(end, 0)), (character) => character.charCodeAt(0));
  if (!/^[\0-\x7f]*$/.test(encoded)) return undefined;
  let [code, delta, bias] = [first, 0, 72];
  for (let at = end < 0 ? 0 : end + 1; at < encoded.length; ) {
    const before = delta;
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = '0123456789'.includes(encoded[at] ?? ' ')
        ? encoded.charCodeAt(at) - 22
        : encoded.charCodeAt(at) - 97;
      at += 1;
      if (!(digit >= 0 && digit < base)) return undefined;
      delta += digit * weight;
      if (delta > 0x7fffffff) return undefined;
      const least = threshold(k, bias);
      if (digit < least) break;
      weight *= base - least;
    }
    const count = output.length + 1;
    bias = adapt(delta - before, count, before === 0);
    code += Math.floor(delta / count);
    delta %= count;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    output.splice(delta, 0, code);
    delta += 1;
  }
  return String.fromCodePoint(...output);
}

/** A text as Punycode (section 6.3). */
export function toPunycode(text: string): string {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  let output = codes
    .filter((one) => one < first)
    .map((one) => String.fromCharCode(one))
    .join('');
  const basic = output.length;
  let handled = basic;
  if (basic > 0) output += '-';
  let [code, delta, bias] = [first, 0, 72];
  while (handled < codes.length) {
    const least = Math.min(...codes.filter((one) => one >= code));
    delta += (least - code) * (handled + 1);
    code = least;
    for (const one of codes) {
      if (one < code) delta += 1;
      if (one !== code) continue;
      let rest = delta;
      for (let k = base; ; k += base) {
        const limit = threshold(k, bias);
        if (rest < limit) break;
        output += digitOf(limit + ((rest - limit) % (base - limit)));
        rest = Math.floor((rest - limit) / (base - limit));
      }
      output += digitOf(rest);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    code += 1;
  }
  return output;
}

function digitOf(value: number): string {
  return String.fromCharCode(value < 26 ? value + 97 : value + 22);
}
