// SPDX-License-Identifier: 0BSD

/**
 * Reserved expansion (RFC 6570 section 3.2.3), which `allowReserved` asks for: reserved characters stay, and so does what looks
 * like percent-encoding. Those that would end the value where it stands are escaped all the same (OpenAPI, Appendix E).
 */
export function reservedInQuery(text: string): string {
  return encodeBut(text, /%(?:2[14789ACF]|3[ABDF]|40)/g);
}

/** The same, but for `/`, `?` and `#` (OpenAPI, Path Templating). */
export function reservedInPath(text: string): string {
  return encodeBut(text, /%(?:2[146789ABC]|3[ABD]|40)/g);
}

/** The same, but for what ends a cookie or divides it. */
export function reservedInCookie(text: string): string {
  return encodeBut(text, /%(?:2[1346789ABF]|3[ADF]|40|5[BD])/g);
}

function encodeBut(text: string, kept: RegExp): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) => (index % 2 === 1 ? piece : encodeURIComponent(piece).replace(kept, decodeURIComponent)))
    .join('');
}
