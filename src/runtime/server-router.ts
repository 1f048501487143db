// SPDX-License-Identifier: 0BSD

/** A value that a variable of the path took. */
export interface PathValue {
  readonly name: string;
  /** Percent-decoded once. */
  readonly text: string;
  /** As it came, where the variable is the whole segment: delimiters in it can be told from encoded ones. */
  readonly raw?: string;
}

/** A route and the names of its path's variables, in the order in which they are met. */
export interface Routed<R> {
  readonly route: R;
  readonly names: readonly string[];
}

export type Found<R> =
  | {
      readonly kind: 'route';
      readonly routes: ReadonlyMap<string, Routed<R>>;
      readonly captured: readonly { readonly text: string; readonly raw: string | undefined }[];
    }
  /** The path is known, but a malformed percent-encoding stands where a variable does. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown'; readonly malformed: boolean };

/** Names what was captured. */
export function pathValues(
  names: readonly string[],
  captured: readonly { readonly text: string; readonly raw: string | undefined }[],
): readonly PathValue[] {
  return captured.map(({ text, raw }, index) => ({
    name: names[index] ?? '',
    text,
    ...(raw !== undefined && { raw }),
  }));
}

type Token = { readonly literal: string } | { readonly variable: string };

type Target<R> = Map<string, Routed<R>>;

interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  /** Segments that mix text and variables, the one with the most text first. */
  readonly mixed: { readonly tokens: readonly Token[]; readonly text: number; readonly node: Node<R> }[];
  variable: Node<R> | undefined;
  target: Target<R> | undefined;
}

function emptyNode<R>(): Node<R> {
  return { literals: new Map(), mixed: [], variable: undefined, target: undefined };
}

/**
 * Finds the route of a path in a tree of its segments: static text before mixed text before a bare variable. A node of
 * the tree is looked at once per request at most, and no text of the document becomes a pattern.
 */
export class Router<R> {
  readonly #root: Node<R> = emptyNode();

  /** Throws where two variables touch: then no request says where the first one ends. */
  add(path: readonly (string | { readonly variable: string })[], method: string, route: R): void {
    let node = this.#root;
    const names: string[] = [];
    for (const tokens of segmentsOf(path)) {
      for (const token of tokens) if ('variable' in token) names.push(token.variable);
      node = childFor(node, tokens);
    }
    node.target ??= new Map();
    // Of two paths that match the same requests the first one answers.
    if (!node.target.has(method)) node.target.set(method, { route, names });
  }

  /** `path` starts with `/` and is still percent-encoded. */
  find(path: string): Found<R> {
    const raw = path.slice(1).split('/');
    const decoded = raw.map(decodeSegment);
    const values: (string | undefined)[] = [];
    const raws: (string | undefined)[] = [];
    const target = this.#walk(this.#root, 0, { raw, decoded, values, raws });
    if (target === undefined) return { kind: 'unknown', malformed: decoded.includes(undefined) };
    const captured: { readonly text: string; readonly raw: string | undefined }[] = [];
    for (const [index, text] of values.entries()) {
      if (text === undefined) return { kind: 'malformed' };
      captured.push({ text, raw: raws[index] });
    }
    return { kind: 'route', routes: target, captured };
  }

  #walk(node: Node<R>, index: number, state: WalkState): Target<R> | undefined {
    if (index === state.raw.length) return node.target;
    const text = state.decoded[index];
    if (text !== undefined) {
      const literal = node.literals.get(text);
      const found = literal === undefined ? undefined : this.#walk(literal, index + 1, state);
      if (found !== undefined) return found;
      for (const mixed of node.mixed) {
        const captured = capture(mixed.tokens, text);
        if (captured === undefined) continue;
        const kept = state.values.length;
        for (const value of captured) {
          state.values.push(value);
          state.raws.push(undefined);
        }
        const beyond = this.#walk(mixed.node, index + 1, state);
        if (beyond !== undefined) return beyond;
        state.values.length = kept;
        state.raws.length = kept;
      }
    }
    if (node.variable === undefined || state.raw[index] === '') return undefined;
    state.values.push(text);
    state.raws.push(state.raw[index]);
    const found = this.#walk(node.variable, index + 1, state);
    if (found === undefined) {
      state.values.pop();
      state.raws.pop();
    }
    return found;
  }
}

interface WalkState {
  readonly raw: readonly string[];
  /** `undefined` where the segment is malformed. */
  readonly decoded: readonly (string | undefined)[];
  readonly values: (string | undefined)[];
  readonly raws: (string | undefined)[];
}

function decodeSegment(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A literal of the document may hold percent-encodings of its own; text that is no encoding stays. */
function decodeLiteral(text: string): string {
  return decodeSegment(text) ?? text;
}

function segmentsOf(path: readonly (string | { readonly variable: string })[]): Token[][] {
  const segments: Token[][] = [[]];
  for (const part of path) {
    const current = segments.at(-1) ?? [];
    if (typeof part !== 'string') {
      const before = current.at(-1);
      if (before !== undefined && 'variable' in before) throw new TypeError('two variables of a path touch');
      current.push(part);
      continue;
    }
    for (const [index, text] of part.split('/').entries()) {
      if (index > 0) segments.push([]);
      if (text !== '') segments.at(-1)?.push({ literal: decodeLiteral(text) });
    }
  }
  return segments.slice(1);
}

function childFor<R>(node: Node<R>, tokens: readonly Token[]): Node<R> {
  const [first] = tokens;
  if (tokens.length === 1 && first !== undefined && 'variable' in first) {
    node.variable ??= emptyNode();
    return node.variable;
  }
  if (tokens.every((token) => 'literal' in token)) {
    const text = tokens.map((token) => ('literal' in token ? token.literal : '')).join('');
    const child = node.literals.get(text) ?? emptyNode<R>();
    node.literals.set(text, child);
    return child;
  }
  const known = node.mixed.find((mixed) => samePattern(mixed.tokens, tokens));
  if (known !== undefined) return known.node;
  const text = tokens.reduce((sum, token) => sum + ('literal' in token ? token.literal.length : 0), 0);
  const child = emptyNode<R>();
  node.mixed.push({ tokens, text, node: child });
  node.mixed.sort((one, other) => other.text - one.text);
  return child;
}

function samePattern(one: readonly Token[], other: readonly Token[]): boolean {
  return (
    one.length === other.length &&
    one.every((token, index) => {
      const twin = other[index];
      if (twin === undefined) return false;
      return 'literal' in token ? 'literal' in twin && twin.literal === token.literal : 'variable' in twin;
    })
  );
}

/** The values of the variables of a mixed segment; every literal is taken at its first place, so this is linear. */
function capture(tokens: readonly Token[], text: string): string[] | undefined {
  const values: string[] = [];
  let position = 0;
  let open = false;
  for (const [index, token] of tokens.entries()) {
    if ('variable' in token) {
      open = true;
      continue;
    }
    const last = index === tokens.length - 1;
    if (!open) {
      if (!text.startsWith(token.literal, position)) return undefined;
      position += token.literal.length;
      continue;
    }
    const at = last ? text.length - token.literal.length : text.indexOf(token.literal, position + 1);
    if (at <= position || !text.startsWith(token.literal, at)) return undefined;
    values.push(text.slice(position, at));
    position = at + token.literal.length;
    open = false;
  }
  if (open) {
    if (position >= text.length) return undefined;
    values.push(text.slice(position));
    position = text.length;
  }
  return position === text.length ? values : undefined;
}
