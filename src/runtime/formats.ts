// SPDX-License-Identifier: 0BSD
// Every check takes time in proportion to the text. Where a text has a greatest length, it is tested first.

const datePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const dateTimePattern =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339 `date-time`. Days up to the 28th and seconds below 60 are in every month and minute. */
export function isDateTime(text: string): boolean {
  if (!dateTimePattern.test(text)) return false;
  const tens = text.charCodeAt(8);
  const isLate = tens === 0x33 || (tens === 0x32 && text.charCodeAt(9) === 0x39);
  return (!isLate || isDate(text.slice(0, 10))) && (text.charCodeAt(17) !== 0x36 || isTime(text.slice(11)));
}

/** RFC 3339 `full-date`; the day exists in its month. */
export function isDate(text: string): boolean {
  if (!datePattern.test(text)) return false;
  const day = Number(text.slice(8));
  if (day <= 28) return true;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  if (month === 2) return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= 30 || (month !== 4 && month !== 6 && month !== 9 && month !== 11);
}

/** RFC 3339 `full-time`; second 60 only where the minute before midnight UTC ends. */
export function isTime(text: string): boolean {
  if (!timePattern.test(text)) return false;
  if (text.slice(6, 8) !== '60') return true;
  const minutes = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  const zone = /([+-])(\d\d):(\d\d)$/.exec(text);
  const offset = zone === null ? 0 : (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3]));
  return (minutes - offset + 2880) % 1440 === 1439;
}

const durationPattern =
  /^P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?|T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))$/;

/** RFC 3339 appendix A `duration`. */
export function isDuration(text: string): boolean {
  return text.length <= 100 && durationPattern.test(text);
}

/** By character code, below 128: 0 for hexadecimal digits, else 1. */
const noHex: Uint8Array = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, character) =>
  /[0-9a-fA-F]/.test(String.fromCharCode(character)) ? 0 : 1,
);

function fourNoHex(text: string, at: number): number {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  const [third, fourth] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)];
  const digits = (noHex[first & 127] ?? 1) | (noHex[second & 127] ?? 1) | (noHex[third & 127] ?? 1);
  return ((first | second | third | fourth) >> 7) | digits | (noHex[fourth & 127] ?? 1);
}

const dash = 0x2d;

/** RFC 9562 text form: groups of 8, 4, 4, 4 and 12 digits. */
export function isUuid(text: string): boolean {
  if (text.length !== 36 || text.charCodeAt(8) !== dash || text.charCodeAt(13) !== dash) return false;
  if (text.charCodeAt(18) !== dash || text.charCodeAt(23) !== dash) return false;
  const head = fourNoHex(text, 0) | fourNoHex(text, 4) | fourNoHex(text, 9) | fourNoHex(text, 14);
  return (head | fourNoHex(text, 19) | fourNoHex(text, 24) | fourNoHex(text, 28) | fourNoHex(text, 32)) === 0;
}

const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Four decimal octets without leading zeros. */
export function isIpv4(text: string): boolean {
  return text.length <= 15 && ipv4Pattern.test(text);
}

/** RFC 4291 section 2.2, without a zone. */
export function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let count = 0;
  for (const [half, part] of halves.entries()) {
    if (part === '') continue;
    const groups = part.split(':');
    for (const [index, group] of groups.entries()) {
      const last = half === halves.length - 1 && index === groups.length - 1;
      if (last && group.includes('.')) {
        if (!isIpv4(group)) return false;
        count += 2;
      } else {
        if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return false;
        count += 1;
      }
    }
  }
  return halves.length === 2 ? count <= 7 : count === 8;
}

/** Base64 (RFC 4648 section 4) with its padding. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

export function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -2147483648 && value <= 2147483647;
}

/** Beyond 2^53 a number that JSON.parse gives has lost digits already; only the range can be checked. */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value <= 2 ** 63;
}
