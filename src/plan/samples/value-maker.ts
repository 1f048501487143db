/**
 * Makes one value. All nodes that apply to a place are gathered, a value is built that has what they demand, and the
 * schemas are asked whether they accept it; where not, other branches are tried. Steps are counted: a schema that no
 * value satisfies, or a hostile one, ends with no value.
 */
import type { JsonValue, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { equal } from '../../runtime/checks.js';
import type { TypeClass } from '../checks/program.js';
import { arraySample } from './array-samples.js';
import { type Choose, type Conjunction, conjunctionOf } from './conjunction.js';
import { contentTexts } from './content-samples.js';
import type { Maker, MakerOptions } from './maker.js';
import { NumberSamples } from './number-samples.js';
import { objectSample } from './object-samples.js';
import { TextSamples } from './text-samples.js';
import { isOfType, type Validity } from './validity.js';

const deepest = 64;
/** Below this, what need not be there is left out, and recursion is led out. */
const shallow = 4;
const stepLimit = 4000;
const sizeLimit = 400;

const order: readonly TypeClass[] = ['object', 'array', 'string', 'number', 'boolean', 'null'];

export class ValueMaker implements Maker {
  readonly validity: Validity;
  readonly options: MakerOptions;
  readonly #texts: TextSamples;
  readonly #numbers: NumberSamples;
  #steps = 0;
  #size = 0;

  constructor(validity: Validity, options: MakerOptions) {
    this.validity = validity;
    this.options = options;
    this.#texts = new TextSamples(validity, options.random);
    this.#numbers = new NumberSamples(options.random);
  }

  /** A value that all schemas accept. `varied`: other values than before are wanted. */
  value(ids: readonly SchemaId[], depth: number, varied: boolean = this.options.varied): JsonValue | undefined {
    if (depth > deepest) return undefined;
    const [only] = ids;
    const known = only !== undefined && ids.length === 1 && !varied ? this.options.documented(only) : undefined;
    if (known !== undefined) return known;
    const most = depth === 0 ? 60 : 12;
    for (let attempt = 0; attempt < most; attempt++) {
      if (++this.#steps > stepLimit) return undefined;
      const again = varied || attempt > 0;
      const parts = conjunctionOf(ids, this.validity.facts, this.#choose(depth, again), attempt > most / 3);
      if (parts === undefined) continue;
      const size = this.#size;
      const value = this.#made(parts, ids, depth, again);
      const checked = parts.risky || depth === 0;
      if (value !== undefined && (!checked || this.#accepted(ids, value))) return value;
      this.#size = size;
      if (!parts.chosen && !parts.risky && attempt > 1) return undefined;
    }
    return undefined;
  }

  wantsOptional(depth: number): boolean {
    const { fullness, random } = this.options;
    if (fullness === 'least' || depth > shallow || this.#size > sizeLimit) return false;
    return fullness === 'all' || random.below(3) > 0;
  }

  text(nodes: readonly ObjectSchema[]): string | undefined {
    return this.#texts.text(nodes, true);
  }

  /** Whether a check of the user's own decides, which nobody can run here. */
  #isTrusted(nodes: readonly ObjectSchema[]): boolean {
    const { formats } = this.validity.assertions;
    return formats !== undefined && nodes.some(({ format }) => format !== undefined && formats.has(format));
  }

  #contents(nodes: readonly ObjectSchema[], depth: number, varied: boolean): readonly string[] {
    return contentTexts(nodes, this.validity.assertions, (schema) => this.value([schema], depth + 1, varied));
  }

  #accepted(ids: readonly SchemaId[], value: JsonValue): boolean {
    return ids.every((id) => this.validity.accepts(id, value, this.options.direction));
  }

  /** The plainest choice is the first branch that is not null, deep down the one that leads out of recursion. */
  #choose(depth: number, varied: boolean): Choose {
    const { random } = this.options;
    const { facts } = this.validity;
    return (branches) => {
      if (depth > shallow) {
        const heights = this.options.heights();
        const of = (id: SchemaId): number => heights.get(id) ?? Number.POSITIVE_INFINITY;
        const turned = varied ? random.turned(branches) : branches;
        return turned.reduce((best, id) => (of(id) < of(best) ? id : best), turned[0] ?? ('' as SchemaId));
      }
      if (varied) return random.pick(branches);
      return branches.find((id) => !onlyNull(facts.classesOf(id))) ?? branches[0];
    };
  }

  #made(parts: Conjunction, ids: readonly SchemaId[], depth: number, varied: boolean): JsonValue | undefined {
    this.#size++;
    const values = this.#listed(parts, ids);
    if (values !== undefined)
      return varied ? this.options.random.pick(values) : (values.find((one) => one !== null) ?? values[0]);
    const classes = classesOf(parts.nodes);
    const turned = varied && this.options.random.below(3) === 0 ? this.options.random.turned(classes) : classes;
    for (const kind of turned) {
      const value = this.#ofClass(kind, parts, depth, varied);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** The values that `const` and `enum` leave, where there are any of these. */
  #listed({ nodes }: Conjunction, ids: readonly SchemaId[]): readonly JsonValue[] | undefined {
    const lists = nodes.flatMap((node) => {
      const values = this.validity.facts.valuesOf(node);
      return values === undefined ? [] : [values];
    });
    const [first, ...others] = lists;
    if (first === undefined) return undefined;
    const common = first.filter(
      (value) =>
        others.every((list) => list.some((other) => equal(value, other))) &&
        nodes.every(({ types }) => types === undefined || types.some((type) => isOfType(value, type))),
    );
    return common.length > 1 ? common.filter((value) => this.#accepted(ids, value)) : common;
  }

  #ofClass(kind: TypeClass, parts: Conjunction, depth: number, varied: boolean): JsonValue | undefined {
    const { nodes } = parts;
    if ((kind === 'string' || kind === 'number') && this.#isTrusted(nodes)) return givenValue(nodes, kind);
    switch (kind) {
      case 'object':
        return objectSample(this, parts, depth, varied);
      case 'array':
        return arraySample(this, nodes, depth, varied);
      case 'string':
        return this.#texts.text(nodes, varied, this.#contents(nodes, depth, varied));
      case 'number':
        return this.#numbers.number(nodes, varied);
      case 'boolean':
        return varied ? this.options.random.below(2) === 0 : true;
      case 'null':
        return null;
    }
  }
}

/** What the document itself gives for a value. */
function givenValue(nodes: readonly ObjectSchema[], kind: 'string' | 'number'): JsonValue | undefined {
  const given = nodes.flatMap(({ docs: { examples = [], default: preset } }) => [
    ...examples,
    ...(preset === undefined ? [] : [preset.value]),
  ]);
  return given.find((value) => typeof value === kind);
}

function onlyNull(classes: ReadonlySet<TypeClass>): boolean {
  return classes.size === 1 && classes.has('null');
}

/** What the value may be, the most telling first. Where no type is said, the keywords tell what is meant. */
function classesOf(nodes: readonly ObjectSchema[]): readonly TypeClass[] {
  const typed = nodes.flatMap(({ types }) => (types === undefined ? [] : [types]));
  const allowed = order.filter((kind) =>
    typed.every((types) => types.some((type) => type === kind || (type === 'integer' && kind === 'number'))),
  );
  const meant = allowed.filter((kind) => nodes.some((node) => saysOf(node, kind)));
  if (typed.length > 0) return [...meant, ...allowed.filter((kind) => !meant.includes(kind))];
  return meant.length > 0 ? meant : ['string', ...order.filter((kind) => kind !== 'string')];
}

function saysOf(node: ObjectSchema, kind: TypeClass): boolean {
  if (kind === 'object') return node.object !== undefined || node.unevaluated?.properties !== undefined;
  if (kind === 'array') return node.array !== undefined || node.unevaluated?.items !== undefined;
  if (kind === 'string') return node.string !== undefined;
  return kind === 'number' && node.number !== undefined;
}
