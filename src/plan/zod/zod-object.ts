/** Objects as Zod schemas. */
import { type Code, code, joinCode, key, literal, number } from '../../encode.js';
import type { ObjectAssertions, ObjectSchema, SchemaId } from '../../ir/schema.js';
import { PatternCosts } from '../../patterns/pattern-cost.js';
import { isInherited } from '../checks/expressions.js';
import { patternTest } from '../checks/pattern-test.js';
import type { TypeClass } from '../checks/program.js';
import { range } from './zod-leaves.js';
import { type Place, Unsayable, type ZodPrinter } from './zod-printer.js';

const onlyObjects: ReadonlySet<TypeClass> = new Set(['object'] as const);

const nothing: ObjectAssertions = {
  properties: [],
  required: [],
  patternProperties: [],
  dependentRequired: [],
  dependentSchemas: [],
};

export function zodObject(printer: ZodPrinter, place: Place, { object = nothing }: ObjectSchema): Code {
  return new ObjectText(printer, place, object).text();
}

class ObjectText {
  readonly #printer: ZodPrinter;
  readonly #outer: Place;
  readonly #inner: Place;
  readonly #object: ObjectAssertions;
  readonly #required: ReadonlySet<string>;
  /** What the members must have that is not seen from their schemas. */
  readonly #demanded: string[] = [];

  constructor(printer: ZodPrinter, place: Place, object: ObjectAssertions) {
    this.#printer = printer;
    this.#outer = place;
    this.#inner = { ...place, ignored: new Set() };
    this.#object = object;
    this.#required = new Set(object.required.filter((name) => !place.ignored.has(name)));
    const named = [...object.properties.map(({ name }) => name), ...object.required, ...place.ignored];
    // Zod finds these on every object.
    if (named.some(isInherited)) throw new Unsayable();
  }

  text(): Code {
    const { required, properties, dependentRequired, dependentSchemas } = this.#object;
    const { ignored } = this.#outer;
    let text = this.#sized(this.#members());
    const known = new Set(properties.map(({ name }) => name));
    this.#demanded.push(...required.filter((name) => !known.has(name) && !ignored.has(name)));
    if (this.#demanded.length > 0) {
      const names = [...new Set(this.#demanded)];
      const check = code`${this.#use('has')}(${joinCode(names.map(literal), ', ')})`;
      text = code`${text}.refine(${check}, ${literal(`must have ${names.join(', ')}`)})`;
    }
    for (const { name, required: others } of dependentRequired) {
      const wanted = others.filter((other) => !ignored.has(other));
      if (wanted.length === 0 || ignored.has(name)) continue;
      const check = code`${this.#use('needs')}(${joinCode([name, ...wanted].map(literal), ', ')})`;
      text = code`${text}.refine(${check}, ${literal(`with ${name}, must have ${wanted.join(', ')}`)})`;
    }
    for (const { name, schema } of dependentSchemas) {
      if (ignored.has(name)) continue;
      const check = code`${this.#use('whenPresent')}(${literal(name)}, ${this.#printer.of(this.#outer, schema, onlyObjects)})`;
      text = code`${text}.superRefine(${check})`;
    }
    return text;
  }

  #use(name: string): Code {
    return this.#printer.use('zod-checks', name);
  }

  #sized(text: Code): Code {
    const { minProperties = 0, maxProperties } = this.#object;
    if (minProperties === 0 && maxProperties === undefined) return text;
    const most = maxProperties === undefined ? code`` : code`, ${number(maxProperties)}`;
    const check = code`${this.#use('hasMembers')}(${number(minProperties)}${most})`;
    return code`${text}.refine(${check}, ${literal(`must have ${range(minProperties, maxProperties)} members`)})`;
  }

  #members(): Code {
    const { properties, patternProperties, additionalProperties, propertyNames } = this.#object;
    const { ignored } = this.#outer;
    const additional = this.#additional(additionalProperties);
    const lines = properties
      .filter(({ name }) => !ignored.has(name))
      .map(({ name, schema }) => this.#line(name, schema));
    const byPattern = patternProperties.length > 0;
    // What the other direction carries is not looked at, but it is nothing unknown.
    if (additional !== undefined && !byPattern)
      for (const name of ignored) lines.push(code`${key(name)}: z.unknown().optional(),`);
    const body = lines.length === 0 ? code`{}` : code`{\n${joinCode(lines, '\n')}\n}`;
    let text = code`z.looseObject(${body})`;
    if (additional !== undefined && !byPattern) {
      if (additional === code`z.never()`) text = code`z.strictObject(${body})`;
      else if (lines.length === 0) text = code`z.record(z.string(), ${additional})`;
      else text = code`z.object(${body}).catchall(${additional})`;
    }
    const without = ignored.size === 0 ? code`` : code`, [${joinCode([...ignored].map(literal), ', ')}]`;
    if (byPattern) text = code`${text}.superRefine(${this.#patterned(additional, without)})`;
    if (propertyNames !== undefined) {
      const others = [...ignored].map((name) => code`, ${literal(name)}`);
      const check = code`${this.#use('hasNames')}(${this.#printer.of(this.#inner, propertyNames)}${joinCode(others, '')})`;
      text = code`${text}.superRefine(${check})`;
    }
    return text;
  }

  /** Nothing where anything may stand there. */
  #additional(id: SchemaId | undefined): Code | undefined {
    if (id === undefined) return undefined;
    const schema = this.#printer.facts.schema(id);
    if (schema.kind === 'boolean' && schema.value) return undefined;
    return this.#printer.of(this.#inner, id);
  }

  #line(name: string, schema: SchemaId): Code {
    const { text, isLate } = this.#printer.member(() => this.#printer.of(this.#inner, schema));
    const isRequired = this.#required.has(name);
    // What accepts anything accepts what is not there, too.
    if (isRequired && this.#printer.facts.classesOf(schema).size === 6) this.#demanded.push(name);
    const value = isRequired ? text : code`${text}.optional()`;
    return isLate ? code`get ${key(name)}() {\nreturn ${value};\n},` : code`${key(name)}: ${value},`;
  }

  #patternTest(pattern: string): Code {
    return patternTest(pattern, new PatternCosts(), () => this.#printer.use('slow-pattern', 'slowPattern')).text;
  }

  #patterned(additional: Code | undefined, without: Code): Code {
    const { patternProperties, properties } = this.#object;
    const patterns = patternProperties.map(
      ({ pattern, schema }) => code`[${this.#patternTest(pattern)}, ${this.#printer.of(this.#inner, schema)}]`,
    );
    const known = joinCode(
      properties.map(({ name }) => literal(name)),
      ', ',
    );
    const rest = additional ?? code`undefined`;
    return code`${this.#use('byPattern')}([${joinCode(patterns, ', ')}], ${rest}, [${known}]${without})`;
  }
}
