/**
 * Which units one value can come to in ways that double with each level below it: `anyOf` whose branches all lead back to it,
 * through the same member, for example. Such a unit is asked once for each value. The question is whether an automaton is
 * ambiguous without bound, whose places are the units and whose letters are the steps from a value to its parts.
 */
import { loopsOf } from '../../patterns/loops.js';
import type { Calls } from './call-graph.js';
import { type CallSite, callSites, exclude, meet, type WayStep } from './call-sites.js';
import type { Block, UnitKey } from './program.js';

/** From one unit of a loop to another, with the way from the value of the one to that of the other. */
interface Edge {
  readonly to: number;
  readonly way: readonly WayStep[];
  /** All but the last are calls on the same value. */
  readonly sites: readonly CallSite[];
}

/** One step of an edge. */
interface Move {
  readonly edge: number;
  readonly step: WayStep;
  readonly to: number;
}

/** Loops that have more edges, or more pairs of places, are not looked into: all of their units are remembered. */
const mostEdges = 2000;
const mostPairs = 20_000;

export function repeatedUnits(
  bodies: ReadonlyMap<UnitKey, Block>,
  calls: Calls,
  deep: ReadonlySet<UnitKey>,
): ReadonlySet<UnitKey> {
  const keys = [...deep];
  const indices = new Map(keys.map((key, index) => [key, index]));
  const next = keys.map((key) => (calls.get(key) ?? []).flatMap(({ unit }) => indices.get(unit) ?? []));
  const loops = new Map<number, UnitKey[]>();
  for (const [index, loop] of loopsOf(next).entries()) {
    const key = keys[index];
    if (key === undefined || loop < 0) continue;
    const known = loops.get(loop);
    if (known === undefined) loops.set(loop, [key]);
    else known.push(key);
  }
  return new Set([...loops.values()].flatMap((units) => repeatedIn(units, bodies)));
}

/** The units of one loop that values come to again and again. */
function repeatedIn(units: readonly UnitKey[], bodies: ReadonlyMap<UnitKey, Block>): readonly UnitKey[] {
  const indices = new Map(units.map((unit, index) => [unit, index]));
  const sites = units.map((unit) => callSites(bodies.get(unit) ?? []).filter((site) => indices.has(site.unit)));
  if (sites.every(({ length }) => length < 2)) return [];
  const edges: Edge[] = [];
  const starts: Start[] = [];
  for (const index of units.keys()) {
    const first = edges.length;
    if (!addEdges(index, sites, indices, edges)) return units;
    starts.push({ first, behind: edges.length });
  }
  const moves = movesOf(starts, edges);
  const found = doubled(units.length, moves, edges);
  return found === undefined ? units : units.filter((_, index) => found.has(index));
}

/** The edges of a unit: from `first` on, up to the one before `behind`. */
interface Start {
  readonly first: number;
  readonly behind: number;
}

/** Follows calls on the same value until one goes to a part of it; false where there are too many. */
function addEdges(
  from: number,
  sites: readonly (readonly CallSite[])[],
  indices: ReadonlyMap<UnitKey, number>,
  edges: Edge[],
): boolean {
  let steps = 0;
  const waiting: { readonly unit: number; readonly before: readonly CallSite[] }[] = [{ unit: from, before: [] }];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    for (const site of sites[here.unit] ?? []) {
      steps += 1;
      if (steps > mostEdges) return false;
      const to = indices.get(site.unit) ?? 0;
      const passed = [...here.before, site];
      if (site.way.length > 0) edges.push({ to, way: site.way, sites: passed });
      else if (passed.length <= indices.size) waiting.push({ unit: to, before: passed });
    }
  }
  return edges.length <= mostEdges;
}

/** Units are the first places; behind them stand those between the steps of longer edges. */
function movesOf(starts: readonly Start[], edges: readonly Edge[]): readonly (readonly Move[])[] {
  const moves: Move[][] = starts.map(() => []);
  for (const [unit, { first, behind }] of starts.entries()) {
    for (let edge = first; edge < behind; edge += 1) {
      const { way, to } = edges[edge] ?? { way: [], to: 0 };
      let place = unit;
      for (const [index, step] of way.entries()) {
        const target = index === way.length - 1 ? to : moves.push([]) - 1;
        moves[place]?.push({ edge, step, to: target });
        place = target;
      }
    }
  }
  return moves;
}

/** The units from which two different ways over the same parts lead back to the same unit; nothing where that is too much to tell. */
function doubled(
  units: number,
  moves: readonly (readonly Move[])[],
  edges: readonly Edge[],
): ReadonlySet<number> | undefined {
  const size = moves.length;
  const pairs: number[] = Array.from({ length: units }, (_, unit) => unit * size + unit);
  const known = new Map(pairs.map((pair, index) => [pair, index]));
  const next: number[][] = [];
  const parting: (readonly [number, number])[] = [];
  for (let index = 0; index < pairs.length; index += 1) {
    if (pairs.length > mostPairs) return undefined;
    const pair = pairs[index] ?? 0;
    const [left, right] = [Math.floor(pair / size), pair % size];
    const targets: number[] = [];
    next.push(targets);
    for (const one of moves[left] ?? []) {
      for (const other of moves[right] ?? []) {
        const parts = one.edge !== other.edge;
        if (parts && (!meet(one.step, other.step) || (left === right && never(edges, one, other)))) continue;
        const target = Math.min(one.to, other.to) * size + Math.max(one.to, other.to);
        const at = known.get(target) ?? pairs.push(target) - 1;
        known.set(target, at);
        targets.push(at);
        if (parts) parting.push([index, at]);
      }
    }
  }
  const loops = loopsOf(next);
  const bad = new Set(parting.flatMap(([from, to]) => (loops[from] === loops[to] ? (loops[from] ?? -1) : [])));
  bad.delete(-1);
  return new Set(Array.from({ length: units }, (_, unit) => unit).filter((unit) => bad.has(loops[unit] ?? -1)));
}

/** Whether one value never takes both moves, which start at one unit: because of where their calls part. */
function never(edges: readonly Edge[], one: Move, other: Move): boolean {
  const [left, right] = [edges[one.edge]?.sites ?? [], edges[other.edge]?.sites ?? []];
  const index = left.findIndex((site, at) => site !== right[at]);
  const [first, second] = [left[index], right[index]];
  return first !== undefined && second !== undefined && exclude(first, second);
}
