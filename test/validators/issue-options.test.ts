/** How many issues are told, in whose words, and in which form. */
import { afterAll, describe, expect, test } from 'vitest';
import { basicOutput, flagOutput } from '../../src/runtime/output-format.js';
import {
  type Issue,
  isValidationError,
  type Validation,
  type ValidationOptions,
} from '../../src/runtime/validation.js';
import { description } from '../support/api-of.js';
import { loadValidators, removeModules } from '../support/generated-validators.js';

afterAll(removeModules);

const schemas = {
  List: { type: 'array', items: { type: 'integer' } },
  Union: {
    oneOf: [
      { type: 'object', required: ['a', 'b', 'c'] },
      { type: 'string', minLength: 2 },
    ],
  },
};

type Validate = (value: unknown, options?: ValidationOptions) => Validation<unknown>;

async function load(options = {}) {
  const { module } = await loadValidators({ documents: { 'api.json': description(schemas) }, ...options });
  const issues = (name: string, value: unknown, call?: ValidationOptions): readonly Issue[] => {
    const answer = (module[`validate${name}`] as Validate)(value, call);
    return answer.ok ? [] : answer.issues;
  };
  return { module, issues };
}

const texts = Array.from({ length: 50 }, () => 'x');

describe('the number of issues', () => {
  test('is 20, or what a call says, but never none', async () => {
    const { issues } = await load();
    expect(issues('List', texts)).toHaveLength(20);
    expect(issues('List', texts, { limit: 3 })).toHaveLength(3);
    expect(issues('List', texts, { limit: 1000 })).toHaveLength(50);
    expect(issues('List', texts, { limit: 0 })).toHaveLength(1);
    expect(issues('List', texts, { limit: undefined })).toHaveLength(20);
    expect(issues('Union', {}, { limit: 2 })).toHaveLength(2);
  });

  test('is what the configuration says, unless a call does', async () => {
    const { module, issues } = await load({ issueLimit: 2 });
    expect(issues('List', texts)).toHaveLength(2);
    expect(issues('List', texts, { limit: 4 })).toHaveLength(4);
    const thrown = catching(() => (module['assertList'] as Validate)(texts));
    expect(isValidationError(thrown) && thrown.issues.length).toBe(2);
  });
});

test('the index that map gives is no option', async () => {
  for (const options of [{}, { issueLimit: 2 }]) {
    const { module } = await load(options);
    const answers = [texts, [1]].map(module['validateList'] as (value: unknown, index: number) => Validation<unknown>);
    expect(answers.map((answer) => answer.ok)).toEqual([false, true]);
    const [first] = answers;
    expect(first?.ok === false && first.issues.length).toBe('issueLimit' in options ? 2 : 20);
  }
});

describe('messages', () => {
  const message: ValidationOptions['message'] = ({ keyword, params }) =>
    keyword === 'type' ? `doit être ${JSON.stringify(params['types'])}` : undefined;

  test('are replaced where a call has other words, in unions and errors, too', async () => {
    const { module, issues } = await load();
    expect(issues('List', ['x'], { message })).toMatchObject([
      { pointer: '/0', keyword: 'type', message: 'doit être ["integer"]' },
    ]);
    expect(issues('Union', {}, { message, limit: 2 }).map((issue) => issue.message)).toEqual([
      'must have the property "a"',
      'must have the property "b"',
    ]);
    const thrown = catching(() => (module['assertList'] as Validate)(['x'], { message }));
    expect(isValidationError(thrown) && thrown.message).toBe('/0 doit être ["integer"]');
  });
});

test('JSON Schema has output formats of its own', async () => {
  const { module } = await load();
  const answer = (module['validateList'] as Validate)([1, 'x']);
  expect(flagOutput(answer)).toEqual({ valid: false });
  expect(basicOutput(answer)).toEqual({
    valid: false,
    errors: [
      {
        valid: false,
        keywordLocation: '/components/schemas/List/items/type',
        absoluteKeywordLocation: 'api.json#/components/schemas/List/items/type',
        instanceLocation: '/1',
        error: 'must be an integer',
      },
    ],
  });
  expect(basicOutput(answer, 'https://example.com/v1/')).toMatchObject({
    errors: [{ absoluteKeywordLocation: 'https://example.com/v1/api.json#/components/schemas/List/items/type' }],
  });
  const right = (module['validateList'] as Validate)([]);
  expect([flagOutput(right), basicOutput(right)]).toEqual([{ valid: true }, { valid: true }]);
});

function catching(run: () => unknown): unknown {
  try {
    return run();
  } catch (fault) {
    return fault;
  }
}
