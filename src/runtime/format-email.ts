// SPDX-License-Identifier: 0BSD
import { isIpv4, isIpv6 } from './formats.js';

const email =
  /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*|\[[^\]]{2,63}\])$/;

/** RFC 5321 `Mailbox`; the address literal is checked. */
export function isEmail(text: string): boolean {
  if (text.length > 320 || !email.test(text)) return false;
  if (!text.endsWith(']')) return true;
  const address = text.slice(text.lastIndexOf('[') + 1, -1);
  return address.startsWith('IPv6:') ? isIpv6(address.slice(5)) : isIpv4(address);
}
