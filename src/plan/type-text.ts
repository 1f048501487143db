/**
 * Prints shapes as TypeScript types. Named schemas are printed as their names, everything else inline. Every line behind the
 * first stands indented, as finished text: types are half of the lines that are written, and laying those out again costs.
 */
import { type Code, code, type Identifier, joinCode, key, literal } from '../encode.js';
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { ObjectShape, PropertyShape, Shape } from '../ir/shape.js';
import { assertNever } from '../ir/visit.js';
import { dateFormat } from './dated-schemas.js';
import { docComment, docText, schemaTags } from './doc-comment.js';
import { indentBy } from './indentation.js';
import { openEnums } from './open-enums.js';
import { type Direction, type Names, plainModes, type TypeModes } from './target.js';

const unknownType = code`unknown`;

/** An inline object of so few characters, without comments, stands on one line. */
const shortObject = 60;

/** Deeper than this, an inline type is `unknown`: only a chain of inline schemas through odd references comes here. */
const deepest = 200;

/** How the members of a multipart form are printed. */
export interface FormText {
  readonly file: () => Code;
  readonly member: (property: PropertyShape, type: Code) => Code;
}

export class TypePrinter {
  readonly #api: Api;
  readonly #names: Names;
  /** Whether the types are those of what travels, which with `--dates Date` are others. */
  readonly #isWire: boolean;
  /** What a date is printed as; nothing where it is the text that travels. */
  readonly #date: Code | undefined;
  /** Enumerations that admit other values too where they are read. */
  readonly #open: ReadonlySet<SchemaId> | undefined;
  readonly #used = new Set<Identifier>();
  #form: FormText | undefined;
  #depth = 0;
  /** How far the line is indented on which the text starts. */
  #level = 0;

  constructor(api: Api, names: Names, modes: TypeModes = plainModes, side: 'program' | 'wire' = 'program') {
    this.#api = api;
    this.#names = names;
    this.#isWire = side === 'wire';
    this.#date = modes.dates === 'Date' && !this.#isWire ? dateType(names) : undefined;
    this.#open = modes.clientEnums === 'open' ? openEnums(api) : undefined;
  }

  /** The type names that were printed so far: what a file must import from `types`. */
  get used(): ReadonlySet<Identifier> {
    return this.#used;
  }

  /** The type of a schema where it is used, on a line that is indented so many steps: its name, or what it looks like. */
  typeOf(schema: SchemaId, direction: Direction, level = 0): Code {
    const name = this.#isWire ? this.#names.wireOf(schema, direction) : this.#names.typeOf(schema, direction);
    if (name !== undefined) {
      this.#used.add(name);
      return name as string as Code;
    }
    return level === 0 ? this.bodyOf(schema, direction) : this.at(level, () => this.bodyOf(schema, direction));
  }

  /** The type of what travels as text and not in JSON, as `typeOf` gives it. Texts have no codec, so a date is the text that it was. */
  textOf(schema: SchemaId, direction: Direction, level = 0): Code {
    if (this.#date !== undefined && this.#names.dated.has(schema)) return code`string`;
    return this.typeOf(schema, direction, level);
  }

  /** The type of a multipart form on a line that is indented one step. */
  formOf(shape: Shape, schema: SchemaId, form: FormText, direction: Direction): Code {
    this.#form = form;
    const text = this.at(1, () => this.print(shape, direction, schema));
    this.#form = undefined;
    return text;
  }

  /** Prints what starts on a line that is indented so many steps. */
  at(level: number, print: () => Code): Code {
    this.#level += level;
    const text = print();
    this.#level -= level;
    return text;
  }

  /** What a schema looks like, also where it has a name: the right side of its declaration. */
  bodyOf(schema: SchemaId, direction: Direction): Code {
    const shape = this.#api.shapes.get(schema);
    if (!shape || this.#depth > deepest) return unknownType;
    this.#depth++;
    const text = this.print(shape, direction, schema);
    this.#depth--;
    return text;
  }

  /** Prints a shape; `owner` is the schema that it belongs to. */
  print(shape: Shape, direction: Direction, owner: SchemaId): Code {
    switch (shape.kind) {
      case 'unknown':
        return unknownType;
      case 'never':
        return code`never`;
      case 'null':
        return code`null`;
      case 'boolean':
        return code`boolean`;
      case 'number':
        return code`number`;
      case 'string':
        return this.#date !== undefined && dateFormat(shape) !== undefined ? this.#date : code`string`;
      case 'binary':
        return this.#form?.file() ?? code`globalThis.Blob`;
      case 'literal':
        return literal(shape.value);
      case 'array':
        return code`${this.#operand(shape.items, direction, owner)}[]`;
      case 'tuple': {
        const items = shape.items.map((item, index) => {
          const text = this.#operand(item, direction, owner);
          return index < shape.required ? text : code`${text}?`;
        });
        const rest = shape.rest ? [code`...${this.#operand(shape.rest, direction, owner)}[]`] : [];
        return code`[${joinCode([...items, ...rest], ', ')}]`;
      }
      case 'object':
        return this.#object(shape, direction, owner);
      case 'union': {
        const members = this.isOpen(owner, direction) ? [...shape.members, anyString] : shape.members;
        return this.#list(members, ' | ', direction, owner);
      }
      case 'intersection':
        return this.#list(shape.members, ' & ', direction, owner);
      case 'ref':
        return this.typeOf(shape.target, direction);
      default:
        return assertNever(shape);
    }
  }

  /** Whether a schema is an enumeration that admits any string in a direction. */
  isOpen(schema: SchemaId, direction: Direction): boolean {
    return direction === 'read' && this.#open?.has(schema) === true;
  }

  /** The members of an object type, each on lines of its own. */
  members(shape: ObjectShape, direction: Direction, owner: SchemaId): Code {
    return joinCode(this.#memberLines(shape, direction, owner), '\n');
  }

  #memberLines(shape: ObjectShape, direction: Direction, owner: SchemaId): Code[] {
    const visible = shape.properties.filter((property) => property.access === 'both' || property.access === direction);
    this.#level++;
    const lines = visible.map((property) => this.#member(property, direction, owner));
    if (shape.additional) {
      const type = this.#indexType(shape.additional, visible, direction, owner);
      lines.push(code`${indentBy(this.#level)}[key: string]${typed(type)};`);
    }
    this.#level--;
    return lines;
  }

  #object(shape: ObjectShape, direction: Direction, owner: SchemaId): Code {
    const lines = this.#memberLines(shape, direction, owner);
    if (lines.length === 0) return shape.closed ? code`{ [key: string]: never }` : code`{ [key: string]: unknown }`;
    return onOneLine(lines, this.#level + 1) ?? code`{\n${joinCode(lines, '\n')}\n${indentBy(this.#level)}}`;
  }

  #member(property: PropertyShape, direction: Direction, owner: SchemaId): Code {
    const { name, shape, required, remainderOf } = property;
    const schema = shape.kind === 'ref' ? this.#api.schemas.get(shape.target) : undefined;
    const indentation = indentBy(this.#level);
    const doc = docComment(
      { text: schema && docText(schema.docs), deprecated: schema?.docs.deprecated, tags: schemaTags(schema) },
      indentation,
    );
    // Values that the document does not list are among those that conditions leave.
    const isOpen = remainderOf !== undefined && this.isOpen(remainderOf, direction);
    const printed = isOpen ? this.#openValues(shape, direction, owner) : this.print(shape, direction, owner);
    const type = this.#form?.member(property, printed) ?? printed;
    if (required) return code`${doc}${indentation}${key(name)}${typed(type)};`;
    // A caller may pass on what it has, also where that is `undefined`.
    const given = direction === 'write' || (this.#names.requests.has(owner) && !this.#api.directional.has(owner));
    return code`${doc}${indentation}${key(name)}?${typed(given ? orUndefined(type) : type)};`;
  }

  #openValues(shape: Shape, direction: Direction, owner: SchemaId): Code {
    const members = shape.kind === 'union' ? shape.members : [shape];
    return this.#list([...members, anyString], ' | ', direction, owner);
  }

  /** An index signature must admit every described member, or no literal could be written. */
  #indexType(additional: Shape, properties: readonly PropertyShape[], direction: Direction, owner: SchemaId): Code {
    if (additional.kind === 'unknown') return unknownType;
    const before = this.#used.size;
    const types = new Set([
      this.print(additional, direction, owner),
      ...properties.map((property) => this.print(property.shape, direction, owner)),
    ]);
    if (types.has(unknownType)) return this.#unknownInstead(before);
    const all = [...types].map((type) => (needsParentheses(type) ? inParentheses(type, this.#level) : type));
    if (properties.some((property) => !property.required)) all.push(code`undefined`);
    return joinCode(all, ' | ');
  }

  #list(members: readonly Shape[], separator: ' | ' | ' & ', direction: Direction, owner: SchemaId): Code {
    // What takes lines of its own stands one step further in.
    const step = separator === ' | ' ? 1 : 0;
    this.#level += step;
    const before = this.#used.size;
    const texts = members.map((member) => this.print(member, direction, owner));
    this.#level -= step;
    const printed = [...new Set(separator === ' | ' ? keepHints(members, texts) : texts)];
    if (separator === ' | ' && printed.includes(unknownType)) return this.#unknownInstead(before);
    const operands = printed.map((text) => {
      const inner = topLevelOperator(text);
      return inner === '&' || (inner === '|' && separator === ' & ') ? inParentheses(text, this.#level + step) : text;
    });
    const line = joinCode(operands, separator);
    // Members of an intersection follow each other on one line, an object opens there; those of a long union get lines of their own.
    if (separator === ' & ' || (line.length <= 100 && !line.includes('\n'))) return line;
    return joinCode(
      // A union that has lines of its own already gives them to this one, whose lines stand one step further out.
      operands.map((text) => (text.startsWith('\n') ? outdented(text) : code`\n${indentBy(this.#level + 1)}| ${text}`)),
      '',
    );
  }

  /** Takes the place of a text that is not kept: the names that were first used in it are not imported for it. */
  #unknownInstead(usedBefore: number): Code {
    for (const name of [...this.#used].slice(usedBefore)) this.#used.delete(name);
    return unknownType;
  }

  #operand(shape: Shape, direction: Direction, owner: SchemaId): Code {
    const text = this.print(shape, direction, owner);
    return needsParentheses(text) ? inParentheses(text, this.#level) : text;
  }
}

/** A type behind the name of a member. One that takes lines of its own starts with a line end. */
export function typed(type: Code): Code {
  return type.startsWith('\n') ? code`:${type}` : code`: ${type}`;
}

/** A type in the middle of a line that is indented so many steps: one that takes lines of its own stands in parentheses. */
export function inLine(type: Code, level: number): Code {
  return type.startsWith('\n') ? inParentheses(type, level) : type;
}

/** Every line of a text one step further out. */
function outdented(text: Code): Code {
  return text.replaceAll(`\n${indentBy(1)}`, '\n') as Code;
}

function inParentheses(type: Code, level: number): Code {
  return type.startsWith('\n') ? code`(${type}\n${indentBy(level)})` : code`(${type})`;
}

/** An object of few characters, without comments and further objects; `level` is that of its members. */
function onOneLine(lines: readonly Code[], level: number): Code | undefined {
  let length = lines.length - 1;
  for (const line of lines) length += line.length - level * 2;
  if (length > shortObject) return undefined;
  const text = lines.map((line) => line.trimStart()).join(' ');
  if (text.includes('/*') || text.includes('\n') || /\{(?!\})/.test(text)) return undefined;
  return code`{ ${text.replace(/;$/, '') as Code} }`;
}

/** The document may have a type of that name. */
function dateType({ types }: Names): Code {
  return types.some(({ name }) => name === 'Date') ? code`globalThis.Date` : code`Date`;
}

const anyString: Shape = { kind: 'string' };

/** `string` beside texts would swallow them; in this form the type stays the same, and editors go on suggesting them. */
function keepHints(members: readonly Shape[], texts: readonly Code[]): readonly Code[] {
  const hints = members.some((member) => member.kind === 'literal' && typeof member.value === 'string');
  // With dates as `Date`, not every text is printed as one.
  if (!hints || !texts.some((text) => text === 'string')) return texts;
  const others = texts.filter((text, index) => text !== 'string' && members[index]?.kind !== 'null');
  const nulls = texts.filter((_, index) => members[index]?.kind === 'null');
  return [...others, code`(string & {})`, ...nulls];
}

function orUndefined(type: Code): Code {
  if (type === unknownType) return type;
  return topLevelOperator(type) === '&' ? code`(${type}) | undefined` : code`${type} | undefined`;
}

function needsParentheses(type: Code): boolean {
  return topLevelOperator(type) !== undefined;
}

/** The operator of a union or an intersection at a type's top level, the weaker one where it has both. Brackets, strings and comments are skipped. */
function topLevelOperator(type: Code): '|' | '&' | undefined {
  let depth = 0;
  let found: '&' | undefined;
  for (let index = 0; index < type.length; index++) {
    const character = type[index];
    if (character === '"') index = endOfString(type, index);
    else if (character === '/' && type[index + 1] === '*') index = type.indexOf('*/', index) + 1;
    else if (character === '{' || character === '[' || character === '(') depth++;
    else if (character === '}' || character === ']' || character === ')') depth--;
    else if (depth === 0 && character === '|') return '|';
    else if (depth === 0 && character === '&') found = '&';
  }
  return found;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
}
