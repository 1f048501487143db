// SPDX-License-Identifier: 0BSD

/** What the header of a part in a form says (RFC 7578 section 4.2), as browsers write it. */
export function disposition(name: string, filename: string | undefined): string {
  const ending = filename === undefined ? '' : `; filename="${quoted(String(filename))}"`;
  return `form-data; name="${quoted(name)}"${ending}`;
}

/** HTML, multipart/form-data encoding algorithm. */
function quoted(text: string): string {
  return text.replace(/["\r\n]/g, encodeURIComponent);
}
