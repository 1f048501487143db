/** Declaration graphs of descriptions, and what they name. */
import { expect } from 'vitest';
import { runIr } from '../../src/commands.js';
import type { Options } from '../../src/generate.js';
import type { JsonValue } from '../../src/ir/schema.js';
import { memoryHost } from '../../src/memory-host.js';
import { runCommand } from './command-line.js';

export type Members = Readonly<Record<string, JsonValue>>;
export type Graph = Readonly<Record<string, Members>>;

export async function printed(files: Readonly<Record<string, string | Uint8Array>>, options: Options = {}) {
  const host = memoryHost(files, { cwd: '/' });
  const { exit, out } = await runCommand((given) => runIr(given, 'decls'), host, {
    input: Object.keys(files)[0] ?? '',
    ...options,
  });
  expect(exit, out.stderr).toBe(0);
  return { text: out.stdout, graph: JSON.parse(out.stdout) as Graph, said: out.stderr };
}

export async function graphOf(document: object, options: Options = {}): Promise<Graph> {
  return (await printed({ '/api.json': JSON.stringify(document) }, options)).graph;
}

/** Every id that a declaration names, whatever member names it. */
function namedIds(declaration: JsonValue): readonly string[] {
  const found: string[] = [];
  const open: JsonValue[] = [declaration];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...value);
    else if (typeof value === 'string' && value.startsWith('(resource) ')) found.push(value);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value as Members)) {
        if (name === 'modelPath') found.push(`${String(one)} > (schema)`);
        else if (name !== 'default' && name !== 'constraints') open.push(one);
      }
    }
  }
  return found;
}

export function lost(graph: Graph): readonly string[] {
  return Object.values(graph)
    .flatMap(namedIds)
    .filter((id) => !Object.hasOwn(graph, id));
}

export const idGrammar =
  /^\(resource\) [^\s.]+(?:\.[^\s.]+)* > (?:\(method\) \S+(?: > \(params\) (?:default|\d+) > \(param\) .+? > \(schema\)| *$)|\(model\) \S+ > \(schema\))(?: > (?:\(property\) .+|\(items\)|\((?:variant|member)\) \d+))*$/;
