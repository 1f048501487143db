/** The "Style Examples" of OpenAPI 3.0.4, 3.1.1 and 3.2.0, and what those tables leave open: what each is on the wire. */
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, type SeenRequest, serve } from '../support/http-server.js';

type Call = (client: unknown, input?: object) => Promise<unknown>;

interface Api {
  readonly createClient: (options?: object) => unknown;
  readonly isCallError: (value: unknown) => boolean;
  readonly [operation: string]: unknown;
}

const any = { type: ['string', 'number', 'boolean', 'array', 'object', 'null'] };

interface Style {
  readonly in: string;
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved?: boolean;
}

const placesOf: Readonly<Record<string, readonly string[]>> = {
  path: ['matrix', 'label', 'simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

const styles: readonly Style[] = Object.entries(placesOf).flatMap(([place, list]) =>
  list.flatMap((style) =>
    [false, true].flatMap((explode) => [
      { in: place, style, explode },
      ...(place === 'header' || style === 'cookie' ? [] : [{ in: place, style, explode, allowReserved: true }]),
    ]),
  ),
);

function nameOf({ in: place, style, explode, allowReserved }: Style): string {
  return [place, style, explode ? 'exploded' : 'joined', ...(allowReserved ? ['reserved'] : [])].join('_');
}

const parameter = (style: Style) => ({ name: 'color', required: style.in === 'path', schema: any, ...style });
const content = (place: string, type: string, schema: object) => ({
  get: {
    operationId: `${place}_${type.split('/')[1]}`,
    parameters: [{ name: 'color', in: place, required: place === 'path', content: { [type]: { schema } } }],
    responses: {},
  },
});

const document = {
  openapi: '3.2.0',
  info: { title: 'Styles', version: '1' },
  paths: Object.fromEntries([
    ...styles.map((style) => [
      style.in === 'path' ? `/${nameOf(style)}/map{color}` : `/${nameOf(style)}`,
      { get: { operationId: nameOf(style), parameters: [parameter(style)], responses: {} } },
    ]),
    ...Object.keys(placesOf).flatMap((place) =>
      [['application/json', any] as const, ['text/plain', { type: 'string' }] as const].map(([type, schema]) => [
        `/${place}/${type}${place === 'path' ? '/{color}' : ''}`,
        content(place, type, schema),
      ]),
    ),
  ]),
};

let api: Api;
beforeAll(async () => {
  api = await runnable<Api>(await generateFrom(document));
});

const groups = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

async function attempt(operation: string, place: string, value: unknown) {
  const server = await serve((_, response) => reply(response, 204));
  const client = api.createClient({ baseUrl: server.origin });
  const group = groups[place as keyof typeof groups];
  const name = operation.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const error = await (api[name] as Call)(client, { [group]: { color: value } }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, seen: server.seen[0] };
}

/** What stands for the parameter on the wire: the end of the path, the query, or the header; nothing where there is none. */
function written(place: string, { url, headers }: SeenRequest): string | undefined {
  if (place === 'path') return url.slice(url.lastIndexOf('/') + 1).replace(/^map/, '');
  if (place === 'query') return url.includes('?') ? url.slice(url.indexOf('?') + 1) : undefined;
  const text = headers[place === 'header' ? 'color' : 'cookie'];
  return Array.isArray(text) ? text.join() : text;
}

async function wire(operation: string, place: string, value: unknown): Promise<string | undefined> {
  const { error, seen } = await attempt(operation, place, value);
  if (error !== undefined) throw error;
  if (!seen) throw new Error('no request arrived');
  return written(place, seen);
}

async function refused(operation: string, place: string, value: unknown): Promise<string> {
  const { error, seen } = await attempt(operation, place, value);
  expect(seen).toBeUndefined();
  expect(api.isCallError(error)).toBe(true);
  return (error as Error).message;
}

const array = ['blue', 'black', 'brown'];
const object = { R: 100, G: 200, B: 150 };

/** Style, explode, and the columns empty, string, array and object of the tables; `null` is "n/a". */
const table: readonly (readonly [string, boolean, string | null, string | null, string | null, string | null])[] = [
  ['path matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['path matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['path label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['path label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['path simple', false, null, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['path simple', true, null, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['header simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['header simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['query form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['query form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['query spaceDelimited', false, null, null, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['query pipeDelimited', false, null, null, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query deepObject', true, null, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['cookie form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['cookie form', true, 'color=', 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
  ['cookie cookie', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['cookie cookie', true, 'color=', 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
];

describe('the tables of the specification', () => {
  const cells = table.flatMap(([name, explode, ...row]) => {
    const [place = '', style = ''] = name.split(' ');
    const values: readonly unknown[] = ['', 'blue', array, object];
    return row.flatMap((text, index) => (text === null ? [] : [{ place, style, explode, value: values[index], text }]));
  });

  test.each(cells)('$place $style explode $explode: $value', async ({ place, style, explode, value, text }) => {
    for (const allowReserved of place === 'header' || style === 'cookie' ? [false] : [false, true]) {
      const operation = nameOf({ in: place, style, explode, allowReserved });
      expect(await wire(operation, place, value)).toBe(text);
    }
  });
});

describe('what the tables call "n/a"', () => {
  test.each([
    ['query_spaceDelimited_joined', 'a b', 'color=a%20b'],
    ['query_pipeDelimited_joined', 'a|b', 'color=a%7Cb'],
    ['query_spaceDelimited_exploded', array, 'color=blue&color=black&color=brown'],
    ['query_pipeDelimited_exploded', object, 'R=100&G=200&B=150'],
    ['query_deepObject_joined', object, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
    ['query_deepObject_exploded', 'blue', 'color=blue'],
    ['query_deepObject_exploded', array, 'color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown'],
  ])('%s of %j', async (operation, value, text) => {
    expect(await wire(operation, 'query', value)).toBe(text);
  });
});

describe('values inside values', () => {
  test('deep objects nest, and tell items by their position', async () => {
    const value = { b: { c: 'x', d: null }, e: [{ f: 1 }, { f: true }], g: [] };
    const text = await wire('query_deepObject_exploded', 'query', value);
    expect(decodeURIComponent(text ?? '')).toBe('color[b][c]=x&color[e][0][f]=1&color[e][1][f]=true');
  });

  test.each([
    ['query_form_exploded', 'query', [['s3cret']]],
    ['query_form_joined', 'query', { a: { s3cret: 1 } }],
    ['query_form_exploded', 'query', [null]],
    ['path_matrix_joined', 'path', [{}]],
    ['header_simple_joined', 'header', [[]]],
    ['query_spaceDelimited_joined', 'query', ['s3cret b']],
    ['query_pipeDelimited_joined', 'query', { a: 's3cret|c' }],
    ['query_deepObject_exploded', 'query', { 's3cret][b': 1 }],
    ['cookie_cookie_exploded', 'cookie', 's3cret b'],
    ['cookie_cookie_joined', 'cookie', ['s3cret,b']],
    ['header_simple_joined', 'header', ['s3cret\nb']],
  ])('%s: a %s of %j is refused', async (operation, place, value) => {
    const message = await refused(operation, place, value);
    expect(message).toMatch(/^color: /);
    expect(message).not.toContain('s3cret');
  });
});

describe('what is not there', () => {
  const optional = styles
    .filter(({ in: place }) => place !== 'path')
    .map((style) => [nameOf(style), style.in] as const);
  test.each(optional)('%s', async (operation, place) => {
    for (const value of [undefined, null, [], {}, { a: null, b: undefined }])
      expect(await wire(operation, place, value), JSON.stringify(value)).toBeUndefined();
  });

  const inPaths = styles.filter(({ in: place }) => place === 'path').map(nameOf);
  test.each(inPaths)('%s', async (operation) => {
    for (const value of [undefined, null, [], {}]) await refused(operation, 'path', value);
  });

  test('a text without characters is there', async () => {
    expect(await wire('query_form_joined', 'query', [''])).toBeUndefined();
    expect(await wire('query_form_exploded', 'query', ['', ''])).toBe('color=&color=');
    expect(await wire('path_matrix_exploded', 'path', ['', 'a'])).toBe(';color;color=a');
  });
});

describe('escapes', () => {
  const odd = "a/b?c#d[e]@!$&'()*+,;=é %";
  test.each([
    ['query_form_exploded', 'query', 'color=a%2Fb%3Fc%23d%5Be%5D%40!%24%26%27()*%2B%2C%3B%3D%C3%A9%20%25'],
    ['path_matrix_exploded', 'path', ";color=a%2Fb%3Fc%23d%5Be%5D%40!%24%26'()*%2B%2C%3B%3D%C3%A9%20%25"],
    ['cookie_form_exploded', 'cookie', "color=a%2Fb%3Fc%23d%5Be%5D%40!%24%26'()*%2B%2C%3B%3D%C3%A9%20%25"],
    ['query_form_exploded_reserved', 'query', 'color=a/b?c%23d%5Be%5D@!$%26%27()*%2B,;=%C3%A9%20%25'],
    ['path_matrix_exploded_reserved', 'path', ";color=a%2Fb%3Fc%23d%5Be%5D@!$&'()*+,;=%C3%A9%20%25"],
    ['cookie_form_exploded_reserved', 'cookie', "color=a/b?c#d[e]@!$&'()*+%2C%3B=%C3%A9%20%25"],
  ])('%s', async (operation, place, text) => {
    expect(await wire(operation, place, odd)).toBe(text);
  });

  test('of reserved expansion pass what is escaped already, and no delimiter', async () => {
    expect(await wire('query_form_joined_reserved', 'query', ['a,b', '%2f', '%zz'])).toBe('color=a%2Cb,%2f,%25zz');
    expect(await wire('query_form_joined_reserved', 'query', 'a,b')).toBe('color=a,b');
    await refused('path_simple_joined_reserved', 'path', '\ud800');
  });

  test('of lists leave only the delimiters', async () => {
    expect(await wire('path_label_exploded', 'path', ['a.b', 'c'])).toBe('.a%2Eb.c');
    expect(await wire('path_simple_exploded', 'path', { 'a=b': 'c,d' })).toBe('a%3Db=c%2Cd');
    expect(await wire('query_form_joined', 'query', { 'a,b': 'c&d' })).toBe('color=a%2Cb,c%26d');
    expect(await wire('query_form_exploded', 'query', { 'a&b=c': 'd' })).toBe('a%26b%3Dc=d');
  });
});

describe('content', () => {
  const value = { é: ['a/b', null, 1.5], 'x y': true };
  const text = JSON.stringify(value);

  test('that is JSON', async () => {
    for (const place of ['path', 'query', 'cookie']) {
      const [found = ''] = (await wire(`${place}_json`, place, value))?.split('=').slice(-1) ?? [];
      expect(decodeURIComponent(found)).toBe(text);
    }
    const header = await wire('header_json', 'header', value);
    expect(header).toBe('{"\\u00e9":["a/b",null,1.5],"x y":true}');
    expect(await wire('query_json', 'query', null)).toBe('color=null');
    expect(await wire('query_json', 'query', undefined)).toBeUndefined();
    await refused('query_json', 'query', 1n);
  });

  test('that is text', async () => {
    expect(await wire('path_plain', 'path', 'a/b')).toBe('a%2Fb');
    expect(await wire('query_plain', 'query', 'a&b')).toBe('color=a%26b');
    expect(await wire('header_plain', 'header', 'a&b')).toBe('a&b');
    expect(await wire('cookie_plain', 'cookie', 'a;b')).toBe('color=a%3Bb');
  });
});
