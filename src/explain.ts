/** `oasmith explain`: what a code means, why it is said and how to mend it, for people and for machines. */
import { catalogue, type DiagnosticCode } from './catalogue.js';
import type { Console } from './console.js';
import { quote } from './diagnostics.js';
import { examples } from './examples.js';
import { nearest } from './nearest.js';
import { UsageError, usageFault } from './usage.js';

interface Explaining {
  readonly out: Pick<Console, 'color' | 'print'>;
  readonly report: 'text' | 'json' | 'none';
}

const exitFine = 0;

const knownCodes = Object.keys(catalogue) as readonly DiagnosticCode[];
const severityColor = { error: 31, warning: 33, info: 36 } as const;

/** Explains the codes, or lists all where there is none. A code may stand as it is printed: `error[ref-not-found]`. Throws UsageError where there is no such code. */
export function runExplain(words: readonly string[], { out, report }: Explaining): number {
  const names = words.map((word) => /^(?:\w+)?\[([^\]]*)\]:?$/.exec(word)?.[1] ?? word);
  const codes = names.filter(isCode);
  const unknown = names.find((name) => !isCode(name));
  if (unknown !== undefined) throw new UsageError(usageFault(unknownCode(unknown)));
  if (report === 'json') {
    const entries = (codes.length === 0 ? knownCodes : codes).map(explanation);
    out.print(JSON.stringify(codes.length === 1 ? entries[0] : entries, null, 2));
  } else if (codes.length === 0) out.print(list(out.color));
  else out.print(codes.map((code) => text(code, out.color)).join('\n\n'));
  return exitFine;
}

function isCode(name: string): name is DiagnosticCode {
  return Object.hasOwn(catalogue, name);
}

function unknownCode(name: string): string {
  const meant = nearest(name, knownCodes) ?? knownCodes.find((code) => name.length > 3 && code.includes(name));
  return `unknown code ${quote(name)}${meant === undefined ? '' : `; did you mean ${quote(meant)}?`}`;
}

/** What `--report json` gives of a code. */
function explanation(code: DiagnosticCode): object {
  const { severity, title, cause, fix } = catalogue[code];
  const example = examples[code];
  return { code, severity, title, cause, fix, ...(example && { example }) };
}

type Paint = (code: number, text: string) => string;

function painter(color: boolean): Paint {
  return (code, words) => (color ? `\u001b[${code}m${words}\u001b[0m` : words);
}

function list(color: boolean): string {
  const paint = painter(color);
  const width = Math.max(...knownCodes.map((code) => code.length));
  return knownCodes
    .map((code) => {
      const { severity, title } = catalogue[code];
      return `${code.padEnd(width)}  ${paint(severityColor[severity], severity.padEnd('warning'.length))}  ${title}`;
    })
    .join('\n');
}

function text(code: DiagnosticCode, color: boolean): string {
  const paint = painter(color);
  const { severity, title, cause, fix } = catalogue[code];
  const example = examples[code];
  return [
    `${paint(severityColor[severity], `${severity}[${code}]`)}: ${title}`,
    '',
    `${paint(1, 'cause')}  ${cause}`,
    `${paint(1, 'fix')}    ${fix}`,
    ...(example
      ? ['', paint(1, 'wrong'), indented(example.wrong), '', paint(1, 'right'), indented(example.right)]
      : []),
  ].join('\n');
}

function indented(lines: string): string {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n');
}
