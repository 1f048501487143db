import type { Diagnostic, Result } from '../../src/diagnostics.js';
import type { Api } from '../../src/ir/api.js';
import { defaultLimits } from '../../src/load/limits.js';
import { load } from '../../src/load/load.js';
import { memoryHost } from '../../src/memory-host.js';
import { defaultNormaliseOptions, normalise } from '../../src/normalise/normalise.js';

/** Loads and normalises files given as values or texts; the first one is the entry. */
export async function resultOf(files: Readonly<Record<string, unknown>>): Promise<Result<Api>> {
  const texts = Object.fromEntries(
    Object.entries(files).map(([name, value]) => [
      `/project/${name}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const [entry = ''] = Object.keys(files);
  const sources = await load(
    { entries: [entry], allowRemote: [], limits: defaultLimits },
    memoryHost(texts, { cwd: '/project' }),
  );
  if (!sources.ok) return sources;
  const api = normalise(sources.value, defaultNormaliseOptions);
  return { ...api, diagnostics: [...sources.diagnostics, ...api.diagnostics] };
}

export async function apiOf(
  files: Readonly<Record<string, unknown>>,
): Promise<{ readonly api: Api; readonly diagnostics: readonly Diagnostic[] }> {
  const result = await resultOf(files);
  if (!result.ok) throw new Error(result.diagnostics.map((entry) => `${entry.code}: ${entry.message}`).join('\n'));
  return { api: result.value, diagnostics: result.diagnostics };
}

/** A description with these schemas, and operations where given. */
export function description(
  schemas: Readonly<Record<string, unknown>>,
  paths: Readonly<Record<string, unknown>> = {},
  version = '3.1.0',
): object {
  return { openapi: version, info: { title: 'Test', version: '1' }, paths, components: { schemas } };
}

/** An OpenAPI 2.0 description with these paths, and other members of its root. */
export function swagger(paths: object, rest: object = {}): object {
  return { swagger: '2.0', info: { title: 'Test', version: '1' }, paths, ...rest };
}
