/**
 * Where a pointer or an offset stands in the text of a document. Worked out on demand only, by scanning the text again:
 * nothing keeps positions while documents are loaded.
 */

import { type JsonPointer, pointerSteps } from '../diagnostics.js';
import { scanJson } from './json-scanner.js';
import { rootPointer } from './problem.js';
import { jsonStart } from './read-document.js';
import type { DocumentText } from './sources.js';
import { isAlias, isMap, isNode, isSeq, keyText, parseTree } from './yaml-tree.js';

/** Both count from 1; columns count UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Place {
  readonly pointer?: JsonPointer;
  readonly offset?: number;
}

/** The position of an offset or, without one, of the key or item that a pointer names. */
export function locate(document: DocumentText, place: Place): Position {
  return locateAll(document, [place])[0] as Position;
}

/**
 * The positions of many places in one reading of the text. Where a pointer leads nowhere, the position is that of the
 * nearest thing on its way; where a key stands twice, that of the first.
 */
export function locateAll(
  document: DocumentText,
  places: readonly Place[],
  starts = lineStarts(document.text),
): readonly Position[] {
  const pointers = places.filter(({ offset }) => offset === undefined).map(({ pointer }) => pointer ?? rootPointer);
  const offsets = offsetsOf(document, pointers);
  return places.map(({ pointer, offset }) => positionOf(starts, offset ?? offsets.get(pointer ?? rootPointer) ?? 0));
}

function offsetsOf(document: DocumentText, pointers: readonly JsonPointer[]): ReadonlyMap<JsonPointer, number> {
  if (pointers.length === 0) return new Map();
  return document.format === 'json' ? jsonOffsets(document.text, pointers) : yamlOffsets(document.text, pointers);
}

/** The offset of each line of a text. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const ends = /\r\n|\r|\n/g;
  while (ends.test(text)) starts.push(ends.lastIndex);
  return starts;
}

function positionOf(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** The steps of many pointers as a tree; `found` is the offset of the key or item. */
interface Branch {
  readonly steps: Map<string, Branch>;
  found?: number;
}

function jsonOffsets(text: string, pointers: readonly JsonPointer[]): ReadonlyMap<JsonPointer, number> {
  const root: Branch = { steps: new Map() };
  const paths = new Map<JsonPointer, readonly Branch[]>();
  for (const pointer of pointers) paths.set(pointer, grow(root, pointerSteps(pointer)));
  const left = new Set([...paths.values()].map((path) => path.at(-1)));
  const start = jsonStart(text);
  const branches: (Branch | undefined)[] = [root];
  let key = start;
  scanJson(text, start, {
    key: (_name, offset) => {
      key = offset;
    },
    value: (offset, frames) => {
      const last = frames.at(-1);
      const branch = last === undefined ? root : branches[frames.length - 1]?.steps.get(String(last.step));
      branches[frames.length] = branch;
      if (branch === undefined) return undefined;
      branch.found ??= last?.names === undefined ? offset : key;
      // Nothing behind the last place is of interest.
      return left.delete(branch) && left.size === 0 ? 'stop' : undefined;
    },
  });
  const nearest = (path: readonly Branch[]): number =>
    path.filter(({ found }) => found !== undefined).at(-1)?.found ?? start;
  return new Map([...paths].map(([pointer, path]) => [pointer, nearest(path)]));
}

function grow(root: Branch, steps: readonly string[]): readonly Branch[] {
  const path = [root];
  let branch = root;
  for (const step of steps) {
    const next: Branch = branch.steps.get(step) ?? { steps: new Map() };
    branch.steps.set(step, next);
    path.push(next);
    branch = next;
  }
  return path;
}

function yamlOffsets(text: string, pointers: readonly JsonPointer[]): ReadonlyMap<JsonPointer, number> {
  const document = parseTree(text);
  const contents = typeof document === 'object' ? document.contents : undefined;
  const offsetOf = (pointer: JsonPointer): number => {
    let node: unknown = contents;
    let offset = startOf(node) ?? 0;
    for (const step of pointerSteps(pointer)) {
      const next = yamlStep(isAlias(node) ? findAnchor(contents, node.source) : node, step);
      if (next === undefined) break;
      node = next.node;
      offset = next.offset ?? offset;
    }
    return offset;
  };
  return new Map(pointers.map((pointer) => [pointer, offsetOf(pointer)]));
}

function yamlStep(
  node: unknown,
  step: string,
): { readonly node: unknown; readonly offset: number | undefined } | undefined {
  if (isSeq(node)) {
    const index = Number(step);
    return index in node.items ? { node: node.items[index], offset: startOf(node.items[index]) } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find((item) => keyText(item.key) === step);
  return pair && { node: pair.value, offset: startOf(pair.key) };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function findAnchor(root: unknown, name: string): unknown {
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isNode(node) && anchorOf(node) === name) return node;
    if (isSeq(node)) for (const item of node.items) open.push(item);
    if (isMap(node)) for (const pair of node.items) open.push(pair.value);
  }
  return undefined;
}

function anchorOf(node: unknown): string | undefined {
  return (isMap(node) || isSeq(node)) && node.anchor !== undefined ? node.anchor : undefined;
}
