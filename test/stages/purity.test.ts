/** Stages are pure: they leave their frozen input alone and give the same answer twice. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Job, resolveOptions, targetNames } from '../../src/config.js';
import type { Result } from '../../src/diagnostics.js';
import type { Api } from '../../src/ir/api.js';
import { load } from '../../src/load/load.js';
import type { Sources } from '../../src/load/sources.js';
import { nodeHost } from '../../src/node-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';
import { plan } from '../../src/plan/plan.js';
import type { PlanOptions } from '../../src/plan/target.js';
import { render } from '../../src/render/render.js';
import { compileTemplates } from '../../src/render/templates.js';
import { deepFreeze } from '../support/deep-freeze.js';
import { type Fixture, fixtureRoot, listFixtures } from '../support/fixtures.js';
import { repository } from '../support/paths.js';
import { walkFiles } from '../support/walk-files.js';

const chosen = new Set([
  'documents/chattoo-mcp',
  'documents/rail-booking',
  'documents/gallery',
  'features/access/read-only-write-only',
  'features/names/globals',
  'features/recursion/mutual',
  'features/references/cycle-through-files',
  'features/unions/discriminator',
  'features/json-schema/draft-07',
]);
const cases = [...listFixtures('documents'), ...listFixtures('features')].filter(({ name }) => chosen.has(name));

const job: Job = resolveOptions({ framework: ['fastify', 'node', 'fetch'], targets: targetNames });
const planOptions: PlanOptions = { ...job, pins: job.names };

function assets(folder: string, ending: string): ReadonlyMap<string, string> {
  const root = join(repository, folder);
  const paths = walkFiles(root).filter((path) => path.endsWith(ending));
  return new Map(
    paths.map((path) => [
      ending === '.hbs' ? path.slice(0, -ending.length) : path,
      readFileSync(join(root, path), 'utf8'),
    ]),
  );
}

const templates = assets('templates', '.hbs');
const runtime = assets('src/runtime', '.ts');

function successOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.value;
}

async function sourcesOf(fixture: Fixture): Promise<Sources> {
  const request = { entries: [fixture.entry ?? ''], allowRemote: [], limits: job.limits };
  return deepFreeze(successOf(await load(request, nodeHost(fixture.folder))));
}

/** The members of the sources but for the function that resolves references, which closes over the others. */
function data(sources: Sources): readonly (readonly [string, unknown])[] {
  return Object.entries(sources).filter(([, value]) => typeof value !== 'function');
}

test('the cases are there', () => {
  expect(cases.map(({ name }) => name).sort()).toEqual([...chosen].sort());
  expect(cases.every(({ folder }) => folder.startsWith(fixtureRoot))).toBe(true);
});

describe.each(cases)('$name', (fixture) => {
  test('load gives the same sources twice', async () => {
    const first = await sourcesOf(fixture);
    const again = await sourcesOf(fixture);
    expect(data(again)).toEqual(data(first));
    expect(data(first).length).toBeGreaterThan(2);
  });

  test('normalise, plan and render leave what they are given alone and repeat themselves', async () => {
    const sources = await sourcesOf(fixture);
    const options = deepFreeze({ ...defaultNormaliseOptions });
    const first = normalise(sources, options);
    expect(normalise(sources, options)).toEqual(first);
    const api: Api = deepFreeze(successOf(first));

    const frozenOptions = deepFreeze({ ...planOptions });
    const planned = await plan(api, frozenOptions);
    expect(await plan(api, frozenOptions)).toEqual(planned);

    const files = deepFreeze(successOf(planned));
    const input = { templates: await compileTemplates(templates), runtime };
    const rendered = await render(files, input);
    expect(await render(files, input)).toEqual(rendered);
    expect(await render(files, { templates: await compileTemplates(templates), runtime })).toEqual(rendered);
    expect(successOf(rendered).length).toBeGreaterThan(3);
  });
});
