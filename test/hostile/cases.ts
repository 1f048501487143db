/** The cases, what a case of the generator may carry, and where the design has chosen otherwise than a case supposes. */
import { readFileSync } from 'node:fs';
import type { Json } from './expand.js';

export interface HostileCase {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
  readonly input: { readonly [key: string]: Json };
  readonly expect: string;
  readonly assert: { readonly [key: string]: Json };
}

export function readCases(path: string): readonly HostileCase[] {
  const list = JSON.parse(readFileSync(path, 'utf8')) as readonly Partial<HostileCase>[];
  return list.map((entry, index) => {
    const { id, kind, target, input, expect } = entry;
    if (id === undefined || kind === undefined || target === undefined || input === undefined)
      throw new Error(`case ${id ?? index} has no id, kind, target or input`);
    return { id, kind, target, input, expect: expect ?? '', assert: entry.assert ?? {} };
  });
}

/** Members that an input may have beside those of a document. */
const inputMembers = new Set(
  '$text ext $recipe levels width wrap open core close times into links schemas operations enumValues files entry serve dns spec fs options steps repeat vary'.split(
    ' ',
  ),
);
const documentMembers = new Set(
  'openapi swagger info servers paths webhooks components security tags externalDocs jsonSchemaDialect $self definitions'.split(
    ' ',
  ),
);
const optionMembers = new Set('out clean watch refRoot headers allowOrigins'.split(' '));

/** What the input says that the runner does not understand. */
export function unknownInput({ input }: HostileCase): readonly string[] {
  const options = input['options'];
  const names = typeof options === 'object' && options !== null && !Array.isArray(options) ? Object.keys(options) : [];
  return [
    ...Object.keys(input).filter(
      (name) => !inputMembers.has(name) && !documentMembers.has(name) && !name.startsWith('x-'),
    ),
    ...names.filter((name) => !optionMembers.has(name)).map((name) => `options.${name}`),
  ];
}

/** Our words where a case has its own; the meaning is the same. */
export const ourWords: ReadonlyMap<string, string> = new Map([['unknown security scheme', 'security-scheme-unknown']]);

/** Where the design's choice is asserted in place of the case's, with the reason. Printed by the runner. */
export const ourChoices: ReadonlyMap<string, string> = new Map([
  ['H010', 'the runtime is copied, holds no text of the document, and names the libraries that it needs itself'],
  ['H012', 'a default of a schema documents the receiver: it is printed in comments and never inserted by the output'],
  ['H045', 'a folder without our manifest that holds anything, a link too, is refused as a whole'],
  ['H046', 'there is no "clean": the manifest alone decides, and a folder of somebody else is refused'],
  ['H048', 'the only list of earlier outputs is oasmith.json; another file makes the folder a foreign one'],
  ['H049', 'an empty operationId is no fault (the name comes from method and path), so the third step is generated'],
  ['H055', 'an entry given by URL may be read; every other origin needs --allow-remote, so no address is ever judged'],
  [
    'H091',
    'an item that holds the delimiter of its style is refused, and a name with brackets in a deep object: nobody could tell them apart; all else is sent, encoded',
  ],
  ['H100', 'a discriminator asserts nothing by itself: what its schema admits is accepted as it is'],
  ['H056', 'no option configures request headers, so there is nothing that could be forwarded'],
]);

const plainQuery = {
  a: 'x&admin=1#f+ %',
  arr: ['a', 'c&d=1'],
  deep: { 'k&admin=1&x': 'v' },
  form: { 'admin=1&y': 'v' },
  res: 'http://h/?p=1&admin=1#x',
};

export interface OurAssertions {
  /** Calls beside those of the case. */
  readonly calls?: readonly Json[];
  readonly assert: HostileCase['assert'];
}

/** What is asserted of our choice. */
export const ourAssertions: ReadonlyMap<string, OurAssertions> = new Map<string, OurAssertions>([
  [
    'H091',
    {
      calls: [
        { operationId: 'q', params: { ...plainQuery, deep: { 'k]&admin=1&x[': 'v' } } },
        { operationId: 'q', params: plainQuery },
      ],
      assert: {
        refused: [0, 1],
        wireQuery:
          'a=x%26admin%3D1%23f%2B%20%25&arr=a%7Cc%26d%3D1&deep%5Bk%26admin%3D1%26x%5D=v' +
          '&admin%3D1%26y=v&res=http://h/?p=1%26admin=1%23x',
      },
    },
  ],
  [
    'H100',
    {
      assert: {
        taken: [{ kind: '__proto__' }, { kind: 'constructor' }, { kind: 'toString' }, { kind: 'hasOwnProperty' }],
      },
    },
  ],
]);
