/**
 * Reads a JSON text strictly. JSON.parse builds the value, which nothing of our own could do as fast; what it does not
 * tell is found by a survey of the text (depth, number of members, doubtful numbers), which costs a third of the parse.
 * Only where the survey or the parse finds a fault does the slow scanner look for its places.
 */

import { quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isExactNumber } from './exact-number.js';
import { framesPointer, type JsonFrame, scanJson } from './json-scanner.js';
import type { Problem, ReadLimits } from './problem.js';

export interface ReadValue {
  /** Absent where a problem is an error. */
  readonly value?: JsonValue;
  readonly problems: readonly Problem[];
}

/** So many problems of one kind are told one by one. */
export const problemLimit = 50;

/** Reads the JSON text that starts at `start`, which is behind a preamble or 0. */
export function readJson(text: string, start: number, limits: ReadLimits): ReadValue {
  const survey = surveyJson(text, start, limits.nesting);
  if (survey.tooDeepAt !== undefined) {
    return { problems: [tooDeep(limits.nesting, survey.tooDeepAt)] };
  }
  let value: JsonValue;
  try {
    value = JSON.parse(start === 0 ? text : text.slice(start));
  } catch {
    return { problems: examine(text, start).problems };
  }
  const count = countJson(value);
  if (count.nodes > limits.nodes) {
    return { problems: [tooManyNodes(limits.nodes)] };
  }
  if (count.members !== survey.members) return { problems: examine(text, start).problems };
  return { value, problems: survey.inexact ? examine(text, start).problems : [] };
}

export function tooDeep(limit: number, offset?: number): Problem {
  const message = `the document is nested too deep: more than ${limit} levels (limits.nesting)`;
  return { code: 'too-deep', message, ...(offset !== undefined && { offset }) };
}

export function tooManyNodes(limit: number): Problem {
  return { code: 'too-many-nodes', message: `the document has more than ${limit} values (limits.nodes)` };
}

export function duplicateKey(name: string): string {
  return `duplicate key ${quote(name)}`;
}

export function inexactNumber(text: string): string {
  return `the number ${quote(text)} is read as ${String(Number(text))}`;
}

interface Survey {
  readonly members: number;
  readonly inexact: boolean;
  readonly tooDeepAt?: number;
}

/** What the survey stops at: strings, brackets, colons and numbers. The engine's search is compiled, however young our code is. */
const surveyed = /["\d:[\]{}-]/g;

/** One pass over the text, right for well-formed texts and harmless for others. */
function surveyJson(text: string, start: number, nesting: number): Survey {
  let members = 0;
  let depth = 0;
  let inexact = false;
  for (let at = start; ; at += 1) {
    surveyed.lastIndex = at;
    if (!surveyed.test(text)) break;
    at = surveyed.lastIndex - 1;
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at);
      if (at < 0) break;
    } else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > nesting) return { members, inexact, tooDeepAt: at };
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else {
      const end = numberEnd(text, at);
      inexact ||= !isExactNumber(text.slice(at, end));
      at = end - 1;
    }
  }
  return { members, inexact };
}

/** The offset of the quote that ends the string that starts at `open`; -1 where there is none. */
function stringEnd(text: string, open: number): number {
  for (let at = open; ; ) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return -1;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    const inNumber =
      (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || (code | 0x20) === 0x65;
    if (!inNumber) return at;
  }
}

/** Counts values and object members; the value is a tree, as JSON.parse gives it. */
function countJson(value: JsonValue): { readonly nodes: number; readonly members: number } {
  let nodes = 1;
  let members = 0;
  const open: JsonValue[] = [value];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const children: readonly JsonValue[] = Array.isArray(node) ? node : Object.values(node);
    nodes += children.length;
    if (!Array.isArray(node)) members += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return { nodes, members };
}

/** The slow pass: every duplicate key and doubtful number with its place, up to the first fault of syntax. */
function examine(text: string, start: number): { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let numbers = 0;
  const fault = scanJson(text, start, {
    key(name, offset, frames) {
      if (!(frames.at(-1) as JsonFrame).names?.has(name)) return;
      problems.push({
        code: 'duplicate-key',
        message: duplicateKey(name),
        offset,
        pointer: framesPointer(frames),
        first: true,
      });
    },
    number(source, offset, frames) {
      if (isExactNumber(source)) return;
      numbers += 1;
      if (numbers > problemLimit) return;
      const pointer = framesPointer(frames);
      problems.push({ code: 'number-inexact', message: inexactNumber(source), offset, pointer, exact: source });
    },
  });
  if (fault)
    problems.push({
      code: 'syntax-error',
      message: fault.message,
      offset: fault.offset,
      pointer: framesPointer(fault.frames),
    });
  return { problems };
}
