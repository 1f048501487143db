// SPDX-License-Identifier: 0BSD
import { fromPunycode, toPunycode } from './punycode.js';

const hostname = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** RFC 1123 section 2.1; A-labels stand for U-labels (RFC 5890 section 2.3.2.1). */
export function isHostname(text: string): boolean {
  if (text.length > 253 || !hostname.test(text)) return false;
  return !/(?:^|\.)xn--/i.test(text) || isInternational(text.split('.'));
}

/** RFC 5890 section 2.3.2.3, with the separators of RFC 3490 section 3.1. */
export function isIdnHostname(text: string): boolean {
  // Each character is one octet at least, and labels are worked on as a whole.
  if (text.length > 253) return false;
  const labels = text.split(/[.\u3002\uff0e\uff61]/);
  return labels.every((label) => label !== '') && isInternational(labels);
}

/** Labels of letters, digits and hyphens, A-labels and U-labels; the lengths are those of their ASCII form. */
function isInternational(labels: readonly string[]): boolean {
  let length = labels.length - 1;
  const read: string[] = [];
  for (const label of labels) {
    const isEncoded = /^xn--/i.test(label);
    const text = isEncoded ? fromPunycode(label.slice(4).toLowerCase()) : label;
    if (text === undefined) return false;
    const isAscii = /^[\0-\x7f]*$/.test(text);
    // What is encoded must need it, and come out again as it is.
    if (isEncoded && (isAscii || `xn--${toPunycode(text)}` !== label.toLowerCase())) return false;
    const octets = isEncoded ? label.length : isAscii ? text.length : (toPunycode(text) ?? '').length + 4;
    length += octets;
    if (octets > 63 || !(isAscii ? isAsciiLabel(text) : isUnicodeLabel(text))) return false;
    read.push(text);
  }
  if (length > 253) return false;
  return !read.some((label) => rightToLeft.test(label)) || read.every(followsBidiRule);
}

function isAsciiLabel(label: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label);
}

/** RFC 5891 section 4.2.3, and the code points and contexts of RFC 5892. */
function isUnicodeLabel(label: string): boolean {
  if (label.normalize('NFC') !== label || /^-|-$|^..--|^\p{M}/u.test(label)) return false;
  const characters = Array.from(label);
  return characters.every((character, index) => isAllowed(character) || isAllowedThere(characters, index));
}

/** RFC 5892 section 2.6: what the derived property would say otherwise. */
const allowedExceptions = /^[\xdf\u03c2\u06fd\u06fe\u0f0b\u3007]$/;
const disallowedExceptions = /^[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]$/;
/** Sections 2.5 and 2.9: marks of the blocks that are left out, and old Hangul letters. */
const leftOut =
  /^(?:[\u20d0-\u20ff]|[\u{1d100}-\u{1d1ff}]|[\u{1d200}-\u{1d24f}]|[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb])$/u;

function isAllowed(character: string): boolean {
  if (allowedExceptions.test(character)) return true;
  if (disallowedExceptions.test(character) || leftOut.test(character)) return false;
  if (/^[-a-z0-9]$/.test(character)) return true;
  if (/^[\u0660-\u0669\u06f0-\u06f9\p{Default_Ignorable_Code_Point}]$/u.test(character)) return false;
  const folded = character.normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded === character && /^[\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u.test(character);
}

/** Canonical_Combining_Class=Virama. */
const virama =
  /^[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]$/u;
/** Scripts whose letters join; the letters that join to one side only stand at the end of the word or the piece. */
const joining =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Phags_Pa}]$/u;

/** RFC 5892 appendix A. */
function isAllowedThere(characters: readonly string[], index: number): boolean {
  const [before = '', character = '', after = ''] = [characters[index - 1], characters[index], characters[index + 1]];
  switch (character) {
    case '\u200c':
      return virama.test(before) || (joining.test(before) && joining.test(after));
    case '\u200d':
      return virama.test(before);
    case '\xb7':
      return before === 'l' && after === 'l';
    case '\u0375':
      return /^\p{Script=Greek}$/u.test(after);
    case '\u05f3':
    case '\u05f4':
      return /^\p{Script=Hebrew}$/u.test(before);
    case '\u30fb':
      return characters.some((one) => /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]$/u.test(one));
    default:
      if (/[\u0660-\u0669]/.test(character)) return !characters.some((one) => /[\u06f0-\u06f9]/.test(one));
      return /[\u06f0-\u06f9]/.test(character) && !characters.some((one) => /[\u0660-\u0669]/.test(one));
  }
}

/** Letters that are written from right to left, and Arabic numbers: the classes R, AL and AN. */
const rightToLeft =
  /[\u0590\u05be\u05c0\u05c3\u05c6-\u05ff\u0600-\u0605\u0608\u060b\u060d\u061b-\u064a\u0660-\u0669\u066b-\u066f\u0671-\u06d5\u06dd\u06e5\u06e6\u06ee\u06ef\u06fa-\u0710\u0712-\u072f\u074d-\u07a5\u07b1-\u07ea\u07f4\u07f5\u07fa-\u0815\u081a\u0824\u0828\u082e-\u0858\u085c-\u0897\u08a0-\u08c9\ufb1d\ufb1f-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** RFC 5893 section 2, for a name that has such a label. */
function followsBidiRule(label: string): boolean {
  const right = rightToLeft.test(label);
  const last = Array.from(label.replace(/\p{Mn}+$/u, '')).at(-1) ?? '';
  if (!right) return /^\p{L}/u.test(label) && /^[\p{L}0-9\u06f0-\u06f9]$/u.test(last);
  if (!rightToLeft.test(Array.from(label)[0] ?? '') || /^[\u0660-\u0669]/.test(label)) return false;
  if (/[0-9\u06f0-\u06f9]/.test(label) && /[\u0660-\u0669]/.test(label)) return false;
  if (!rightToLeft.test(last) && !/[0-9\u06f0-\u06f9]/.test(last)) return false;
  // Of what is written from left to right only numbers and marks may stand among it.
  return Array.from(label).every((one) => rightToLeft.test(one) || !/\p{L}/u.test(one));
}
