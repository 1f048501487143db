/** A description twice over is one that the generator takes, with twice of everything. */
import { expect, test } from 'vitest';
import { apiOf, description } from '../support/api-of.js';
import type { JsonObject } from '../support/component-schemas.js';
import { doubled } from './double.js';

const pets = {
  ...description(
    {
      Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog/allOf/0' }] },
      Cat: { type: 'object', properties: { friend: { $ref: '#/components/schemas/Pet' } } },
      Dog: { allOf: [{ type: 'object' }] },
    },
    {
      '/pets/{id}': {
        get: {
          operationId: 'getPet',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { 200: { $ref: '#/components/responses/One' } },
          security: [{ token: [] }],
        },
      },
    },
  ),
} as unknown as JsonObject;
const schema = { $ref: '#/components/schemas/Pet' };
const components = {
  ...(pets['components'] as JsonObject),
  headers: { 'x-count': { schema: { type: 'integer' } } },
  responses: {
    One: {
      description: 'one',
      headers: { 'x-count': { $ref: '#/components/headers/x-count' } },
      content: { 'application/json': { schema } },
    },
  },
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
};

test('every part is there twice, and the copies keep to themselves', async () => {
  const single = { ...pets, components };
  const { api, diagnostics } = await apiOf({ 'twice.json': doubled(single) });
  expect(diagnostics).toEqual([]);
  expect(api.operations.map(({ operationId, path }) => [operationId, path.text])).toEqual([
    ['getPet', '/pets/{id}'],
    ['getPetCopy', '/pets/{id}/Copy'],
  ]);
  expect(api.components.map(({ name }) => name)).toEqual(['Pet', 'Cat', 'Dog', 'PetCopy', 'CatCopy', 'DogCopy']);
  const reached = [...api.referenced].map((id) => id.slice(id.lastIndexOf('schemas/')));
  expect(reached.sort()).toEqual(
    ['Cat', 'CatCopy', 'Dog/allOf/0', 'DogCopy/allOf/0', 'Pet', 'PetCopy'].map((name) => `schemas/${name}`).sort(),
  );
  const once = await apiOf({ 'once.json': single });
  expect(api.schemas.size).toBe(2 * once.api.schemas.size);
  expect(api.securitySchemes).toHaveLength(1);
});
