// SPDX-License-Identifier: 0BSD

/** How a header carries text that no header can hold as it is. */
export interface HeaderEncoding {
  /** Throws URIError where the text is not well-formed Unicode: nothing brings lone surrogates back. */
  readonly encode: (text: string) => string;
  /** The text that a header stands for; nothing where it is not well-formed. */
  decode(header: string): string | undefined;
}

/** Visible ASCII, with spaces and tabs inside only: what every hop passes on unchanged (RFC 9110 section 5.5). */
const plain = /^(?:[!-~](?:[ -~\t]*[!-~])?)?$/;

const sentinel = /^=\?base64\?(.*)\?=$/s;

/** `=?base64?…?=` around the base64 of the UTF-8, for text that is not plain or that looks like this itself. */
export const base64Header: HeaderEncoding = {
  encode(text) {
    if (plain.test(text) && !sentinel.test(text)) return text;
    const bytes = encodeURIComponent(text).replace(/%(..)/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)));
    return `=?base64?${btoa(bytes)}?=`;
  },
  decode(header) {
    const encoded = sentinel.exec(header)?.[1];
    if (encoded === undefined) return header;
    // `atob` passes over spaces and forgives missing padding; another reader would not.
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(encoded)) return undefined;
    try {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return undefined;
    }
  },
};

/** Percent-encoded UTF-8 (RFC 3986 section 2.1) for `%`, what is not ASCII, and white space at the edges. */
export const percentHeader: HeaderEncoding = {
  encode: (text) => text.replace(/[^ -$&-~]|^ +| +$/gu, (piece) => encodeURIComponent(piece)),
  decode(header) {
    try {
      return decodeURIComponent(header);
    } catch {
      return undefined;
    }
  },
};
