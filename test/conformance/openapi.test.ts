/** The same as `npm run conformance:openapi`. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shared, sharedTitle } from '../support/paths.js';
import { judgeDocument, passDocuments, unneededExceptions } from './documents.js';

describe.skipIf(shared === undefined)(sharedTitle('documents of the OpenAPI Specification'), () => {
  const folder = join(shared ?? '', 'conformance/openapi');
  const documents = shared === undefined ? [] : passDocuments(folder);

  test.each(documents)('%s', async (document) => {
    expect((await judgeDocument(folder, document)).problems).toEqual([]);
  });

  test('every exception is needed, and there are documents of each version', () => {
    expect(unneededExceptions(documents)).toEqual([]);
    const versions = new Set(documents.map((document) => document.split('/')[0]));
    expect([...versions]).toEqual(['v3.0', 'v3.1', 'v3.2']);
  });
});
