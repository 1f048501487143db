/** `oasmith explain`: every code has complete text, and its examples say what they claim. */
import { describe, expect, test } from 'vitest';
import { catalogue, type DiagnosticCode } from '../src/catalogue.js';
import { exampleHead, examples } from '../src/examples.js';
import { runExplain } from '../src/explain.js';
import { generate } from '../src/generate.js';
import { memoryHost } from '../src/memory-host.js';
import { UsageError } from '../src/usage.js';
import { oasmith, recording } from './support/command-line.js';
import { repository } from './support/paths.js';

const codes = Object.keys(catalogue) as readonly DiagnosticCode[];

function explain(words: readonly string[], report: 'text' | 'json' | 'none' = 'none') {
  const out = recording();
  return { exit: runExplain(words, { out, report }), out };
}

function faultOf(word: string): string | undefined {
  try {
    explain([word]);
  } catch (error) {
    if (error instanceof UsageError) return error.faults[0]?.message;
  }
  return undefined;
}

async function codesOf(text: string): Promise<readonly string[]> {
  const host = memoryHost({ 'api.yaml': exampleHead + text });
  const { diagnostics } = await generate({ input: 'api.yaml' }, host);
  return diagnostics.map(({ code }) => code);
}

describe('explain', () => {
  test.each(codes)('%s has a severity, a title, a cause and a fix, as text and as JSON', (code) => {
    const { exit, out } = explain([code]);
    const { severity, title, cause, fix } = catalogue[code];
    expect(exit).toBe(0);
    expect(out.stdout.startsWith(`${severity}[${code}]: ${title}\n\ncause  ${cause}\nfix    ${fix}\n`)).toBe(true);
    const example = examples[code];
    expect(JSON.parse(explain([code], 'json').out.stdout)).toEqual({
      code,
      severity,
      title,
      cause,
      fix,
      ...(example && { example }),
    });
  });

  test('without a code lists all of them, a line each', () => {
    const lines = explain([]).out.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(codes);
    const list = JSON.parse(explain([], 'json').out.stdout) as readonly { code: string }[];
    expect(list.map(({ code }) => code)).toEqual(codes);
  });

  test('takes several codes, and one as it is printed', () => {
    const { out } = explain(['error[ref-not-found]:', 'path-extra']);
    expect(out.stdout).toMatch(/^error\[ref-not-found\][\s\S]*\n\nwarning\[path-extra\]/);
    expect(JSON.parse(explain(['[ref-remote]'], 'json').out.stdout)).toMatchObject({ code: 'ref-remote' });
  });

  test('names the nearest code where there is none, safely', () => {
    expect(faultOf('ref-notfound')).toBe('unknown code "ref-notfound"; did you mean "ref-not-found"?');
    expect(faultOf('siblings')).toBe('unknown code "siblings"; did you mean "ref-siblings"?');
    expect(faultOf('\u001b[2Jxxxxxxxxxxxxxxxxxxxx')).toMatch(/^unknown code "\\u001b\[2Jx/);
  });

  test.each(Object.keys(examples) as readonly DiagnosticCode[])('the example of %s is true', async (code) => {
    const { wrong = '', right = '' } = examples[code] ?? {};
    expect(await codesOf(wrong)).toContain(code);
    expect(await codesOf(right)).not.toContain(code);
  });

  test('is a command of the tool', async () => {
    const { exit, stdout } = await oasmith(repository, ['explain', 'ref-remote', '--report', 'json']);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { code: 'ref-remote' }]);
    const wrong = await oasmith(repository, ['explain', 'reff-remote', '--report', 'json']);
    expect([wrong.exit, JSON.parse(wrong.stdout)]).toMatchObject([
      2,
      { ok: false, diagnostics: [{ code: 'usage-invalid' }] },
    ]);
  });
});
