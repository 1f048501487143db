/** What plan decides for the client: defaults that are sent, mirrored headers, names, and nothing of the document as code. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import type { Options } from '../../src/config.js';
import { Collector } from '../../src/diagnostics.js';
import type { Parameter } from '../../src/ir/api.js';
import { planNames } from '../../src/plan/names.js';
import { operationInput } from '../../src/plan/operation-input.js';
import type { PlanContext } from '../../src/plan/target.js';
import { plainModes } from '../../src/plan/target.js';
import { clientTarget } from '../../src/plan/targets/client.js';
import { operationsTarget } from '../../src/plan/targets/operations.js';
import { apiOf } from '../support/api-of.js';
import { compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { mcp } from '../support/mcp.js';
import { pets } from '../support/pets.js';

async function contextOf(document: object): Promise<PlanContext> {
  const { api } = await apiOf({ 'api.json': document });
  const report = new Collector();
  return {
    api,
    names: planNames(api, new Map(), report),
    options: {
      targets: ['types', 'operations', 'client'],
      frameworks: [],
      importExtension: '.js',
      headersFromBody: [],
      sendDefaults: true,
      pins: new Map(),
      schemas: { folder: 'schemas/', declarations: true },
      assertFormats: false,
      layout: 'single',
      ...plainModes,
    },
    report,
  };
}

function describing(parameter: object): object {
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { operationId: 'a', parameters: [parameter], responses: { '204': { description: 'x' } } } } },
  };
}

async function inputOf(parameter: object): Promise<{ required: boolean; default: unknown; codes: string[] }> {
  const context = await contextOf(describing(parameter));
  const [operation] = context.api.operations;
  if (!operation) throw new Error('no operation');
  const [input] = operationInput(context, operation).parameters;
  return {
    required: input?.required ?? false,
    default: input?.default,
    codes: context.report.diagnostics.map(({ code }) => code),
  };
}

describe('defaults', () => {
  const required = { name: 'v', in: 'query' satisfies Parameter['in'], required: true };

  test.each([
    [{ type: 'string', default: '2026-07-28' }, '2026-07-28'],
    [{ type: 'integer', minimum: 1, default: 20 }, 20],
    [{ type: 'boolean', default: false }, false],
    [{ type: 'string', enum: ['a', 'b'], default: 'b' }, 'b'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^x' }], default: 'xy' }, 'xy'],
  ])('%j is sent', async (schema, value) => {
    expect(await inputOf({ ...required, schema })).toEqual({
      required: false,
      default: value,
      codes: ['default-sent'],
    });
  });

  test.each([
    [{ type: 'string', default: '{{token}}' }],
    [{ type: 'string', default: '${KEY}' }],
    [{ type: 'string', default: '<your key>' }],
    [{ type: 'string', default: 'Put your key here' }],
    [{ type: 'string', default: '' }],
    [{ type: 'string' }],
  ])('%j is no value: the caller gives it', async (schema) => {
    expect(await inputOf({ ...required, schema })).toEqual({ required: true, default: undefined, codes: [] });
  });

  test.each([
    [{ type: 'integer', default: '3' }],
    [{ type: 'integer', maximum: 2, default: 3 }],
    [{ type: 'string', enum: ['a'], default: 'b' }],
    [{ type: 'string', pattern: '^x', default: 'y' }],
    [{ type: 'string', maxLength: 1, default: 'yy' }],
    [{ type: 'array', items: {}, default: [] }],
  ])('%j does not fit its schema', async (schema) => {
    expect(await inputOf({ ...required, schema })).toEqual({
      required: true,
      default: undefined,
      codes: ['default-invalid'],
    });
  });

  test('of an optional parameter is documentation', async () => {
    const schema = { type: 'integer', default: 20 };
    expect(await inputOf({ ...required, required: false, schema })).toEqual({
      required: false,
      default: undefined,
      codes: [],
    });
  });

  test('are off by option', async () => {
    const result = await generateFrom(describing({ ...required, schema: { type: 'integer', default: 1 } }), {
      sendDefaults: false,
    });
    expect(result.files.find(({ path }) => path === 'client.ts')?.text).not.toContain('default:');
    expect(result.diagnostics).toEqual([]);
  });
});

describe('mirrored headers', () => {
  const mirror = async (headersFromBody: NonNullable<Options['headersFromBody']>): Promise<string[]> => {
    const { diagnostics } = await generateFrom(mcp, { headersFromBody });
    return diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code}: ${message}`);
  };

  test('may be named by method and path', async () => {
    expect(await mirror({ 'POST /mcp': { 'mcp-name': '$request.body#/params/a~1b' } })).toEqual([]);
  });

  test.each([
    ['an operation', { nobody: { 'Mcp-Name': '$request.body#/method' } }],
    ['a header', { mcpRpc: { 'X-None': '$request.body#/method' } }],
    ['a member', { mcpRpc: { 'Mcp-Name': '$request.body#/metod' } }],
    ['a deeper member', { mcpRpc: { 'Mcp-Name': '$request.body#/method/x' } }],
    ['another expression', { mcpRpc: { 'Mcp-Name': '$request.query.method' } }],
  ])('%s that is not there is an error', async (_, headersFromBody) => {
    const [error, ...rest] = await mirror(headersFromBody);
    expect(error).toMatch(/^mirror-unknown: /);
    expect(rest).toEqual([]);
  });

  test.each([
    { mcpRpc: { 'Mcp-Name': '$request.body#/method', 'mcp-name': '$request.body#/id' } },
    { mcpRpc: { 'Mcp-Name': '$request.body#/method' }, 'POST /mcp': { 'Mcp-Name': '$request.body#/id' } },
  ])('a header that is named twice is an error: %j', async (headersFromBody) => {
    const [error, ...rest] = await mirror(headersFromBody);
    expect(error).toMatch(/^mirror-unknown: .* are the same header$/);
    expect(rest).toEqual([]);
  });
});

describe('the plan', () => {
  test('is the same each time and changes nothing that it is given', async () => {
    const context = await contextOf(pets);
    deepFreeze(context.api.operations);
    const plan = (): string => JSON.stringify([operationsTarget.plan(context), clientTarget.plan(context)]);
    expect(plan()).toBe(plan());
  });

  test('says what a document without operations lacks', async () => {
    const result = await generateFrom({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });
    expect(result.ok).toBe(true);
    expect(result.diagnostics.map(({ code }) => code)).toEqual(['nothing-to-generate']);
  });

  test('a header of the connection is no argument, and that is said', async () => {
    expect((await inputOf({ name: 'Host', in: 'header', schema: { type: 'string' } })).codes).toEqual([
      'parameter-ignored',
    ]);
  });
});

/** Every identifier of the code: what strings and comments hold is none. */
function identifiersOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022));
  return found;
}

function deepFreeze(value: unknown): void {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    pending.push(...Object.values(next));
  }
}

describe('a hostile document', () => {
  const evil = `"\`\${globalThis.__PWNED = 1}*/ '\\\u2028\n</script>{{x}}`;

  const hostile = {
    openapi: '3.1.0',
    info: { title: evil, version: '1' },
    security: [{ [evil]: [] }],
    components: { securitySchemes: { [evil]: { type: 'apiKey', in: 'query', name: evil, description: evil } } },
    paths: {
      [`/a ${evil.replaceAll(/[{}]/g, '')}`]: {
        post: {
          operationId: evil,
          summary: evil,
          description: evil,
          parameters: [
            {
              name: evil,
              in: 'query',
              required: true,
              description: evil,
              schema: { type: 'string', default: evil, enum: [evil] },
            },
          ],
          requestBody: { content: { 'text/*': {}, '*/*': {} } },
          responses: {
            '200': {
              description: evil,
              content: { '*/*': { schema: { type: 'object', properties: { [evil]: {} } } } },
            },
            default: { description: evil, headers: { 'X-A`': { schema: { enum: [evil] } } } },
          },
        },
      },
    },
  };

  test.each(compilers)('makes code that %s accepts, and none of its own', async (_, compiler) => {
    const result = await generateFrom(hostile);
    expect(await withOutput(result, {}, (folder) => compile(folder, compiler))).toBe('');
    for (const { text } of result.files) {
      expect(text).not.toContain('\u2028');
      expect(identifiersOf(text)).not.toContain('__PWNED');
    }
  });
});
