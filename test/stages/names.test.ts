import { describe, expect, it } from 'vitest';
import { Collector } from '../../src/diagnostics.js';
import { camelCase, pascalCase } from '../../src/plan/identifiers.js';
import { planNames } from '../../src/plan/names.js';
import { apiOf, description } from '../support/api-of.js';

async function namesOf(
  document: object,
): Promise<{ types: string[]; functions: string[]; validators: string[]; codes: string[]; said: string[] }> {
  const { api } = await apiOf({ 'api.json': document });
  const report = new Collector();
  const names = planNames(api, new Map(), report);
  return {
    types: names.types.map((entry) => entry.name),
    functions: api.operations.map((operation) => names.operationOf(operation).function),
    validators: names.validators.map((entry) => entry.names.validate),
    codes: report.diagnostics.map((entry) => entry.code),
    said: report.diagnostics.map((entry) => entry.message),
  };
}

describe('identifiers', () => {
  it.each([
    ['simple-user', 'SimpleUser'],
    ['Retirement401k', 'Retirement401k'],
    ['Größe', 'Größe'],
    ['用户', '用户'],
    ['pet_v2', 'PetV2'],
    ['401k', '_401k'],
    ['a.b/c', 'ABC'],
    ['$ref', 'Ref'],
    ['', ''],
    ['***', ''],
  ])('%j as a type is %j', (text, name) => {
    expect(pascalCase(text)).toBe(name);
  });

  it.each([
    ['list.Items', 'listItems'],
    ['GetUser', 'getUser'],
    ['HTTPGet', 'httpGet'],
    ['GET', 'get'],
    ['class', 'class_'],
    ['then', 'then_'],
    ['__proto__', 'proto'],
    ['get-user', 'getUser'],
  ])('%j as a function is %j', (text, name) => {
    expect(camelCase(text)).toBe(name);
  });

  it('cuts very long names and keeps them apart', () => {
    const [left, right] = [pascalCase(`${'a'.repeat(500)}x`), pascalCase(`${'a'.repeat(500)}y`)];
    expect(left.length).toBeLessThanOrEqual(110);
    expect(left).not.toBe(right);
  });
});

describe('names', () => {
  const object = { type: 'object', properties: { id: { type: 'string' } } };
  const operation = (id: string): object => ({
    operationId: id,
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: object } } } },
  });

  it('gives a component its own name, and derived names yield', async () => {
    const document = description(
      { GetPetInput: object, GetPetResult: object, Pet: object },
      { '/pet': { get: operation('getPet') } },
    );
    const { types } = await namesOf(document);
    expect(types).toEqual(expect.arrayContaining(['GetPetInput', 'GetPetResult', 'Pet', 'GetPet200Body']));
  });

  it('tells names apart by more than case, and keeps the one that is spelt as it will be named', async () => {
    const { types, codes } = await namesOf(description({ FooBarId: object, FooBarID: object, 'foo-bar-id': object }));
    expect(new Set(types.map((name) => name.toLowerCase())).size).toBe(3);
    expect(codes).toContain('name-changed');
  });

  it('says what is taken, not what was wanted', async () => {
    expect((await namesOf(description({ PET: object, Pet: object }))).said).toEqual([
      '"Pet" is named "Pet2", because "PET" is taken',
    ]);
  });

  it('does not depend on the order of the document', async () => {
    const schemas = { 'get-user': object, get_user: object, GetUser: object, getUser: object };
    const paths = {
      '/a': { get: operation('get-user') },
      '/b': { get: operation('get_user') },
      '/c': { get: operation('getUser') },
    };
    const forward = await namesOf(description(schemas, paths));
    const reverse = <T>(record: Record<string, T>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).reverse());
    const backward = await namesOf(description(reverse(schemas), reverse(paths)));
    expect([...backward.types].sort()).toEqual([...forward.types].sort());
    expect([...backward.functions].reverse()).toEqual(forward.functions);
    expect(forward.functions[2]).toBe('getUser');
  });

  it('names inline bodies by their context, and large inline objects by the way to them', async () => {
    const large = {
      type: 'object',
      properties: Object.fromEntries([...'abcdefgh'].map((name) => [name, { type: 'string' }])),
    };
    const document = description(
      { Order: { type: 'object', properties: { lines: { type: 'array', items: large } } } },
      {
        '/orders': {
          post: { ...operation('createOrder'), requestBody: { content: { 'application/json': { schema: object } } } },
        },
      },
    );
    const { types } = await namesOf(document);
    expect(types).toEqual(['Order', 'CreateOrderBody', 'CreateOrder200Body', 'OrderLinesItem']);
  });

  it('falls back to method and path where there is no operationId', async () => {
    const { functions } = await namesOf(
      description(
        {},
        {
          '/pets/{id}/photos': {
            get: {
              parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
              responses: {},
            },
          },
        },
      ),
    );
    expect(functions).toEqual(['getPetsByIdPhotos']);
  });

  it('warns of names that only look different', async () => {
    const { codes } = await namesOf(description({ Paypal: object, 'P\u0430ypal': object }));
    expect(codes).toContain('name-lookalike');
  });
});

describe('a component that is only a reference', () => {
  const object = { type: 'object', properties: { id: { type: 'string' } } };
  const files = {
    'shop.json': { ...object, properties: { next: { $ref: '#' } } },
    'parts.json': { Line: object },
    'way.json': { $ref: 'shop.json' },
    'common.json': { $defs: { Store: object, Pet: object, Rate: { ...object, required: ['id'] } } },
  };
  async function typesOf(schemas: Readonly<Record<string, object>>): Promise<readonly string[]> {
    const { api } = await apiOf({ 'api.json': description(schemas), ...files });
    return planNames(api, new Map(), new Collector()).types.map(({ name }) => name);
  }
  const to = ($ref: string) => ({ $ref });

  it('gives its name to what it leads to, through other files, in every order', async () => {
    const schemas = { Shop: to('way.json'), Pet: to('common.json#/$defs/Pet'), Cost: to('#/components/schemas/Shop') };
    expect([...(await typesOf(schemas))].sort()).toEqual(['Cost', 'Pet', 'Shop']);
    const turned = Object.fromEntries(Object.entries(schemas).reverse());
    expect([...(await typesOf(turned))].sort()).toEqual(['Cost', 'Pet', 'Shop']);
  });

  it('leaves alone what another component names, too, and what its author named', async () => {
    expect(await typesOf({ A: to('shop.json'), B: to('shop.json') })).toEqual(['A', 'B', 'Shop']);
    expect(await typesOf({ Outlet: to('common.json#/$defs/Store') })).toEqual(['Outlet', 'Store']);
    expect(await typesOf({ Row: to('parts.json#/Line') })).toEqual(['Row', 'Line']);
    const taken = { Store: object, Outlet: to('common.json#/$defs/Store') };
    expect(await typesOf(taken)).toEqual(['Store', 'Outlet']);
  });

  it('is a type of its own where it says more', async () => {
    const types = await typesOf({ Shop: { $ref: 'shop.json', description: 'Ours.' } });
    expect(types).toEqual(['Shop', 'ShopFromShop']);
  });

  it('takes a pinned name with it', async () => {
    const { api } = await apiOf({ 'api.json': description({ Shop: to('shop.json') }), ...files });
    const names = planNames(api, new Map([['Shop', 'Store']]), new Collector());
    expect(names.types.map(({ name }) => name)).toEqual(['Store']);
    const [component] = api.components;
    expect(component && names.typeOf(component.schema, 'read')).toBe('Store');
    expect(component && names.validatorOf(component.schema, 'read')?.validate).toBe('validateStore');
  });
});
