/**
 * Diagnostics are values: a code from the catalogue, a severity, one sentence and an address. Stages return them inside
 * a `Result`; only `cli.ts` prints. Line and column are worked out when a diagnostic is printed, never before.
 */
import { catalogue, type DiagnosticCode } from './catalogue.js';

export type { DiagnosticCode } from './catalogue.js';

export type Severity = 'error' | 'warning' | 'info';

/** The name of a document: its path relative to the reference root (forward slashes), or its absolute URL. */
export type DocumentUri = string & { readonly __brand: 'DocumentUri' };

/** An RFC 6901 pointer in its plain string form: `""` or `/a/b~1c`. */
export type JsonPointer = string & { readonly __brand: 'JsonPointer' };

export interface Address {
  readonly document: DocumentUri;
  readonly pointer: JsonPointer;
}

export interface Related {
  readonly message: string;
  readonly at: Address;
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One line without control characters; document text in it has gone through `quote`. */
  readonly message: string;
  readonly at?: Address;
  /** Where the pointer alone is not enough (a syntax error has no pointer): a zero-based offset into the document's text. */
  readonly offset?: number;
  readonly related?: readonly Related[];
}

export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export function ok<T>(value: T, diagnostics: readonly Diagnostic[] = []): Result<T> {
  return { ok: true, value, diagnostics };
}

export function failed(diagnostics: readonly Diagnostic[]): {
  readonly ok: false;
  readonly diagnostics: readonly Diagnostic[];
} {
  return { ok: false, diagnostics };
}

/** A diagnostic whose severity is the catalogue's. */
export function diagnostic(
  code: DiagnosticCode,
  message: string,
  where: Pick<Diagnostic, 'at' | 'offset' | 'related'> = {},
): Diagnostic {
  return { code, severity: catalogue[code].severity, message, ...where };
}

/** Collects the diagnostics of one stage; `finish` turns them into its Result. */
export class Collector {
  readonly diagnostics: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  /** Adds a diagnostic once: the same code, message and address are not said twice. */
  add(entry: Diagnostic): void {
    const key = `${entry.code}\n${entry.message}\n${entry.at?.document ?? ''}#${entry.at?.pointer ?? ''}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.diagnostics.push(entry);
  }

  report(code: DiagnosticCode, message: string, at?: Address, related?: readonly Related[]): void {
    this.add(diagnostic(code, message, { ...(at && { at }), ...(related && { related }) }));
  }

  addAll(entries: readonly Diagnostic[]): void {
    for (const entry of entries) this.add(entry);
  }

  get failed(): boolean {
    return this.diagnostics.some((entry) => entry.severity === 'error');
  }

  finish<T>(value: T): Result<T> {
    return this.failed ? failed(this.diagnostics) : ok(value, this.diagnostics);
  }
}

/** Appends one step to a pointer (RFC 6901 section 3: `~` is `~0`, `/` is `~1`). */
export function childPointer(pointer: JsonPointer, ...steps: readonly (string | number)[]): JsonPointer {
  let text: string = pointer;
  for (const step of steps) {
    const plain = typeof step === 'number' || (!step.includes('~') && !step.includes('/'));
    text += plain ? `/${step}` : `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  }
  return text as JsonPointer;
}

/** The steps of a pointer, decoded. */
export function pointerSteps(pointer: JsonPointer): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function childAddress(at: Address, ...steps: readonly (string | number)[]): Address {
  return { document: at.document, pointer: childPointer(at.pointer, ...steps) };
}

// Everything a terminal, a CI log or a reader could take for something else: C0, C1, bidi controls, zero-width marks.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/** Document text made safe for one line of a diagnostic: control and bidi characters as `\u` escapes, cut at 120 characters. */
export function quote(text: string): string {
  return `"${printable(text.length > 120 ? `${text.slice(0, 119)}…` : text)}"`;
}

/** Text made safe for a terminal, in full length. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same for a text of several lines. JSON stays JSON: what it does not escape itself stands in strings only. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
