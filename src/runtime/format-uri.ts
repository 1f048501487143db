// SPDX-License-Identifier: 0BSD
import { isIpv6 } from './formats.js';

/** RFC 3986 `URI-reference`, with `letters` beside the unreserved characters and `further` ones in queries; groups: scheme, address. */
function reference(letters: string, further: string, scheme = '(?:([A-Za-z][A-Za-z0-9+.-]*):)?'): RegExp {
  const characters = (more: string): string => `(?:[\\w.~!$&'()*+,;=${more}${letters}-]|%[0-9a-fA-F]{2})*`;
  const address = "\\[([0-9a-fA-F:.]+|[vV][0-9a-fA-F]+\\.[\\w.~!$&'()*+,;=:-]+)\\]";
  const authority = `(?:${characters(':')}@)?(?:${address}|${characters('')})(?::\\d*)?(?=[/?#]|$)`;
  const rest = `${characters(':@/')}(?:\\?${characters(`:@/?${further}`)})?(?:#${characters(':@/?')})?`;
  return new RegExp(`^${scheme}(?://${authority}|(?!//))${rest}$`, 'u');
}

/** RFC 3987 section 2.2, `ucschar` and `iprivate`. */
const international =
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}' +
  '\\u{10000}-\\u{1fffd}\\u{20000}-\\u{2fffd}\\u{30000}-\\u{3fffd}\\u{40000}-\\u{4fffd}\\u{50000}-\\u{5fffd}' +
  '\\u{60000}-\\u{6fffd}\\u{70000}-\\u{7fffd}\\u{80000}-\\u{8fffd}\\u{90000}-\\u{9fffd}\\u{a0000}-\\u{afffd}' +
  '\\u{b0000}-\\u{bfffd}\\u{c0000}-\\u{cfffd}\\u{d0000}-\\u{dfffd}\\u{e1000}-\\u{efffd}';
const forPrivateUse = '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}';

const uri: RegExp = /* @__PURE__ */ reference('', '');
/** For texts without an address in brackets, of which nothing but the form is asked. */
const plainUri: RegExp = /* @__PURE__ */ reference('', '', '[A-Za-z][A-Za-z0-9+.-]*:');
const iri: RegExp = /* @__PURE__ */ reference(international, forPrivateUse);

/** Without a scheme the first segment of a path has no colon (RFC 3986 section 4.2). */
function matches(pattern: RegExp, text: string, needsScheme: boolean): boolean {
  const found = pattern.exec(text);
  if (found === null) return false;
  const [, scheme, address] = found;
  if (scheme === undefined && (needsScheme || /^[^/?#]*:/.test(text))) return false;
  return address === undefined || /^v/i.test(address) || isIpv6(address);
}

/** RFC 3986 `URI`: a scheme is demanded. */
export function isUri(text: string): boolean {
  return text.includes('[') ? matches(uri, text, true) : plainUri.test(text);
}

/** RFC 3986 `URI-reference`. */
export function isUriReference(text: string): boolean {
  return matches(uri, text, false);
}

/** RFC 3987 `IRI`. */
export function isIri(text: string): boolean {
  return matches(iri, text, true);
}

/** RFC 3987 `IRI-reference`. */
export function isIriReference(text: string): boolean {
  return matches(iri, text, false);
}
