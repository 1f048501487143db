/** The parts of the server's runtime, one by one. */
import { describe, expect, it } from 'vitest';
import type { ParameterContract, Projection } from '../../src/runtime/server-contract.js';
import { acceptable, parseAccept, parseMediaType, preferred } from '../../src/runtime/server-media.js';
import { parseCookies, parseQuery, readParameters } from '../../src/runtime/server-parameters.js';
import { project } from '../../src/runtime/server-projection.js';
import { pathValues, Router } from '../../src/runtime/server-router.js';

function router(...paths: (string | (string | { variable: string })[])[]): Router<string> {
  const made = new Router<string>();
  for (const path of paths) {
    const parts = typeof path === 'string' ? [path] : path;
    made.add(parts, 'GET', JSON.stringify(path));
  }
  return made;
}

function routeOf(made: Router<string>, path: string): unknown {
  const found = made.find(path);
  if (found.kind !== 'route') return found.kind;
  const routed = found.routes.get('GET');
  return [routed?.route, ...pathValues(routed?.names ?? [], found.captured).map(({ name, text }) => `${name}=${text}`)];
}

describe('Router', () => {
  it('takes literal text literally', () => {
    const made = router('/lit/(.*)', '/lit/*', '/lit/:x', '/lit/a+b?', '/lit/a%20b', '/Größe');
    expect(routeOf(made, '/lit/anything')).toBe('unknown');
    for (const path of ['/lit/*', '/lit/(.*)', '/lit/:x']) expect(routeOf(made, path)).toEqual([JSON.stringify(path)]);
    expect(routeOf(made, '/lit/%2A')).toEqual(['"/lit/*"']);
    expect(routeOf(made, '/lit/a+b%3F')).toEqual(['"/lit/a+b?"']);
    expect(routeOf(made, '/lit/a%20b')).toEqual(['"/lit/a%20b"']);
    expect(routeOf(made, '/Gr%C3%B6%C3%9Fe')).toEqual(['"/Größe"']);
  });

  it('prefers static to mixed to bare variables, and comes back from a dead end', () => {
    const made = router(
      '/a/me',
      ['/a/', { variable: 'id' }, ':cancel'],
      ['/a/', { variable: 'id' }],
      ['/', { variable: 'x' }, '/me/z'],
    );
    expect(routeOf(made, '/a/me')).toEqual(['"/a/me"']);
    expect(routeOf(made, '/a/5:cancel')).toEqual([expect.stringContaining(':cancel'), 'id=5']);
    expect(routeOf(made, '/a/5')).toEqual([expect.anything(), 'id=5']);
    expect(routeOf(made, '/a/me/z')).toEqual([expect.stringContaining('/me/z'), 'x=a']);
    expect(routeOf(made, '/a/')).toBe('unknown');
  });

  it('takes mixed segments apart in linear time', () => {
    const made = router(['/', { variable: 'a' }, '-', { variable: 'b' }, '-', { variable: 'c' }]);
    expect(routeOf(made, '/x-y-z-w')).toEqual([expect.anything(), 'a=x', 'b=y', 'c=z-w']);
    expect(routeOf(made, '/x--z')).toBe('unknown');
    const begin = performance.now();
    expect(routeOf(made, `/${'-'.repeat(100_000)}!`)).not.toBe('malformed');
    expect(performance.now() - begin).toBeLessThan(200);
  });

  it('tells a malformed variable from an unknown path', () => {
    const made = router(['/a/', { variable: 'id' }]);
    expect(routeOf(made, '/a/%ff')).toBe('malformed');
    expect(made.find('/b/%ff')).toEqual({ kind: 'unknown', malformed: true });
  });

  it('gives the first of two paths that match the same requests', () => {
    const made = router(['/a/', { variable: 'one' }], ['/a/', { variable: 'two' }]);
    expect(routeOf(made, '/a/1')).toEqual([expect.anything(), 'one=1']);
  });

  it('refuses variables that touch', () => {
    expect(() => router(['/', { variable: 'a' }, { variable: 'b' }])).toThrow('touch');
  });
});

type Partly = Partial<ParameterContract> & Pick<ParameterContract, 'in'>;

function read(parameter: Partly, text: string): unknown {
  const place = parameter.in;
  const { groups, issues } = readParameters([{ name: 'p', required: true, ...parameter }], {
    path: place === 'path' ? [{ name: 'p', text: decodeURIComponent(text), raw: text }] : [],
    query: parseQuery(place.startsWith('query') ? text : '', 100) ?? [],
    queryText: place.startsWith('query') ? text : '',
    cookies: parseCookies(place === 'cookie' ? text : ''),
    header: () => (place === 'header' ? text : undefined),
  });
  if (issues.length > 0) return issues.map(({ pointer, keyword }) => `${pointer} ${keyword}`).join();
  if (place === 'querystring') return groups.query;
  const group = groups[place === 'header' ? 'headers' : place === 'cookie' ? 'cookies' : place];
  return (group as Readonly<Record<string, unknown>>)['p'];
}

const numbers = { items: ['integer'] } as const;
const color = { members: [{ name: 'R', kinds: ['integer'] }], rest: ['string'] } as const;

describe('readParameters', () => {
  it.each<[Partly, string, unknown]>([
    [{ in: 'path' }, 'a%2Cb', 'a,b'],
    [{ in: 'path', read: numbers }, '1,2', [1, 2]],
    [{ in: 'path', read: color }, 'R,1,G,2', { R: 1, G: '2' }],
    [{ in: 'path', read: color, explode: true }, 'R=1,G=a%2Cb', { R: 1, G: 'a,b' }],
    [{ in: 'path', style: 'label', read: numbers }, '.1,2', [1, 2]],
    [{ in: 'path', style: 'label', explode: true, read: numbers }, '.1.2', [1, 2]],
    [{ in: 'path', style: 'label' }, 'x', '/path/p style'],
    [{ in: 'path', style: 'matrix', read: { scalar: ['integer'] } }, ';p=5', 5],
    [{ in: 'path', style: 'matrix', read: numbers }, ';p=1,2', [1, 2]],
    [{ in: 'path', style: 'matrix', explode: true, read: numbers }, ';p=1;p=2', [1, 2]],
    [{ in: 'path', style: 'matrix', explode: true, read: color }, ';R=1', { R: 1 }],
    [{ in: 'query' }, 'p=a+b%2B', 'a b+'],
    [{ in: 'query' }, 'p=a&p=b', '/query/p duplicate'],
    [{ in: 'query' }, 'p=%f', '/query/p encoding'],
    [{ in: 'query' }, 'q=1', '/query/p required'],
    [{ in: 'query', read: numbers }, 'p=1&p=2', [1, 2]],
    [{ in: 'query', explode: false, read: { items: ['string'] } }, 'p=a%2Cb,c', ['a,b', 'c']],
    [{ in: 'query', style: 'spaceDelimited', explode: false, read: numbers }, 'p=1%202', [1, 2]],
    [{ in: 'query', style: 'pipeDelimited', explode: false, read: numbers }, 'p=1%7C2|3', [1, 2, 3]],
    [{ in: 'query', style: 'deepObject', read: color }, 'p[R]=1&p%5BG%5D=2', { R: 1, G: '2' }],
    [{ in: 'query', style: 'deepObject', read: color }, 'p[R][x]=1', '/query/p style'],
    [{ in: 'query', style: 'deepObject', read: color }, 'p[__proto__]=1', JSON.parse('{"__proto__":"1"}')],
    [{ in: 'query', read: color }, 'R=7&G=2', { R: 7 }],
    [{ in: 'query', read: { json: true } }, 'p=%7B%22a%22%3A1%7D', { a: 1 }],
    [{ in: 'query', read: { json: true } }, 'p=%7B', '/query/p style'],
    [{ in: 'header', read: numbers }, '1, 2', [1, 2]],
    [{ in: 'header' }, 'a%20b, c', 'a%20b, c'],
    [{ in: 'cookie' }, 'p=a%20b; q=1', 'a b'],
    [{ in: 'cookie', style: 'cookie' }, 'p=a%20b', 'a%20b'],
    [{ in: 'cookie', explode: false, read: { items: ['string'] } }, 'p=a%2Cb,c', ['a,b', 'c']],
    [{ in: 'cookie', explode: false, read: { items: ['string'] } }, 'p=a; p=b', '/cookies/p duplicate'],
    [{ in: 'cookie' }, 'p=a; p=b', '/cookies/p duplicate'],
  ])('%j reads %s', (parameter, text, value) => {
    expect(read(parameter, text)).toEqual(value);
  });

  it.each<[readonly ('string' | 'integer' | 'number' | 'boolean' | 'null')[], string, unknown]>([
    [['integer'], '7', 7],
    [['integer'], '07', '07'],
    [['integer'], '1e999', '1e999'],
    [['integer'], '0x10', '0x10'],
    [['number'], '-1.5e2', -150],
    [['number'], '', ''],
    [['number'], ' 1', ' 1'],
    [['boolean'], 'true', true],
    [['boolean'], 'TRUE', 'TRUE'],
    [['boolean', 'string'], 'false', false],
    [['integer', 'string'], '7', 7],
    [['integer', 'string'], '007', '007'],
    [['null', 'integer'], 'null', null],
  ])('%j reads %s', (scalar, text, value) => {
    expect(read({ in: 'query', read: { scalar } }, `p=${encodeURIComponent(text)}`)).toEqual(value);
  });

  it('keeps a parameter named __proto__ as an own member', () => {
    const query = parseQuery('__proto__=x', 10) ?? [];
    const source = { path: [], query, queryText: '', cookies: new Map<string, string[]>(), header: () => undefined };
    const { groups } = readParameters([{ name: '__proto__', in: 'query', required: true }], source);
    expect(Object.keys(groups.query as object)).toEqual(['__proto__']);
  });
});

describe('media types', () => {
  it('reads one media type or none', () => {
    expect(parseMediaType('Text/HTML; a="x;charset=b" ;Charset="UTF-8"')).toEqual({
      essence: 'text/html',
      charset: 'utf-8',
    });
    for (const text of ['', 'a', 'a/b, c/d', 'a/b c', '/b', 'a/']) expect(parseMediaType(text)).toBeUndefined();
  });

  it('weighs by the most specific range', () => {
    const ranges = parseAccept('text/*;q=0.3, text/html;q=0.7, */*;q=0.5, bad');
    expect(preferred(ranges, ['text/plain', 'text/html', 'image/png'])).toBe('text/html');
    expect(preferred(ranges, ['text/plain', 'image/png'])).toBe('image/png');
    expect(acceptable(parseAccept('application/json;q=0, */*'), ['application/json'])).toBe(false);
    expect(preferred(parseAccept(undefined), ['a/b', 'c/d'])).toBe('a/b');
  });
});

describe('project', () => {
  const table: readonly Projection[] = [
    { omit: ['id'], members: [{ name: 'children', projection: 1 }], rest: 2 },
    { items: 0 },
    { also: [0, 3] },
    { omit: ['secret'] },
  ];

  it('leaves out what does not travel, at every depth, and changes nothing else', () => {
    const value = {
      id: 1,
      a: { id: 2, secret: 3, b: 4 },
      children: [{ id: 5, c: 6 }],
      x: JSON.parse('{"__proto__":1}'),
    };
    const before = JSON.stringify(value);
    expect(project(value, 0, table)).toEqual({ a: { b: 4 }, children: [{ c: 6 }], x: JSON.parse('{"__proto__":1}') });
    expect(JSON.stringify(value)).toBe(before);
    const whole = { b: [1] };
    expect(project(whole, 0, table)).toBe(whole);
  });
});
