/** Diagnostics as text for people: code, message, place, the lines of the document around it, and how to mend it. */
import { catalogue } from './catalogue.js';
import { type Address, type Diagnostic, type DocumentUri, printable } from './diagnostics.js';
import { lineStarts, locateAll, type Position } from './load/positions.js';
import type { DocumentText } from './load/sources.js';

export interface FormatOptions {
  readonly color?: boolean;
}

/** The texts of the documents, as `load` gives them. */
export type DocumentTexts = ReadonlyMap<DocumentUri, DocumentText>;

type Paint = (text: string) => string;

interface Paints {
  readonly severity: Paint;
  readonly frame: Paint;
  readonly strong: Paint;
}

const plain: Paints = { severity: (text) => text, frame: (text) => text, strong: (text) => text };
const severityColor = { error: 31, warning: 33, info: 36 } as const;

function paintsOf(diagnostic: Diagnostic, color: boolean): Paints {
  if (!color) return plain;
  const paint =
    (...codes: number[]): Paint =>
    (text) =>
      `\u001b[${codes.join(';')}m${text}\u001b[0m`;
  return { severity: paint(1, severityColor[diagnostic.severity]), frame: paint(34), strong: paint(1) };
}

/** One diagnostic, several lines, without a line break at the end. */
export function formatDiagnostic(diagnostic: Diagnostic, texts: DocumentTexts, options: FormatOptions = {}): string {
  return formatDiagnostics([diagnostic], texts, options)[0] as string;
}

/** Many diagnostics; each document is searched once for all of their places. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: DocumentTexts,
  options: FormatOptions = {},
): readonly string[] {
  const spots = spotsOf(diagnostics, texts);
  return diagnostics.map((diagnostic) => {
    const paints = paintsOf(diagnostic, options.color ?? false);
    return formatOne(diagnostic, spots.get(diagnostic) ?? [], paints).join('\n');
  });
}

/** An address as a report for machines has it: line and column (from 1) are there where the text is known. */
export type LocatedAddress = Address & Partial<Position>;

export interface LocatedDiagnostic extends Omit<Diagnostic, 'at' | 'offset' | 'related'> {
  readonly at?: LocatedAddress;
  readonly related?: readonly { readonly message: string; readonly at: LocatedAddress }[];
}

/** Diagnostics with line and column at every place. */
export function locateDiagnostics(
  diagnostics: readonly Diagnostic[],
  texts: DocumentTexts,
): readonly LocatedDiagnostic[] {
  const spots = spotsOf(diagnostics, texts);
  return diagnostics.map((diagnostic) => {
    const { code, severity, message } = diagnostic;
    const all = spots.get(diagnostic) ?? [];
    const [own] = diagnostic.at === undefined ? [] : all;
    const others = all.filter((spot): spot is Spot & { readonly note: string } => spot.note !== undefined);
    return {
      code,
      severity,
      message,
      ...(own && { at: located(own) }),
      ...(others.length > 0 && { related: others.map((spot) => ({ message: spot.note, at: located(spot) })) }),
    };
  });
}

function located({ at, position }: Spot): LocatedAddress {
  return { ...at, ...position };
}

/** A place of a diagnostic: its own, or a related one that has a note. */
interface Spot {
  readonly at: Address;
  readonly note?: string;
  readonly offset?: number;
  text?: string;
  starts?: readonly number[];
  position?: Position;
}

function spotsOf(diagnostics: readonly Diagnostic[], texts: DocumentTexts): ReadonlyMap<Diagnostic, readonly Spot[]> {
  const spots = new Map<Diagnostic, readonly Spot[]>();
  const byDocument = new Map<DocumentUri, Spot[]>();
  for (const diagnostic of diagnostics) {
    const { at, offset, related = [] } = diagnostic;
    const own: Spot[] = at === undefined ? [] : [{ at, ...(offset !== undefined && { offset }) }];
    const all = [...own, ...related.map((other): Spot => ({ at: other.at, note: other.message }))];
    spots.set(diagnostic, all);
    for (const spot of all) {
      const others = byDocument.get(spot.at.document);
      if (others === undefined) byDocument.set(spot.at.document, [spot]);
      else others.push(spot);
    }
  }
  for (const [uri, found] of byDocument) {
    const document = texts.get(uri);
    if (document === undefined) continue;
    const starts = lineStarts(document.text);
    const places = found.map(({ at, offset }) => ({ pointer: at.pointer, ...(offset !== undefined && { offset }) }));
    for (const [index, position] of locateAll(document, places, starts).entries()) {
      Object.assign(found[index] as Spot, { position, text: document.text, starts });
    }
  }
  return spots;
}

function formatOne(diagnostic: Diagnostic, spots: readonly Spot[], paints: Paints): readonly string[] {
  const { code, severity, message } = diagnostic;
  const last = Math.max(1, ...spots.map(({ position }) => (position === undefined ? 1 : position.line + contextLines)));
  const gutter = ' '.repeat(String(last).length);
  const lines = [`${paints.severity(`${severity}[${code}]`)}${paints.strong(`: ${printable(message)}`)}`];
  const [first] = spots;
  for (const spot of spots) {
    if (spot.note !== undefined)
      lines.push(`${gutter} ${paints.frame('=')} ${paints.strong('note')}: ${printable(spot.note)}`);
    const [arrow = '', ...frame] = placed(spot, paints, gutter);
    // The lines around a place are shown once.
    const again =
      spot !== first && spot.at.document === first?.at.document && spot.position?.line === first.position?.line;
    lines.push(arrow, ...(again ? [] : frame));
  }
  lines.push(`${gutter} ${paints.frame('=')} ${paints.strong('fix')}: ${catalogue[code].fix}`);
  return lines;
}

function placed({ at, position, text, starts }: Spot, paints: Paints, gutter: string): readonly string[] {
  const arrow = `${gutter}${paints.frame('-->')} ${printable(at.document)}`;
  const pointer = at.pointer === '' ? '' : ` (#${printable(at.pointer)})`;
  if (position === undefined || text === undefined) return [`${arrow}${pointer}`];
  const frame = codeFrame(text, position.line, position.column, gutter.length, starts);
  const lines = frame.split('\n').map((line) => paintFrame(line, paints));
  return [`${arrow}:${position.line}:${position.column}${pointer}`, ...lines];
}

function paintFrame(line: string, paints: Paints): string {
  const bar = line.indexOf('|');
  const marker = line.slice(bar + 1);
  return `${paints.frame(line.slice(0, bar + 1))}${/^ *\^$/.test(marker) ? paints.severity(marker) : marker}`;
}

const contextLines = 2;
const widestText = 100;

/**
 * The line with two lines around it and a caret below the column (both from 1). Tabs are two spaces; long lines are cut
 * around the caret; what could steer a terminal is shown as an escape. `gutter` is the least width of the line numbers.
 */
export function codeFrame(text: string, line: number, column: number, gutter = 1, starts = lineStarts(text)): string {
  const first = Math.max(1, line - contextLines);
  const last = Math.min(starts.length, line + contextLines);
  const width = Math.max(gutter, String(last).length);
  const lineAt = (number: number): string => text.slice(starts[number - 1], starts[number]).replace(/[\r\n]+$/, '');
  const caret = display(lineAt(line).slice(0, column - 1)).length;
  const cut = caret > widestText - 20 ? caret - 40 : 0;
  const frame = [`${' '.repeat(width)} |`];
  for (let number = first; number <= last; number += 1) {
    frame.push(`${String(number).padStart(width)} | ${cutAround(lineAt(number), cut)}`.trimEnd());
    if (number === line) frame.push(`${' '.repeat(width)} | ${' '.repeat(caret - cut + (cut > 0 ? 1 : 0))}^`);
  }
  frame.push(`${' '.repeat(width)} |`);
  return frame.join('\n');
}

function cutAround(line: string, cut: number): string {
  // A minified document is one line of megabytes; only what is shown is made printable.
  const shown = display(line.slice(0, cut + 2 * widestText));
  const end = cut + widestText;
  const longer = shown.length > end || line.length > cut + 2 * widestText;
  return `${cut > 0 ? '…' : ''}${shown.slice(cut, end)}${longer ? '…' : ''}`;
}

function display(text: string): string {
  return printable(text.replaceAll('\t', '  '));
}
