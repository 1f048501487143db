// SPDX-License-Identifier: 0BSD

/** RFC 6570, all levels. Controls, space, `"<>\\^`{|}` and a bare `%` are no literals; the apostrophe is one (erratum 6937). */
function templates(): RegExp {
  const variable = '(?:\\w|%[0-9a-fA-F]{2})(?:\\.?(?:\\w|%[0-9a-fA-F]{2}))*(?::[1-9]\\d{0,3}|\\*)?';
  const literals = '[^\\0- "%<>\\\\^`{|}\\x7f-\\x9f]|%[0-9a-fA-F]{2}';
  return new RegExp(`^(?:${literals}|\\{[+#./;?&=!@|]?${variable}(?:,${variable})*\\})*$`, 'u');
}

const pattern: RegExp = /* @__PURE__ */ templates();

export function isUriTemplate(text: string): boolean {
  return pattern.test(text);
}
