/** Reads the text of a reference: to which document (or `$id`) it leads, and to what in it. Touches nothing. */
import { type DiagnosticCode, quote } from '../diagnostics.js';

export type Fragment =
  | { readonly kind: 'root' }
  | { readonly kind: 'pointer'; readonly steps: readonly string[] }
  | { readonly kind: 'anchor'; readonly name: string };

export type ReferenceUri =
  | { readonly ok: true; readonly url: string; readonly fragment: Fragment }
  | { readonly ok: false; readonly code: DiagnosticCode; readonly message: string };

/** Resolves `ref` against `base`, an absolute URL without fragment (RFC 3986 section 5); `url` is one too. */
export function readReference(ref: string, base: string): ReferenceUri {
  const hash = ref.indexOf('#');
  const locator = hash < 0 ? ref : ref.slice(0, hash);
  const fragment = readFragment(hash < 0 ? '' : ref.slice(hash + 1), ref);
  if ('code' in fragment) return fragment;
  const target = locator === '' ? { ok: true as const, url: base } : resolveLocator(locator, base);
  return target.ok ? { ok: true, url: target.url, fragment } : target;
}

type Refusal = { readonly ok: false; readonly code: DiagnosticCode; readonly message: string };

function refuse(code: DiagnosticCode, message: string): Refusal {
  return { ok: false, code, message };
}

function resolveLocator(locator: string, base: string): { readonly ok: true; readonly url: string } | Refusal {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(locator)?.[1]?.toLowerCase();
  const local = base.startsWith('file:');
  if (scheme === 'file' || scheme?.length === 1 || (local && /^[/\\]/.test(locator))) {
    return refuse('ref-outside-root', `ref outside root: ${quote(locator)} is not relative to its document`);
  }
  if (scheme !== undefined && !['http', 'https', 'urn', 'tag'].includes(scheme)) {
    return refuse('ref-invalid', `${quote(locator)} has a scheme that oasmith never reads`);
  }
  let url: URL;
  try {
    url = new URL(locator, base);
  } catch {
    return refuse('ref-invalid', `${quote(locator)} is not a URI reference`);
  }
  if (url.username !== '' || url.password !== '') return refuse('ref-invalid', 'a reference must not hold credentials');
  // A remote document must never lead to a local one, whatever the parser makes of its text.
  if (url.protocol === 'file:' && (!local || url.host !== '')) {
    return refuse('ref-outside-root', `ref outside root: ${quote(locator)} leads to a file of another place`);
  }
  url.hash = '';
  return { ok: true, url: url.href };
}

function readFragment(text: string, ref: string): Fragment | Refusal {
  let fragment: string;
  try {
    fragment = decodeURIComponent(text);
  } catch {
    return refuse('ref-invalid', `${quote(ref)} has a malformed percent escape`);
  }
  if (fragment === '') return { kind: 'root' };
  if (!fragment.startsWith('/')) return { kind: 'anchor', name: fragment };
  if (/~(?![01])/.test(fragment)) return refuse('ref-invalid', `${quote(ref)} has "~" without 0 or 1 behind it`);
  const steps = fragment.slice(1).split('/');
  return { kind: 'pointer', steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) };
}
