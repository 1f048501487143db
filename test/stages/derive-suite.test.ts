/** What is derived from the schemas of the official suite says of its values what the suite says, by two judges. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { generate } from '../../src/generate.js';
import type { JsonValue, SchemaId } from '../../src/ir/schema.js';
import { memoryHost } from '../../src/memory-host.js';
import { Validity } from '../../src/plan/samples/validity.js';
import { apiOf } from '../support/api-of.js';
import { readRemotes, readSuite, type SuiteGroup, sharedPath } from '../support/suite.js';
import { dialects } from '../support/suite-judge.js';

const suite = sharedPath('conformance/json-schema-test-suite') ?? '';

/** Where Ajv itself is wrong of schemas of the newest draft, as it is of the suite's own. */
const faultsOfAjv: ReadonlySet<string> = new Set([
  'enum.json: empty enum',
  'properties.json: properties whose names are Javascript object property names',
  'unevaluatedItems.json: unevaluatedItems and contains interact to control item dependency relationship',
  'unevaluatedItems.json: unevaluatedItems can see annotations from if without then and else',
  'unevaluatedItems.json: unevaluatedItems depends on adjacent contains',
  'unevaluatedItems.json: unevaluatedItems depends on multiple nested contains',
  'unevaluatedItems.json: unevaluatedItems with minContains = 0',
  'unevaluatedItems.json: unevaluatedItems with nested items',
  'unevaluatedProperties.json: unevaluatedProperties can see annotations from if without then and else',
  'unevaluatedProperties.json: unevaluatedProperties with if/then/else, then not defined',
]);

async function derivedOf({ schema, name }: SuiteGroup, dialect: string | undefined): Promise<object> {
  const object = typeof schema === 'boolean' ? { allOf: [schema] } : (schema as object);
  const text = JSON.stringify({ $schema: dialect, ...object });
  const host = memoryHost({ '/project/group.json': text }, { cwd: '/project', remote: readRemotes(suite) });
  const { files, diagnostics } = await generate(
    {
      input: 'group.json',
      refRoot: '.',
      targets: ['schemas'],
      schemas: { declarations: false },
      allowRemote: ['http://localhost:1234'],
    },
    host,
  );
  const told = diagnostics.map(({ message }) => message).join('\n');
  for (const { text: file } of files) {
    const value = JSON.parse(file) as Record<string, unknown>;
    if (value['x-source'] === 'group.json#') return value;
  }
  throw new Error(`${name}: ${told}`);
}

describe.skipIf(suite === '')('derived from the official suite', () => {
  test.each(['draft2020-12', 'draft2019-09', 'draft7'])('%s', { timeout: 240_000 }, async (draft) => {
    const wrong: string[] = [];
    for (const group of readSuite(suite, draft)) {
      const derived = await derivedOf(group, dialects[draft]);
      const { api } = await apiOf({ 'derived.json': derived });
      const validity = new Validity(api.schemas, false);
      const judging = { strict: false, validateFormats: false, ownProperties: true } as const;
      const judge = faultsOfAjv.has(group.name) ? undefined : new Ajv2020(judging).compile(derived);
      for (const { data, valid, description } of group.tests) {
        const says = validity.accepts('derived.json#' as SchemaId, data as JsonValue, 'read');
        if (says !== valid) wrong.push(`${group.name}: ${description}`);
        if (judge !== undefined && judge(data) !== valid) wrong.push(`Ajv: ${group.name}: ${description}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
