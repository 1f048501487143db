/** What is said of a value while code is planned is what the official suite says, as generated validators do. */
import { describe, expect, test } from 'vitest';
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { defaultLimits } from '../../src/load/limits.js';
import { load } from '../../src/load/load.js';
import { memoryHost } from '../../src/memory-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';
import { Validity } from '../../src/plan/samples/validity.js';
import { apiOf, description } from '../support/api-of.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from '../support/suite.js';
import { dialects } from '../support/suite-judge.js';

const suite = sharedPath('conformance/json-schema-test-suite') ?? '';

async function wrongOnes(
  groups: readonly SuiteGroup[],
  dialect: string | undefined,
  formats: boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const group of groups) {
    const object = typeof group.schema === 'boolean' ? { allOf: [group.schema] } : (group.schema as object);
    const text = JSON.stringify({ $schema: dialect, ...object });
    const host = memoryHost({ '/project/group.json': text }, { cwd: '/project', remote: readRemotes(suite) });
    const request = { entries: ['group.json'], allowRemote: ['http://localhost:1234'], limits: defaultLimits };
    const sources = await load(request, host);
    const api = sources.ok ? normalise(sources.value, defaultNormaliseOptions) : sources;
    if (!api.ok) throw new Error(`${group.name}: ${api.diagnostics.map(({ message }) => message).join(' ')}`);
    const validity = new Validity(api.value.schemas, { assertFormats: formats });
    for (const { description: about, data, valid } of group.tests) {
      const answer = validity.accepts('group.json#' as SchemaId, data as JsonValue, 'read');
      if (answer !== valid) wrong.push(`${group.name}: ${about}`);
    }
  }
  return wrong;
}

describe.skipIf(suite === '')('the official suite', () => {
  test.each(Object.keys(dialects))('%s', { timeout: 60_000 }, async (draft) => {
    expect(await wrongOnes(readSuite(suite, draft), dialects[draft], false)).toEqual([]);
  });

  test.each(Object.keys(dialects))('formats of %s', { timeout: 60_000 }, async (draft) => {
    expect(await wrongOnes(readSuite(suite, `${draft}/optional/format`), dialects[draft], true)).toEqual([]);
  });
});

describe('hostile patterns and values', () => {
  const judge = async (schema: object): Promise<(value: JsonValue) => boolean> => {
    const { api } = await apiOf({ 'api.json': description({ Case: schema }) });
    const validity = new Validity(api.schemas, { assertFormats: false });
    const [component] = api.components;
    return (value) => validity.accepts(component?.schema ?? ('' as SchemaId), value, 'read');
  };

  test.each([
    ['^(a+)+$', 'aaaa', `${'a'.repeat(60)}!`],
    ['^(a|a)*$', 'aaaa', `${'a'.repeat(60)}!`],
    ['^(?=(a+)+$)a', 'aaaa', `${'a'.repeat(60)}!`],
    ['(x+x+)+y', 'xxy', 'x'.repeat(60)],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a1Bc', 'a'.repeat(60)],
  ])(
    'a search of %s that would take years is ended, and nobody takes that for an answer',
    async (pattern, good, bad) => {
      const accepts = await judge({ type: 'string', pattern });
      const refuses = await judge({ not: { type: 'string', pattern } });
      expect([accepts(good), refuses(good)]).toEqual([true, false]);
      expect([accepts(bad), refuses(bad)]).toEqual([false, false]);
    },
  );

  test('a value that is nested without end is refused in time', async () => {
    const accepts = await judge({ anyOf: [{ items: { $ref: '#/components/schemas/Case' } }, { items: false }] });
    let deep: JsonValue = [];
    for (let level = 0; level < 200; level++) deep = [deep];
    expect(accepts([[]])).toBe(true);
    expect(accepts(deep)).toBe(false);
  });
});
