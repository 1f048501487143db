// SPDX-License-Identifier: 0BSD
import { isEmail } from './format-email.js';
import { isIdnHostname } from './format-hostname.js';

const localPart =
  /^(?:[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*")$/u;

/** RFC 6531 section 3.3: every text that is not ASCII may be in it; labels of the domain are compared in NFC. */
export function isIdnEmail(text: string): boolean {
  if (isEmail(text)) return true;
  const at = text.lastIndexOf('@');
  if (at < 0 || text.length > 320 || !localPart.test(text.slice(0, at))) return false;
  return isIdnHostname(text.slice(at + 1).normalize('NFC'));
}
