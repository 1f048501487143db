/** What is an annotation until somebody asks for it: content, formats of the user's own, and formats by meta-schema. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { description } from '../support/api-of.js';
import { generateValidators, loadValidators, removeModules, temporaryFolder } from '../support/generated-validators.js';

afterAll(removeModules);

describe('content', () => {
  const schemas = {
    Pet: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, child: { $ref: '#/components/schemas/Pet' } },
    },
    Case: {
      type: 'object',
      properties: {
        bytes: { type: 'string', contentEncoding: 'base64' },
        json: { type: 'string', contentMediaType: 'application/json' },
        pet: {
          type: 'string',
          contentMediaType: 'application/vnd.pet+json; charset=utf-8',
          contentSchema: { $ref: '#/components/schemas/Pet' },
        },
        coded: {
          type: 'string',
          contentEncoding: 'base64url',
          contentMediaType: 'application/json',
          contentSchema: { type: 'array', maxItems: 1 },
        },
        free: { type: 'string', contentSchema: { type: 'array' } },
        other: { type: 'string', contentEncoding: 'quoted-printable', contentMediaType: 'application/json' },
        image: { type: 'string', contentMediaType: 'image/png' },
        either: { type: ['string', 'number'], contentEncoding: 'base16' },
      },
    },
  };

  test('is checked on request', async () => {
    const loaded = await loadValidators({ documents: { 'api.json': description(schemas) }, assertContent: true });
    const issues = (value: object): readonly string[] =>
      loaded.issues('Case', value).map(({ pointer, message }) => `${pointer} ${message}`);
    const right = {
      bytes: 'eyJhIjoxfQ==',
      json: ' [1] ',
      pet: '{"name":"a","child":{"name":"b"}}',
      coded: 'W10',
      free: 'anything',
      other: '=3D',
      image: 'x',
      either: 5,
    };
    expect(issues(right)).toEqual([]);
    expect(issues({ bytes: 'a%==' })).toEqual(['/bytes must be bytes in base64']);
    expect(issues({ json: '{:}' })).toEqual(['/json must hold a document of the type application/json']);
    expect(issues({ pet: '{"name":"a","child":{}}' })).toEqual([
      '/pet must hold a document as its schema describes it',
    ]);
    expect(issues({ coded: 'WzEsMl0' })).toEqual(['/coded must hold a document as its schema describes it']);
    expect(issues({ coded: 'wyg' })).toEqual(['/coded must hold a document of the type application/json']);
    expect(issues({ either: 'abc' })).toEqual(['/either must be bytes in base16']);
    // A text that is nested too deep is no document, and nothing breaks.
    const deep = `${'{"name":"a","child":'.repeat(3000)}{}${'}'.repeat(3000)}`;
    expect(loaded.is('Case', { pet: deep })).toBe(false);
  });

  test('is an annotation otherwise', async () => {
    const loaded = await loadValidators({ documents: { 'api.json': description(schemas) } });
    expect(loaded.is('Case', { bytes: '%', json: '{:}', pet: '{}' })).toBe(true);
    expect(loaded.result.files.some(({ path }) => path === 'runtime/content.ts')).toBe(false);
  });

  test.each([
    ['base64', ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'YQ=', 'Y===', 'YW_j', 'YWJj\n']],
    ['base64url', ['', 'YQ', 'YQ==', 'YW_j'], ['Y', 'YW+j']],
    ['base32', ['', 'ME======', 'MFRA====', 'MFRGG===', 'MFRGGZA=', 'MFRGGZDF'], ['ME', 'me======', 'MF1A====']],
    ['base32hex', ['C4======', 'C5H66P35'], ['CZ======']],
    ['base16', ['', '00ff', 'AB'], ['0', 'xy']],
  ])('%s', async (contentEncoding, right, wrong) => {
    const loaded = await loadValidators({
      documents: { 'api.json': description({ Case: { type: 'string', contentEncoding } }) },
      assertContent: true,
    });
    expect(right.filter((text) => !loaded.is('Case', text))).toEqual([]);
    expect(wrong.filter((text) => loaded.is('Case', text))).toEqual([]);
  });

  test('is decoded by each encoding', async () => {
    const coded = {
      base64: 'eyJhIjoiw6kifQ==',
      base64url: 'eyJhIjoiw6kifQ',
      base32: 'PMRGCIR2ELB2SIT5',
      base32hex: 'FCH628HQ4B1QI8JT',
      base16: '7b2261223a22c3a9227d',
    };
    for (const [contentEncoding, text] of Object.entries(coded)) {
      const schema = {
        type: 'string',
        contentEncoding,
        contentMediaType: 'application/json',
        contentSchema: { const: { a: 'é' } },
      };
      const loaded = await loadValidators({
        documents: { 'api.json': description({ Case: schema }) },
        assertContent: true,
      });
      expect(loaded.issues('Case', text), contentEncoding).toEqual([]);
    }
  });
});

describe('formats of the user', () => {
  const schemas = {
    Account: {
      type: 'object',
      properties: { iban: { type: 'string', format: 'iban' }, mail: { type: 'string', format: 'email' } },
    },
  };

  test('are checked by the function that the configuration names', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'formats.mjs'), 'export const isIban = (text) => text.startsWith("DE");');
    const from = join(folder, 'formats.mjs');
    const documents = { 'api.json': description(schemas) };
    const formats = { iban: { from, name: 'isIban' }, email: { from, name: 'isIban' } };
    const loaded = await loadValidators({ documents, formats });
    expect(loaded.text('validators.ts')).toContain(`import { isIban as $format1_isIban } from "${from}";`);
    expect(loaded.is('Account', { iban: 'DE1', mail: 'DE2' })).toBe(true);
    expect(loaded.issues('Account', { iban: 'XX' })).toMatchObject([
      { pointer: '/iban', keyword: 'format', params: { format: 'iban' }, message: 'must be a valid iban' },
    ]);
    expect(loaded.is('Account', { mail: 'a@b.example' })).toBe(false);
  });

  test('are imported from where the output lies', async () => {
    const documents = { 'api.json': description(schemas) };
    const formats = { iban: { from: './checks/iban.js', name: 'isIban' } };
    const text = async (options: object): Promise<string> => {
      const { files } = await generateValidators({ documents, formats, ...options });
      return files.find(({ path }) => path === 'validators.ts')?.text ?? '';
    };
    expect(await text({ output: 'src/api' })).toContain('from "../../checks/iban.js";');
    expect(await text({ output: 'checks' })).toContain('from "./iban.js";');
    expect(await text({ formats: { iban: { from: '@acme/formats', name: 'isIban' } } })).toContain(
      'from "@acme/formats";',
    );
  });
});
