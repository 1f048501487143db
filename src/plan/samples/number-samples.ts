/** Numbers for the keywords of numbers. */
import type { ObjectSchema } from '../../ir/schema.js';
import { multipleOf } from '../../runtime/checks.js';
import { hasFormat } from './format-checks.js';
import type { Random } from './random.js';

export class NumberSamples {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  number(nodes: readonly ObjectSchema[], varied: boolean): number | undefined {
    const said = nodes.flatMap(({ number }) => number ?? []);
    const lower = Math.max(...said.flatMap((one) => [one.minimum, one.exclusiveMinimum].filter(isNumber)));
    const upper = Math.min(...said.flatMap((one) => [one.maximum, one.exclusiveMaximum].filter(isNumber)));
    const divisors = said.flatMap(({ multipleOf: divisor }) => divisor ?? []);
    const whole = nodes.some(({ types }) => types?.includes('integer') && !types.includes('number'));
    const all = this.#candidates(lower, upper, whole ? [...divisors, 1] : divisors, varied);
    const formats = nodes.flatMap(({ format }) => format ?? []);
    return all.find(
      (value) =>
        (!whole || Number.isInteger(value)) &&
        said.every((one) => isWithin(value, one)) &&
        formats.every((format) => hasFormat(format, value)),
    );
  }

  #candidates(lower: number, upper: number, divisors: readonly number[], varied: boolean): readonly number[] {
    const found: number[] = [];
    const [from, to] = [Number.isFinite(lower) ? lower : undefined, Number.isFinite(upper) ? upper : undefined];
    const start = from ?? (to === undefined ? 1 : Math.min(to, 1));
    const span = to === undefined ? 100 : to - start;
    if (varied) {
      const step = Math.max(...divisors, 0);
      const offset = step > 0 ? rounded(this.#random.below(Math.min(1000, Math.max(1, span / step))) * step) : 0.5;
      found.push(
        rounded(start + offset),
        rounded(Math.ceil(start) + this.#random.below(Math.min(1000, Math.max(1, span)))),
      );
    }
    found.push(start, Math.ceil(start), Math.floor(start) + 1);
    // The multiples next to where the range starts; of a fraction that has to be whole, further ones.
    for (const divisor of divisors) {
      const first = Math.ceil(start / divisor);
      for (const count of [0, 1, 2, 3, 4, 5, 7, 9, 10, 100, 1000]) found.push(rounded((first + count) * divisor));
    }
    found.push(start + span / 2, start + span / 1000, 0, 1);
    if (to !== undefined) found.push(to, Math.floor(to), Math.ceil(to) - 1);
    const product = rounded(divisors.reduce((all, divisor) => all * divisor, 1));
    found.push(product, rounded(Math.ceil(start / product) * product));
    return found.filter(Number.isFinite).map((value) => (Object.is(value, -0) ? 0 : value));
  }
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

/** Without what binary fractions add to decimal ones. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}

function isWithin(value: number, said: NonNullable<ObjectSchema['number']>): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf: divisor } = said;
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) return false;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false;
  return divisor === undefined || multipleOf(value, divisor, 0);
}
