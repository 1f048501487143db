/**
 * Reads a YAML text by the core schema of YAML 1.2: what has no form in JSON is an error, keys are their text.
 *
 * js-yaml reads six times as fast as the `yaml` package, but tells only the first fault and no place of a node. So it
 * reads first, and where it finds a fault, or one of the things that it would read differently (keys whose text would be
 * lost, numbers that a double cannot hold, merge keys), `yaml-tree.ts` reads again, carefully.
 */
import type { JsonValue } from '../ir/schema.js';
import { yamlNesting } from './limits.js';
import type { Problem, ReadLimits } from './problem.js';
import { type ReadValue, tooDeep, tooManyNodes } from './read-json.js';
import { plainScalar } from './yaml-scalars.js';

/**
 * Keys that js-yaml would respell (`1.0:` as `1`, `~:` as `null`), and merge keys. Some lines inside of block scalars
 * match too, which costs time and nothing else.
 */
const carefulKeys =
  /(?:^|[\s{,?])([-+.]?[\d.][\w.+-]*|~|N(?:ull|ULL)|T(?:rue|RUE)|F(?:alse|ALSE)|<<)\s*:(?=[\s,}]|$)/gm;

export async function readYaml(text: string, limits: ReadLimits): Promise<ReadValue> {
  if (!hasCarefulKeys(text)) {
    const { readYamlFast } = await import('./yaml-fast.js');
    const value = readYamlFast(text, Math.min(limits.nesting, yamlNesting));
    const problem = value === undefined ? undefined : measure(value, limits);
    if (value !== undefined && problem === undefined) return { value, problems: [] };
    if (problem !== undefined && problem !== 'circular') return { problems: [problem] };
  }
  const { readYamlTree } = await import('./yaml-tree.js');
  const careful = readYamlTree(text, limits);
  if (careful.value === undefined) return careful;
  const problem = measure(careful.value, limits);
  return problem === undefined || problem === 'circular' ? careful : { problems: [problem] };
}

/** Numbers in their shortest form, such as statuses, are the same as text and as number. */
function hasCarefulKeys(text: string): boolean {
  for (const [, key = ''] of text.matchAll(carefulKeys)) {
    const scalar = plainScalar(key);
    if (key === '<<' || (scalar.kind !== 'string' && (scalar.kind !== 'number' || String(scalar.value) !== key)))
      return true;
  }
  return false;
}

interface Measure {
  readonly nodes: number;
  readonly depth: number;
}

/**
 * Measures the tree that the aliases stand for without walking it: every array and object once. An alias inside of its
 * own anchor makes the tree endless.
 */
function measure(root: JsonValue, limits: ReadLimits): Problem | 'circular' | undefined {
  const done = new Map<object, Measure>();
  const active = new Set<object>();
  const stack: { node: object; children: readonly JsonValue[]; next: number; nodes: number; depth: number }[] = [];
  const enter = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    active.add(value);
    stack.push({
      node: value,
      children: Array.isArray(value) ? value : Object.values(value),
      next: 0,
      nodes: 1,
      depth: 1,
    });
  };
  enter(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (stack.length > limits.nesting) return tooDeep(limits.nesting);
    const child = frame.children[frame.next];
    if (frame.next === frame.children.length) {
      done.set(frame.node, { nodes: frame.nodes, depth: frame.depth });
      active.delete(frame.node);
      if (frame.nodes > limits.nodes) return tooManyNodes(limits.nodes);
      if (frame.depth > limits.nesting) return tooDeep(limits.nesting);
      stack.pop();
    } else if (typeof child !== 'object' || child === null) {
      frame.nodes += 1;
      frame.next += 1;
    } else {
      const known = done.get(child);
      if (known !== undefined) {
        frame.nodes += known.nodes;
        frame.depth = Math.max(frame.depth, known.depth + 1);
        frame.next += 1;
      } else if (active.has(child)) return 'circular';
      else enter(child);
    }
  }
  return undefined;
}
