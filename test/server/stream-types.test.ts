/** The example of the README's section on streams, compiled under the strictest options by both compilers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compile, compilers, generateFrom, withOutput } from '../support/generated-client.js';
import { repository } from '../support/paths.js';

const object = (properties: object): object => ({ type: 'object', required: Object.keys(properties), properties });
const text = { type: 'string' };
const integer = { type: 'integer' };
const named = (event: string, data: object): object => ({
  type: 'object',
  properties: { event: { const: event }, data },
});
const ok = (type: string, media: object): object => ({ 200: { description: 'd', content: { [type]: media } } });

const document = {
  openapi: '3.2.0',
  info: { title: 't', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'followOrders',
        responses: ok('text/event-stream', {
          itemSchema: {
            oneOf: [named('placed', object({ id: text, total: integer })), named('failed', object({ title: text }))],
          },
        }),
      },
      post: {
        operationId: 'importOrders',
        requestBody: {
          required: true,
          content: { 'application/x-ndjson': { itemSchema: object({ total: integer }) } },
        },
        responses: ok('application/json', { schema: object({ count: integer }) }),
      },
    },
  },
};

const around = `
import { createClient } from './index.js';
const client = createClient({ baseUrl: 'https://example.com' });
declare const console: Record<'log', (...all: unknown[]) => void>;
declare const orders: { subscribe(on: (order: { id: string; total: number }) => void): () => void };
`;

/** The code blocks of a section, with its imports led to the output. */
function examplesOf(section: string): string {
  const page = readFileSync(join(repository, 'README.md'), 'utf8');
  const start = page.indexOf(`\n## ${section}\n`);
  const part = page.slice(start, page.indexOf('\n## ', start + 1));
  const blocks = [...part.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  return blocks.join('\n').replaceAll('./shop-api/', './');
}

test.each(compilers)('the example compiles with %s', async (_, compiler) => {
  const result = await generateFrom(document, { targets: ['client', 'server'] });
  const use = `${around}${examplesOf('Streams')}\nvoid [handlers, options];\n`;
  expect(use).toContain('createEventQueue');
  expect(await withOutput(result, { 'use.ts': use }, (folder) => compile(folder, compiler))).toBe('');
});
