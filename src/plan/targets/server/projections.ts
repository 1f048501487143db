/**
 * What is left out of values: members that are `readOnly` do not come in, members that are `writeOnly` do not go out.
 * Walks the shapes once and keeps only what leads to such a member.
 */
import { type Code, code, joinCode, literal } from '../../../encode.js';
import type { Api } from '../../../ir/api.js';
import type { SchemaId } from '../../../ir/schema.js';
import type { PropertyShape, Shape } from '../../../ir/shape.js';
import type { Direction } from '../../target.js';

interface Node {
  readonly omit: readonly string[];
  readonly members: readonly { readonly name: string; readonly shape: Shape }[];
  readonly items: readonly Shape[];
  readonly rest: Shape | undefined;
  readonly also: readonly Shape[];
}

export class Projections {
  readonly #api: Api;
  readonly #nodes: Readonly<Record<Direction, Map<Shape, Node>>> = { read: new Map(), write: new Map() };
  readonly #indices: Readonly<Record<Direction, Map<Shape, number>>> = { read: new Map(), write: new Map() };
  readonly #useful = new Map<Direction, ReadonlySet<Shape>>();
  readonly #lines: Code[] = [];

  constructor(api: Api) {
    this.#api = api;
  }

  /** The index of a schema's projection; nothing where its values travel whole. */
  indexOf(schema: SchemaId | undefined, direction: Direction): number | undefined {
    if (schema === undefined || !this.#api.directional.has(schema)) return undefined;
    const shape = this.#target({ kind: 'ref', target: schema });
    if (!shape) return undefined;
    const useful = this.#usefulIn(direction);
    return useful.has(shape) ? this.#index(shape, direction, useful) : undefined;
  }

  /** The table of the contract, one line per projection. */
  get lines(): readonly Code[] {
    return this.#lines;
  }

  #target(shape: Shape): Shape | undefined {
    let current: Shape | undefined = shape;
    for (let steps = 0; current?.kind === 'ref' && steps < 10_000; steps++)
      current = this.#api.shapes.get(current.target);
    return current?.kind === 'ref' ? undefined : current;
  }

  /** The shapes in or below which something is left out in a direction; found once. */
  #usefulIn(direction: Direction): ReadonlySet<Shape> {
    const known = this.#useful.get(direction);
    if (known) return known;
    const nodes = this.#nodes[direction];
    const pending = [...this.#api.directional].flatMap((schema) => this.#api.shapes.get(schema) ?? []);
    for (let shape = pending.pop(); shape; shape = pending.pop()) {
      const target = this.#target(shape);
      if (!target || nodes.has(target)) continue;
      const node = nodeOf(target, direction);
      nodes.set(target, node);
      for (const child of childrenOf(node)) pending.push(child);
    }
    const useful = usefulNodes(nodes, (one) => this.#target(one));
    this.#useful.set(direction, useful);
    return useful;
  }

  /** Numbers a useful shape and prints it; the number is taken before the children are, so that cycles end. */
  #index(shape: Shape, direction: Direction, useful: ReadonlySet<Shape>): number {
    const indices = this.#indices[direction];
    const pending: Shape[] = [];
    const number = (one: Shape | undefined): number | undefined => {
      const target = one && this.#target(one);
      if (!target || !useful.has(target)) return undefined;
      const known = indices.get(target);
      if (known !== undefined) return known;
      const index = this.#lines.push(code`{}`) - 1;
      indices.set(target, index);
      pending.push(target);
      return index;
    };
    const first = number(shape) ?? 0;
    for (let next = pending.pop(); next; next = pending.pop()) {
      const node = this.#nodes[direction].get(next);
      if (node) this.#lines[indices.get(next) ?? 0] = this.#print(node, number);
    }
    return first;
  }

  #print(node: Node, number: (shape: Shape | undefined) => number | undefined): Code {
    const parts: Code[] = [];
    if (node.omit.length > 0) parts.push(code`omit: ${literal(node.omit)}`);
    const members = node.members.flatMap(({ name, shape }) => {
      const index = number(shape);
      return index === undefined ? [] : [code`{ name: ${literal(name)}, projection: ${index} }`];
    });
    if (members.length > 0) parts.push(code`members: [${joinCode(members, ', ')}]`);
    const items = node.items.flatMap((item) => number(item) ?? []);
    const [item] = items;
    if (items.length > 1) parts.push(code`items: ${this.#lines.push(code`{ also: ${literal(items)} }`) - 1}`);
    else if (item !== undefined) parts.push(code`items: ${item}`);
    const rest = number(node.rest);
    if (rest !== undefined) parts.push(code`rest: ${rest}`);
    const also = node.also.flatMap((one) => number(one) ?? []);
    if (also.length > 0) parts.push(code`also: ${literal(also)}`);
    return code`{ ${joinCode(parts, ', ')} }`;
  }
}

function nodeOf(shape: Shape, direction: Direction): Node {
  const nothing: Node = { omit: [], members: [], items: [], rest: undefined, also: [] };
  switch (shape.kind) {
    case 'object': {
      const travels = ({ access }: PropertyShape): boolean => access === 'both' || access === direction;
      return {
        ...nothing,
        omit: shape.properties.filter((property) => !travels(property)).map(({ name }) => name),
        members: shape.properties.filter(travels).map(({ name, shape: inner }) => ({ name, shape: inner })),
        rest: shape.additional,
      };
    }
    case 'array':
      return { ...nothing, items: [shape.items] };
    case 'tuple':
      return { ...nothing, items: shape.rest ? [...shape.items, shape.rest] : shape.items };
    case 'union':
    case 'intersection':
      return { ...nothing, also: shape.members };
    default:
      return nothing;
  }
}

function childrenOf({ members, items, rest, also }: Node): readonly Shape[] {
  return [...members.map(({ shape }) => shape), ...items, ...(rest ? [rest] : []), ...also];
}

/** The shapes in or below which something is left out: from those that leave out, backwards. */
function usefulNodes(
  nodes: ReadonlyMap<Shape, Node>,
  resolve: (shape: Shape) => Shape | undefined,
): ReadonlySet<Shape> {
  const parents = new Map<Shape, Shape[]>();
  const pending: Shape[] = [];
  for (const [shape, node] of nodes) {
    if (node.omit.length > 0) pending.push(shape);
    for (const child of childrenOf(node)) {
      const target = resolve(child);
      if (!target) continue;
      const known = parents.get(target);
      if (known) known.push(shape);
      else parents.set(target, [shape]);
    }
  }
  const useful = new Set<Shape>();
  for (let shape = pending.pop(); shape; shape = pending.pop()) {
    if (useful.has(shape)) continue;
    useful.add(shape);
    pending.push(...(parents.get(shape) ?? []));
  }
  return useful;
}
