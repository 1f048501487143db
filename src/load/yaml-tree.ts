/**
 * The careful reader of YAML: the syntax tree of the `yaml` package, turned into JSON by the core schema of YAML 1.2, with
 * every fault and its place. The only file that imports `yaml`.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
  type Range,
  type Scalar,
  YAMLParseError,
} from 'yaml';

export { isAlias, isMap, isNode, isSeq } from 'yaml';

import { childPointer, type JsonPointer, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isExactNumber } from './exact-number.js';
import { yamlNesting } from './limits.js';
import { type Problem, type ReadLimits, rootPointer } from './problem.js';
import { duplicateKey, inexactNumber, type ReadValue, tooDeep } from './read-json.js';
import { plainScalar } from './yaml-scalars.js';

type ParsedDocument = Document.Parsed | 'too deep' | undefined;

/** The syntax tree, with the faults of the text in its `errors`; `undefined` where the text holds no document. */
export function parseTree(text: string, nesting: number = yamlNesting): ParsedDocument {
  const composer = new Composer<ParsedNode, true>({
    version: '1.2',
    schema: 'failsafe',
    merge: false,
    // The check of the package is quadratic in the size of a map, and tells only one of the two places.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents: Document.Parsed[] = [];
  for (const token of new Parser().parse(text)) {
    if (isDeeperThan(token, nesting)) return 'too deep';
    documents.push(...composer.next(token));
  }
  documents.push(...composer.end());
  const [document, second] = documents;
  if (second !== undefined) {
    const [start, end] = second.range;
    const message = 'the text holds more than one document';
    document?.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', message));
  }
  return document;
}

/** Whether arrays and objects are nested deeper than the limit; iterative, as the parser of these tokens is. */
function isDeeperThan(root: CST.Token, limit: number): boolean {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: root, depth: 0 }];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { token, depth } = entry;
    if (depth > limit) return true;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key) open.push({ token: item.key, depth: depth + 1 });
      if (item.value) open.push({ token: item.value, depth: depth + 1 });
    }
  }
  return false;
}

export function readYamlTree(text: string, limits: ReadLimits): ReadValue {
  const nesting = Math.min(limits.nesting, yamlNesting);
  const document = parseTree(text, nesting);
  if (document === 'too deep') return { problems: [tooDeep(nesting)] };
  if (document === undefined) return { value: null, problems: [] };
  const converter = new Converter(text);
  for (const fault of firstFaults(text, document.errors))
    converter.fault('syntax-error', lowerFirst(fault.message), fault.pos[0]);
  if (converter.problems.length > 0) return { problems: converter.problems };
  const value = converter.convert(document.contents, rootPointer);
  return converter.failed ? { problems: converter.problems } : { value, problems: converter.problems };
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/**
 * The first fault of each cascade: a bracket or a quote that is not closed makes much of what follows wrong. The parser finds
 * its way again at a line that is indented no deeper than the one with the fault; what it says up to there is of the same mistake.
 */
function firstFaults(text: string, faults: readonly Fault[]): readonly Fault[] {
  const first: Fault[] = [];
  let known = -1;
  for (const fault of [...faults].sort((left, right) => left.pos[0] - right.pos[0])) {
    // A token where no document is open any more: a bracket too many has closed it.
    const isLost = fault.code === 'UNEXPECTED_TOKEN' && first.length > 0;
    if (fault.pos[0] <= known || isLost) continue;
    first.push(fault);
    known = endOfCascade(text, fault.pos[0]);
  }
  return first;
}

/** The end of the first line behind this place that is indented no deeper than the line of the place. */
function endOfCascade(text: string, place: number): number {
  const endOfLine = (start: number): number => {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  };
  const line = place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
  const indent = indentAt(text, line);
  // The fault is of the lines before, and here the parser finds its way again.
  if (place <= line + indent) return endOfLine(place);
  for (let end = endOfLine(place); end < text.length; end = endOfLine(end + 1)) {
    const start = end + 1;
    const own = indentAt(text, start);
    const isEmpty = /^[ \t]*(?:#|\r?$)/.test(text.slice(start, Math.min(endOfLine(start), start + own + 2)));
    if (own <= indent && !isEmpty) return endOfLine(start);
  }
  return text.length;
}

function indentAt(text: string, start: number): number {
  let end = start;
  while (text[end] === ' ') end += 1;
  return end - start;
}

function lowerFirst(message: string): string {
  const line = message.split('\n')[0] ?? '';
  return /^[A-Z][a-z ]/.test(line) ? `${line.charAt(0).toLowerCase()}${line.slice(1)}` : line;
}

const numberTags: readonly string[] = ['tag:yaml.org,2002:int', 'tag:yaml.org,2002:float'];
const knownTags: readonly string[] = [
  ...numberTags,
  'tag:yaml.org,2002:str',
  'tag:yaml.org,2002:null',
  'tag:yaml.org,2002:bool',
  'tag:yaml.org,2002:map',
  'tag:yaml.org,2002:seq',
];

export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : key === null ? '' : undefined;
}

function scalarText(node: Scalar): string {
  return node.source ?? String(node.value ?? '');
}

class Converter {
  readonly problems: Problem[] = [];
  failed = false;
  readonly #anchors = new Map<string, JsonValue | 'open'>();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  fault(code: Problem['code'], message: string, offset: number, pointer: JsonPointer = rootPointer): void {
    this.failed = true;
    this.problems.push({ code, message, offset: Math.min(offset, this.#text.length), pointer });
  }

  // Recursive, but never deeper than the syntax tree may be.
  convert(node: ParsedNode | null, pointer: JsonPointer): JsonValue {
    if (node === null) return null;
    const offset = node.range[0];
    if (isAlias(node)) return this.#alias(node.source, offset, pointer);
    if (node.tag !== undefined && !knownTags.includes(node.tag)) {
      this.fault('syntax-error', `the tag ${quote(node.tag)} has no form in JSON`, offset, pointer);
      return null;
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, 'open');
    const value = this.#plainValue(node, pointer);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, value);
    return value;
  }

  #plainValue(node: ParsedNode, pointer: JsonPointer): JsonValue {
    if (isScalar(node)) return this.#scalar(node, node.range, pointer);
    if (isSeq(node)) {
      return node.items.map((item, index) =>
        this.convert(isNode(item) ? (item as ParsedNode) : null, childPointer(pointer, index)),
      );
    }
    return isMap(node) ? this.#map(node.items, pointer) : null;
  }

  #alias(name: string, offset: number, pointer: JsonPointer): JsonValue {
    const value = this.#anchors.get(name);
    if (value === undefined)
      this.fault('syntax-error', `no anchor ${quote(name)} stands before this alias`, offset, pointer);
    else if (value === 'open')
      this.fault('syntax-error', `the alias ${quote(name)} is part of its own anchor`, offset, pointer);
    return value === undefined || value === 'open' ? null : value;
  }

  #map(pairs: readonly { key: unknown; value: unknown }[], pointer: JsonPointer): JsonValue {
    const result: { [key: string]: JsonValue } = {};
    for (const pair of pairs) {
      const offset = isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
      const name = this.#key(pair.key, offset, pointer);
      if (name === undefined) continue;
      const at = childPointer(pointer, name);
      if (Object.hasOwn(result, name)) {
        this.failed = true;
        this.problems.push({ code: 'duplicate-key', message: duplicateKey(name), offset, pointer: at, first: true });
      }
      const value = this.convert(isNode(pair.value) ? (pair.value as ParsedNode) : null, at);
      // Not an assignment: "__proto__" is a name like any other.
      Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
    }
    return result;
  }

  #key(key: unknown, offset: number, pointer: JsonPointer): string | undefined {
    if (isAlias(key)) {
      const value = this.#alias(key.source, offset, pointer);
      if (typeof value === 'string') return value;
    }
    const name = keyText(key);
    if (name === undefined) {
      this.fault('syntax-error', 'a key is neither text nor a number, so it has no form in JSON', offset, pointer);
    } else if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
      this.fault('yaml-merge-key', 'the merge key "<<" is not part of YAML 1.2', offset, pointer);
      return undefined;
    }
    return name;
  }

  #scalar(node: Scalar, range: Range, pointer: JsonPointer): JsonValue {
    const text = scalarText(node);
    const plain = node.type === 'PLAIN' || node.type === undefined;
    if (node.tag === 'tag:yaml.org,2002:str' || (!plain && node.tag === undefined)) return text;
    const scalar = plainScalar(text);
    switch (scalar.kind) {
      case 'null':
        return null;
      case 'true':
      case 'false':
        return scalar.kind === 'true';
      case 'number':
        if (!isExactNumber(text)) {
          this.problems.push({
            code: 'number-inexact',
            message: inexactNumber(text),
            offset: range[0],
            pointer,
            exact: text,
          });
        }
        if (Number.isFinite(scalar.value)) return scalar.value;
        this.fault('syntax-error', `the number ${quote(text)} has no form in JSON`, range[0], pointer);
        return null;
      case 'not-json':
        this.fault('syntax-error', `the number ${quote(text)} has no form in JSON`, range[0], pointer);
        return null;
      case 'string':
        return text;
    }
  }
}
