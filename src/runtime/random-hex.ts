// SPDX-License-Identifier: 0BSD

/** 128 random bits as 32 digits: nobody who does not know them can guess them. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
