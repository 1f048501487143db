/** A fast part of the hostile cases, and all of the client; `npm run hostile` runs all of them. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildIfStale } from '../support/build.js';
import { shared, sharedTitle } from '../support/paths.js';
import { type HostileCase, readCases } from './cases.js';
import { expandText, expandValue, type Json } from './expand.js';
import { judgeAll } from './run.js';

const chosen = 'H001 H004 H009 H011 H013 H015 H022 H023 H024 H027 H028 H033 H037 H039 H043 H046 H078 H079'.split(' ');

describe.skipIf(shared === undefined)(sharedTitle('hostile documents'), () => {
  const all = shared === undefined ? [] : readCases(join(shared, 'hostile/cases.json'));
  const cases = all.filter(({ id, target }) => chosen.includes(id) || target === 'client');
  let judged: ReadonlyMap<string, readonly string[]> = new Map();

  beforeAll(async () => {
    await buildIfStale();
    judged = await judgeAll(cases);
  }, 300_000);

  test('the chosen cases are there', () => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(chosen));
    expect(cases.length).toBeGreaterThanOrEqual(chosen.length + 16);
  });

  test.each(cases.map(({ id }) => id))('%s', (id) => {
    expect(judged.get(id)).toEqual([]);
  });
});

describe('the runner', () => {
  const document: Json = {
    openapi: '3.1.0',
    info: { title: 'Plain', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok' } } } } },
  };
  const plain = (id: string, assert: { [key: string]: Json }, more: { [key: string]: Json } = {}): HostileCase => ({
    id,
    kind: 'control',
    target: 'generator',
    input: { ...document, ...more },
    expect: '',
    assert,
  });

  test('fails a case that it does not understand, and one whose assertion does not hold', async () => {
    await buildIfStale();
    const judged = await judgeAll([
      plain('unknown-key', { surprise: true }),
      plain('unknown-input', {}, { strange: 1 }),
      plain('wrong', { generation: 'reject', literals: ['nowhere'], operations: 2, noIdentifier: 'a' }),
      plain('right', { generation: 'ok', parses: true, typechecks: true, operations: 1, noIdentifier: '__PWNED' }),
    ]);
    expect(judged.get('unknown-key')).toEqual(['the runner does not know surprise']);
    expect(judged.get('unknown-input')).toEqual(['the runner does not know strange']);
    expect(judged.get('wrong')?.length).toBeGreaterThanOrEqual(5);
    expect(judged.get('right')).toEqual([]);
  }, 120_000);

  test('expands every encoding', () => {
    expect(expandText({ $repeat: { text: 'ab', times: 3 } })).toBe('ababab');
    expect(expandText({ $nest: { open: '[', core: '1', close: ']', times: 2 } })).toBe('[[1]]');
    expect(expandText({ $concat: ['a', { $repeat: { text: 'b', times: 2 } }] })).toBe('abb');
    expect(expandValue({ $json: '{"__proto__":1}' })).toEqual(JSON.parse('{"__proto__":1}'));
    expect(expandValue({ $array: { of: { $code: 'i * 2' }, times: 3 } })).toEqual([0, 2, 4]);
    expect(expandValue({ $keys: { of: 'k', times: 2 } })).toEqual({ k0: 1, k1: 1 });
    expect(Object.keys(expandValue(JSON.parse('{"__proto__":{"a":1}}')) as object)).toEqual(['__proto__']);
  });
});
