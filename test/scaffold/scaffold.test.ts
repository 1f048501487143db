import { describe, expect, it } from 'vitest';
import { insertMissingHandlers, skeletonsOf, updateHandlers } from '../../src/scaffold/scaffold.js';

const fresh = `import type { Handlers } from '../generated/server.js';

/** Yours to write. */
export const handlers: Handlers = {
  /** GET /pets */
  listPets: (_request, _reply, context) => context.notImplemented(),

  /**
   * Adds a pet.
   *
   * POST /pets
   */
  addPet: (_request, _reply, context) => context.notImplemented(),
};
`;

const added = `  /**
   * Adds a pet.
   *
   * POST /pets
   */
  addPet: (_request, _reply, context) => context.notImplemented(),
`;

async function updated(existing: string): Promise<string> {
  const result = await updateHandlers(existing, fresh);
  if (result.kind !== 'inserted') throw new Error(JSON.stringify(result));
  // Every character of the user is there, in order: what is between them was inserted.
  let at = 0;
  for (const character of result.text) if (existing.startsWith(character, at)) at += character.length;
  expect(at).toBe(existing.length);
  return result.text;
}

describe('skeletonsOf', () => {
  it('takes the members of a printed file apart', async () => {
    expect(await skeletonsOf(fresh)).toEqual([
      {
        name: 'listPets',
        text: '/** GET /pets */\nlistPets: (_request, _reply, context) => context.notImplemented(),',
      },
      {
        name: 'addPet',
        text: '/**\n * Adds a pet.\n *\n * POST /pets\n */\naddPet: (_request, _reply, context) => context.notImplemented(),',
      },
    ]);
  });
});

describe('insertMissingHandlers', () => {
  it('leaves a complete file alone', async () => {
    expect(await updateHandlers(fresh, fresh)).toEqual({ kind: 'complete' });
  });

  it('inserts behind what is there and keeps everything else', async () => {
    const existing =
      '// mine\nexport const handlers: Handlers = {\n  listPets: async () =>   odd( ), // why\n  // the end\n};\n\nconst x = 1;';
    expect(await updated(existing)).toBe(existing.replace('  // the end\n', `  // the end\n${added}`));
  });

  it('adds the comma that is missing, and nothing to what follows it', async () => {
    const existing = 'export const handlers = {\n    "listPets"() { return 1 } /* last */\n} satisfies Handlers\n';
    const text = await updated(existing);
    expect(text).toContain('"listPets"() { return 1 }, /* last */\n    /**\n     * Adds a pet.');
    expect(text.endsWith('context.notImplemented(),\n} satisfies Handlers\n')).toBe(true);
  });

  it.each([
    ['{}', 'Handlers = {\n  /** GET /pets */\n  listPets: '],
    ['{ listPets }', `Handlers = { listPets, \n${added}};`],
    ['({\n}) as Handlers', `notImplemented(),\n${added}}) as Handlers;`],
  ])('opens %s', async (object, wanted) => {
    expect(await updated(`export const handlers: Handlers = ${object};\n`)).toContain(wanted);
  });

  it('keeps CRLF, tabs and the byte order mark', async () => {
    const existing = '\ufeffexport const handlers = {\r\n\tlistPets,\r\n};\r\n';
    const text = await updated(existing);
    expect(text.startsWith('\ufeffexport const handlers = {\r\n\tlistPets,\r\n\t/**\r\n\t * Adds a pet.\r\n')).toBe(
      true,
    );
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text.endsWith('),\r\n};\r\n')).toBe(true);
  });

  it.each([
    ['export default {}', 'no object literal named "handlers"'],
    ['export const handlers = makeHandlers();', 'no object literal named "handlers"'],
    ['export const handlers = { ...pets };', 'a spread or a computed member'],
    ['export const handlers = { listPets: ( };', 'syntax errors'],
  ])('leaves %s alone', async (existing, message) => {
    const result = await insertMissingHandlers(existing, [{ name: 'addPet', text: 'addPet,' }]);
    expect(result.kind === 'problem' && result.message).toContain(message);
  });
});
