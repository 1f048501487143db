/** Times of functions on the same values, in turn, in one process: processor time, so that a machine that others use adds little. */

export interface Candidate {
  readonly name: string;
  readonly run: (value: unknown) => boolean;
}

export interface Measured {
  readonly name: string;
  /** Nanoseconds for one value, in the middle of all rounds. */
  readonly time: number;
  /** How many times as long as the first candidate, in the middle of the ratios within rounds. */
  readonly ratio: number;
}

export interface Manner {
  /** What each of them has to say of every value. */
  readonly answer: boolean;
  /** Each value is looked at once, and has been parsed just before; parsing is not part of the time. */
  readonly fresh?: boolean;
  readonly rounds?: number;
}

/** Milliseconds: below that, the clock of the processor's time is too coarse. */
const slice = 8;

/** So much text is parsed at once. */
const parsedAtOnce = 2 ** 20;

/** Milliseconds of the processor. */
function spent(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Loop = (data: readonly unknown[], count: number) => number;

let loops = 0;

/** A loop of its own for each, made from text, so that the engine does not hold against one what it has seen of another. */
function loopOf(run: Candidate['run']): Loop {
  loops += 1;
  const text = `/* ${loops} */ let right = 0;
    for (let round = 0; round < count; round += 1)
      for (let index = 0; index < data.length; index += 1) if (run(data[index])) right += 1;
    return right;`;
  const loop = new Function('run', 'data', 'count', text) as (run: unknown, data: unknown, count: number) => number;
  return (data, count) => loop(run, data, count);
}

/** Does the whole so many times; gives the milliseconds that count. */
type Timed = (count: number) => number;

function reused(loop: Loop, data: readonly unknown[]): Timed {
  return (count) => {
    const begun = spent();
    loop(data, count);
    return spent() - begun;
  };
}

function fresh(loop: Loop, data: readonly unknown[]): Timed {
  const text = JSON.stringify(data);
  const copies = Math.max(1, Math.floor(parsedAtOnce / text.length));
  return (count) => {
    let time = 0;
    for (let left = count; left > 0; left -= copies) {
      const parsed = Array.from({ length: Math.min(left, copies) }, () => JSON.parse(text) as unknown[]).flat();
      const begun = spent();
      loop(parsed, 1);
      time += spent() - begun;
    }
    return time;
  };
}

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

interface Running {
  readonly name: string;
  readonly timed: Timed;
  readonly count: number;
  readonly times: number[];
}

function start({ name, run }: Candidate, data: readonly unknown[], manner: Manner): Running {
  const wrong = data.filter((value) => run(value) !== manner.answer).length;
  if (wrong > 0) throw new Error(`${name} is wrong about ${wrong} of ${data.length} values`);
  const timed = manner.fresh === true ? fresh(loopOf(run), data) : reused(loopOf(run), data);
  let count = 1;
  let time = timed(count);
  while (time < 2 * slice) {
    count = Math.max(count + 1, Math.ceil(count * Math.min(8, (2.5 * slice) / Math.max(time, 0.01))));
    time = timed(count);
  }
  for (let warm = 0; warm < 6; warm += 1) time = timed(count);
  return { name, timed, count: Math.max(1, Math.round((count * slice) / Math.max(time, 0.01))), times: [] };
}

/** The first candidate is what the others are compared with. */
export function measure(
  candidates: readonly Candidate[],
  data: readonly unknown[],
  manner: Manner,
): readonly Measured[] {
  const running = candidates.map((candidate) => start(candidate, data, manner));
  const { rounds = manner.fresh === true ? 7 : 13 } = manner;
  for (let round = 0; round < rounds; round += 1) {
    for (const index of running.keys()) {
      const entry = running[(index + round) % running.length];
      entry?.times.push((entry.timed(entry.count) / entry.count / data.length) * 1e6);
    }
  }
  const base = running[0]?.times ?? [];
  return running.map(({ name, times }) => ({
    name,
    time: middle(times),
    ratio: middle(times.map((time, round) => time / (base[round] ?? time))),
  }));
}
