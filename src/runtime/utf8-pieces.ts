// SPDX-License-Identifier: 0BSD

/** A byte order mark is kept: who strips it must know whether it stands at the start. */
function decoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}

/**
 * Decodes UTF-8 that comes in pieces, which may end inside of a character; without a piece it gives what the end of the
 * bytes makes of an unfinished one. What is no UTF-8 becomes U+FFFD.
 */
export function utf8Pieces(): (chunk?: Uint8Array) => string {
  let utf8 = decoder();
  let streamed = false;
  return (chunk) => {
    const before = streamed;
    // Behind an ASCII byte nothing is unfinished, and engines decode what is whole several times as fast: Node does so
    // until a decoder was asked to keep an unfinished character, so such a one serves until its character is there.
    streamed = chunk !== undefined && (chunk[chunk.length - 1] ?? 128) > 127;
    const text = utf8.decode(chunk, { stream: streamed });
    if (before && !streamed) utf8 = decoder();
    return text;
  };
}
