/** Templates that the build compiled print what the texts of the templates print. */
import { describe, expect, test } from 'vitest';
import { resolveOptions } from '../../src/config.js';
import { load } from '../../src/load/load.js';
import { nodeHost, packageAssets, runtimeTexts } from '../../src/node-host.js';
import { normalise } from '../../src/normalise/normalise.js';
import { plan } from '../../src/plan/plan.js';
import { render } from '../../src/render/render.js';
import {
  compileTemplates,
  precompileTemplates,
  type TemplateSpecifications,
  templateSources,
  templatesOf,
} from '../../src/render/templates.js';
import { listFixtures } from '../support/fixtures.js';

async function planOf(folder: string, entry: string) {
  const job = resolveOptions({ input: entry, framework: ['fastify', 'node', 'fetch'] });
  const sources = await load({ entries: job.input, allowRemote: [], limits: job.limits }, nodeHost(folder));
  if (!sources.ok) throw new Error('the fixture does not load');
  const { honourRefSiblings, inheritEventSchema, streams, limits } = job;
  const api = normalise(sources.value, {
    maxSchemaDepth: limits.depth,
    honourRefSiblings,
    inheritEventSchema,
    streams,
    entries: sources.value.entries,
  });
  if (!api.ok) throw new Error('the fixture has no meaning');
  const planned = await plan(api.value, { ...job, pins: job.names, handlerSkeletons: { server: './server.js' } });
  if (!planned.ok) throw new Error('the fixture has no plan');
  return planned.value;
}

async function bothWays() {
  const sources = templateSources(await packageAssets('templates'));
  const text = await precompileTemplates(sources);
  const module = `data:text/javascript,${encodeURIComponent(`export const specifications = {${text}};`)}`;
  const { specifications } = (await import(/* @vite-ignore */ module)) as { specifications: TemplateSpecifications };
  return { sources, texts: await compileTemplates(sources), built: await templatesOf(specifications), specifications };
}

describe('templates compiled by the build', () => {
  test.each(listFixtures('documents'))('print $name as their texts do', async ({ folder, entry }) => {
    const { texts, built } = await bothWays();
    const planned = await planOf(folder, entry ?? '');
    const runtime = runtimeTexts(await packageAssets('src/runtime'));
    const rendered = await render(planned, { templates: built, runtime });
    expect(rendered).toEqual(await render(planned, { templates: texts, runtime }));
    expect(rendered.ok && rendered.value.length).toBeGreaterThan(3);
  });

  test('are all of them, and refuse what is missing alike', async () => {
    const { sources, texts, built, specifications } = await bothWays();
    expect(Object.keys(specifications)).toEqual([...sources.keys()]);
    for (const templates of [texts, built]) {
      expect(() => templates.print('handlers/handlers', {})).toThrow(/not defined/);
      expect(() => templates.print('toString', {})).toThrow('there is no template toString');
    }
  });
});
