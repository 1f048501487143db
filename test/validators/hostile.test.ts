/** The hostile cases whose target is the validator. `expect` is normative there; `assert` is what is compared here. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';
import { sharedPath } from '../support/suite.js';

interface HostileCase {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly input: { readonly schema: object; readonly data: readonly unknown[] };
  readonly assert: {
    readonly valid?: readonly (boolean | null)[];
    readonly components?: { readonly schemas: Readonly<Record<string, unknown>> };
    readonly maxMs?: number;
    readonly noThrow?: true;
    readonly noPollution?: true;
    readonly fresh?: true;
    readonly note?: string;
  };
}

/** Cases that are not right yet, with the reason. */
const later: Readonly<Record<string, string>> = {
  H138: 'a union that recurses through all of its branches takes exponential time',
};

const cases = sharedPath('hostile/cases.json');
const expander = sharedPath('hostile/expand.mjs');
const all: readonly HostileCase[] = cases === undefined ? [] : JSON.parse(readFileSync(cases, 'utf8'));
const ours = all.filter((entry) => entry.target === 'validator' && !Object.hasOwn(later, entry.id));

afterAll(removeModules);

describe.skipIf(ours.length === 0)('hostile values', () => {
  test.each(ours.map((entry) => [entry.id, entry.kind, entry] as const))('%s %s', async (_id, _kind, entry) => {
    const { value: expand } = await import(pathToFileURL(expander ?? '').href);
    const { valid, components, maxMs, noPollution, fresh } = entry.assert;
    const schemas = { ...components?.schemas, Case: entry.input.schema };
    const loaded = await loadValidators({ documents: { 'case.json': description(schemas) }, assertFormats: true });
    const answers = entry.input.data.map((item) => {
      const data: unknown = expand(item);
      const before = fresh ? JSON.stringify(data) : undefined;
      loaded.is('Case', data); // the first call compiles
      const start = performance.now();
      const answer = loaded.is('Case', data);
      // Three times the limit, as the runner's rules allow on a loaded machine.
      if (maxMs !== undefined) expect(performance.now() - start).toBeLessThan(maxMs * 3);
      expect(loaded.validate('Case', data).ok).toBe(answer);
      if (fresh) expect(JSON.stringify(data)).toBe(before);
      return answer;
    });
    if (valid !== undefined) {
      expect(answers.map((answer, index) => (valid[index] === null ? null : answer))).toEqual(valid);
    }
    if (noPollution) expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });
});
