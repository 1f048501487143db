/**
 * Which schemas say the same, wherever they stand. Documents repeat themselves: a user with thirty members is written out
 * at hundreds of places. Schemas of one structure have one function, which is told the place that it speaks for.
 */
import { writtenId } from '../../ir/resolve.js';
import type { ArrayAssertions, ObjectAssertions, ObjectSchema, Schema, SchemaId } from '../../ir/schema.js';
import type { ValidatorEntry } from '../target.js';
import { type AssertionOptions, assertedContent, assertedFormat } from './asserted.js';
import { type Facts, onlyTypes } from './facts.js';

/** All schemas that say the same: alike in every assertion, and in the way from each to the schemas inside it. */
interface Structure {
  readonly key: string;
  /** How many schemas it is made of, itself included, as far as they stand inside. */
  readonly weight: number;
  /** The schemas that say this. */
  places: number;
  /** Functions that would contain it: one for each different structure around it, and its own public ones. */
  uses: number;
  /** The public validator that stands for all of them. */
  entry?: ValidatorEntry;
  /** The first of the validators that are nothing but one function, such as those of parameters. */
  plainEntry?: ValidatorEntry;
}

/** From this size on a repeated structure has a function of its own; a public validator calls another from a smaller size on. */
const leastWeight = 8;
const leastPublicWeight = 4;

/** Stands for all schemas that say nothing but their types: most of a document, and never worth a function. */
const typesAlone: Structure = { key: '', weight: 1, places: 0, uses: 0 };

/** Structures nested deeper than this are left alone: the walk uses the call stack. */
const deepest = 400;

export class Structures {
  readonly #facts: Facts;
  readonly #assertions: AssertionOptions;
  readonly #alone: ReadonlySet<SchemaId>;
  readonly #byText = new Map<string, Structure>();
  readonly #bySchema = new Map<SchemaId, Structure>();
  #depth = 0;

  /** The functions of the schemas in `alone` are not shared: their checks depend on more than what they say. */
  constructor(
    facts: Facts,
    assertions: AssertionOptions,
    entries: readonly ValidatorEntry[],
    alone: ReadonlySet<SchemaId>,
  ) {
    this.#alone = alone;
    this.#facts = facts;
    this.#assertions = assertions;
    for (const entry of entries) {
      const structure = this.#of(entry.schema);
      structure.uses += 1;
      if (entry.direction !== 'read') continue;
      if (standsBefore(entry, structure.entry)) structure.entry = entry;
      if (entry.names.forms === undefined) structure.plainEntry ??= entry;
    }
  }

  /** The structure of a schema, where it has a function that others share. */
  shared(id: SchemaId): Structure | undefined {
    const structure = this.#bySchema.get(id);
    if (structure === undefined || structure.places < 2 || structure.uses < 2) return undefined;
    return structure.weight >= (structure.entry === undefined ? leastWeight : leastPublicWeight)
      ? structure
      : undefined;
  }

  /** The plain validator that says what another one says, of whatever size: hundreds of parameters are texts of one length. */
  twin({ schema, direction, names }: ValidatorEntry): ValidatorEntry | undefined {
    if (direction !== 'read' || names.forms !== undefined) return undefined;
    return this.#bySchema.get(schema)?.plainEntry;
  }

  #of(id: SchemaId): Structure {
    const known = this.#bySchema.get(id);
    if (known !== undefined) return known;
    this.#depth += 1;
    const inside: Structure[] = [];
    const text = this.#depth > deepest || this.#alone.has(id) ? id : this.#text(id, inside);
    this.#depth -= 1;
    let structure = this.#byText.get(text);
    if (structure === undefined) {
      let weight = 1;
      for (const part of inside) {
        part.uses += 1;
        weight += part.weight;
      }
      structure = { key: `=${this.#byText.size}`, weight, places: 0, uses: 0 };
      this.#byText.set(text, structure);
    }
    structure.places += 1;
    this.#bySchema.set(id, structure);
    return structure;
  }

  /** What a schema says, as text: equal texts, equal checks. */
  #text(id: SchemaId, inside: Structure[]): string {
    const schema = this.#facts.schema(id);
    const travels = travelsOf(schema);
    const written = writtenId(id);
    if (schema.kind === 'boolean') return `${travels}${schema.value}`;
    /** A schema below this one: the way to it and what it says. */
    const below = (part: SchemaId): string => {
      // With its length in front, no text of the document can pass for another way.
      const way = isInside(part, written) ? part.slice(id.length) : `~${part}`;
      const schemaOfPart = this.#facts.schema(part);
      const types = onlyTypes(schemaOfPart, this.#assertions);
      if (types !== undefined) {
        inside.push(typesAlone);
        return `${way.length}:${way} ${travelsOf(schemaOfPart)}${types.length === 1 ? types[0] : types.join(' ')}`;
      }
      const structure = this.#of(part);
      inside.push(structure);
      return `${way.length}:${way}${structure.key}`;
    };
    let text = `${travels}${schema.types === undefined ? '' : schema.types.join(' ')}`;
    const add = (name: string, value: unknown): void => {
      if (value !== undefined) text += ` ${name}${JSON.stringify(value)}`;
    };
    add('enum', schema.enum);
    add('const', schema.const);
    add('format', assertedFormat(schema, this.#assertions));
    const content = assertedContent(schema, this.#assertions);
    if (content !== undefined) {
      const { schema: inner, ...said } = content;
      add('content', said);
      text += oneText('holds', inner, below);
    }
    if (schema.string !== undefined) {
      const { minLength, maxLength, pattern } = schema.string;
      add('string', [minLength, maxLength, pattern]);
    }
    add('number', schema.number);
    if (schema.array !== undefined) text += arrayText(schema.array, below);
    if (schema.object !== undefined) text += objectText(schema.object, below);
    return text + appliedText(schema, below);
  }
}

/** Which way a member of this schema does not go, since that decides what is looked at around it. */
function travelsOf({ docs }: Schema): string {
  if (docs.readOnly !== true && docs.writeOnly !== true) return '';
  return `${docs.readOnly === true ? 'r' : ''}${docs.writeOnly === true ? 'w' : ''}`;
}

/** The one with the shortest way from the root gives its name to all. */
function standsBefore(entry: ValidatorEntry, other: ValidatorEntry | undefined): boolean {
  return other === undefined || entry.schema.split('/').length < other.schema.split('/').length;
}

/** Whether the place `at` is that of a schema, or lies inside it. */
export function isInside(at: string, around: string): boolean {
  if (!at.startsWith(around)) return false;
  const next = at[around.length];
  return next === undefined || next === '/' || next === '~';
}

type Below = (part: SchemaId) => string;

function listText(name: string, parts: readonly SchemaId[] | undefined, below: Below): string {
  return parts === undefined ? '' : ` ${name}[${parts.map(below).join()}]`;
}

function oneText(name: string, part: SchemaId | undefined, below: Below): string {
  return part === undefined ? '' : ` ${name} ${below(part)}`;
}

function arrayText({ prefixItems, items, contains, ...plain }: ArrayAssertions, below: Below): string {
  const { minItems, maxItems, uniqueItems } = plain;
  const matching = contains === undefined ? '' : ` contains${contains.min},${contains.max} ${below(contains.schema)}`;
  return ` array${minItems},${maxItems},${uniqueItems}${listText('prefix', prefixItems, below)}${oneText('items', items, below)}${matching}`;
}

function objectText(object: ObjectAssertions, below: Below): string {
  let text = ` object${object.minProperties},${object.maxProperties}${JSON.stringify(object.required)}`;
  for (const { schema } of object.properties) text += `,${below(schema)}`;
  for (const { schema } of object.patternProperties) text += ` pattern ${below(schema)}`;
  if (object.dependentRequired.length > 0) text += ` dependent${JSON.stringify(object.dependentRequired)}`;
  for (const { schema } of object.dependentSchemas) text += ` dependent ${below(schema)}`;
  text += oneText('additional', object.additionalProperties, below);
  return text + oneText('names', object.propertyNames, below);
}

function appliedText(schema: ObjectSchema, below: Below): string {
  const { ref, dynamicRef, allOf, anyOf, oneOf, not, conditional, discriminator, unevaluated, behaviour } = schema;
  let text = ref === undefined ? '' : ` ref${ref.length}:${ref}`;
  if (dynamicRef !== undefined) text += ` ref${dynamicRef.target.length}:${dynamicRef.target}`;
  text += listText('allOf', allOf, below) + listText('anyOf', anyOf, below) + listText('oneOf', oneOf, below);
  text += oneText('not', not, below);
  if (conditional !== undefined) {
    text += oneText('if', conditional.if, below);
    text += oneText('then', conditional.then, below) + oneText('else', conditional.else, below);
  }
  text += oneText('left', unevaluated?.properties, below) + oneText('left', unevaluated?.items, below);
  if (behaviour.containsEvaluates && schema.array?.contains !== undefined) text += ' matching';
  return discriminator === undefined ? text : `${text} hint${JSON.stringify(discriminator.propertyName)}`;
}
