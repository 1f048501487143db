/**
 * Resolves every path of every template against the type of its view, which the template's first line names, with
 * TypeScript's checker. Text that is printed raw must be `Code` or `Identifier`: made by encoders, plan or names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import ts from 'typescript';
import { encoderHelpers } from '../../src/render/templates.js';
import { repository } from './paths.js';
import { walkFiles } from './walk-files.js';

type Node = hbs.AST.Node;

const header = /^\{\{!-- view: (\w+) — (\S.*?) --\}\}\n/;
const printable = new Set(['Code', 'Identifier']);

interface Template {
  readonly name: string;
  readonly view: ts.Type | undefined;
  readonly program: hbs.AST.Program;
}

export class TemplateTypes {
  readonly problems: string[] = [];
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #templates = new Map<string, Template>();

  constructor() {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(repository, 'tsconfig.json'),
      { noEmit: true },
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
    );
    if (!config) throw new Error('tsconfig.json cannot be read');
    this.#program = ts.createProgram(config.fileNames, config.options);
    this.#checker = this.#program.getTypeChecker();
    for (const path of walkFiles(join(repository, 'templates'))) if (path.endsWith('.hbs')) this.#read(path);
  }

  check(): readonly string[] {
    for (const template of this.#templates.values())
      this.#body(template.program, new Scope(template.name, template.view, []));
    return this.problems;
  }

  #read(path: string): void {
    const name = path.slice(0, -'.hbs'.length);
    const text = readFileSync(join(repository, 'templates', path), 'utf8');
    const [, view, file] = header.exec(text) ?? [];
    if (view === undefined || file === undefined) {
      this.problems.push(`${path}: the first line does not name the view`);
      return;
    }
    const type = view === 'none' ? undefined : this.#viewType(view, file);
    if (view !== 'none' && !type) this.problems.push(`${path}: ${file} exports no type ${view}`);
    this.#templates.set(name, { name, view: type, program: Handlebars.parse(text) });
  }

  #viewType(view: string, file: string): ts.Type | undefined {
    const source = this.#program.getSourceFile(join(repository, file));
    const symbol = source && this.#checker.getSymbolAtLocation(source);
    const found = symbol && this.#checker.getExportsOfModule(symbol).find(({ name }) => name === view);
    return found && this.#checker.getDeclaredTypeOfSymbol(found);
  }

  #body(program: hbs.AST.Program | undefined, scope: Scope): void {
    for (const statement of program?.body ?? []) this.#statement(statement, scope);
  }

  #statement(statement: Node, scope: Scope): void {
    switch (statement.type) {
      case 'ContentStatement':
      case 'CommentStatement':
        return;
      case 'MustacheStatement':
        this.#mustache(statement as hbs.AST.MustacheStatement, scope);
        return;
      case 'BlockStatement':
        this.#block(statement as hbs.AST.BlockStatement, scope);
        return;
      case 'PartialStatement':
        this.#partial(statement as hbs.AST.PartialStatement, scope);
        return;
      default:
        this.problems.push(`${scope.template}: a ${statement.type} is not used in our templates`);
    }
  }

  #mustache({ path, params, hash, loc }: hbs.AST.MustacheStatement, scope: Scope): void {
    const place = `${scope.template}:${loc.start.line}`;
    if (hash?.pairs.length > 0) this.problems.push(`${place}: helpers take no named arguments`);
    if (params.length === 0) {
      const type = this.#resolve(path, scope);
      if (type && !this.#isPrintable(type))
        this.problems.push(`${place}: {{${text(path)}}} is printed raw, but it is ${this.#checker.typeToString(type)}`);
      return;
    }
    if (!Object.hasOwn(encoderHelpers, text(path))) this.problems.push(`${place}: ${text(path)} is no encoder`);
    for (const param of params) {
      const type = this.#resolve(param, scope);
      if (type && this.#maybeAbsent(type)) this.problems.push(`${place}: ${text(param)} may be absent`);
    }
  }

  #block({ path, params, program, inverse, loc }: hbs.AST.BlockStatement, scope: Scope): void {
    const place = `${scope.template}:${loc.start.line}`;
    const [subject] = params;
    const type = subject && this.#resolve(subject, scope);
    const keyword = text(path);
    if (!subject || params.length !== 1) this.problems.push(`${place}: #${keyword} takes one argument`);
    this.#body(inverse, keyword === 'unless' ? scope.where(text(subject as Node)) : scope);
    if (!type) return;
    if (keyword === 'each') {
      const item = this.#itemType(type);
      if (!item) this.problems.push(`${place}: #each goes over ${this.#checker.typeToString(type)}, which is no list`);
      else this.#body(program, scope.inside(item, program.blockParams));
    } else if (keyword === 'if' || keyword === 'unless') {
      if (!this.#isCondition(type))
        this.problems.push(
          `${place}: #${keyword} ${text(subject as Node)} drops 0 and "" (it is ${this.#checker.typeToString(type)})`,
        );
      this.#body(program, keyword === 'if' ? scope.where(text(subject as Node)) : scope);
    } else if (keyword === 'with') {
      this.#body(program, scope.inside(this.#checker.getNonNullableType(type), program.blockParams));
    } else this.problems.push(`${place}: #${keyword} is not used in our templates`);
  }

  #partial({ name, params, hash, loc }: hbs.AST.PartialStatement, scope: Scope): void {
    const place = `${scope.template}:${loc.start.line}`;
    const partial = name.type === 'PathExpression' ? this.#templates.get(text(name)) : undefined;
    if (!partial) this.problems.push(`${place}: there is no partial ${text(name)}`);
    const [context] = params;
    const given = context && this.#resolve(context, scope);
    const pairs = new Map((hash?.pairs ?? []).map(({ key, value }) => [key, this.#resolve(value, scope)] as const));
    if (!partial?.view) return;
    if (!context) this.#members(place, partial, pairs);
    else if (given && !this.#checker.isTypeAssignableTo(given, partial.view))
      this.problems.push(`${place}: the partial ${this.#mismatch(partial.name, partial.view, given)}`);
  }

  /** A partial that is given its members one by one. */
  #members(place: string, partial: Template, given: ReadonlyMap<string, ts.Type | undefined>): void {
    for (const property of partial.view?.getProperties() ?? []) {
      const wanted = this.#checker.getTypeOfSymbol(property);
      const type = given.get(property.name);
      if (!given.has(property.name)) {
        if ((property.flags & ts.SymbolFlags.Optional) === 0)
          this.problems.push(`${place}: the partial ${partial.name} is not given ${property.name}`);
      } else if (type && !this.#checker.isTypeAssignableTo(type, wanted))
        this.problems.push(`${place}: ${this.#mismatch(property.name, wanted, type)}`);
    }
  }

  #mismatch(name: string, wanted: ts.Type, given: ts.Type): string {
    return `${name} wants ${this.#checker.typeToString(wanted)}, not ${this.#checker.typeToString(given)}`;
  }

  /** The type of a path or literal; says what is wrong and gives nothing where there is none. */
  #resolve(expression: Node, scope: Scope): ts.Type | undefined {
    if (expression.type !== 'PathExpression') return undefined;
    const { data, depth, parts, original, loc } = expression as hbs.AST.PathExpression;
    const place = `${scope.template}:${loc.start.line}`;
    if (data) {
      if (!['first', 'last', 'index', 'key'].includes(parts.join('.')))
        this.problems.push(`${place}: @${parts.join('.')} is not used in our templates`);
      return undefined;
    }
    const [start, ...rest] = parts;
    const parameter = start === undefined || depth > 0 ? undefined : scope.parameter(start);
    const steps = parameter ? rest : parts;
    let type = parameter ?? scope.up(depth);
    if (!type) {
      this.problems.push(`${place}: {{${original}}} has no view to be read from`);
      return undefined;
    }
    for (const step of steps) {
      const property: ts.Symbol | undefined = this.#property(type, step);
      if (!property) {
        this.problems.push(`${place}: ${this.#checker.typeToString(type)} has no member ${step} (in {{${original}}})`);
        return undefined;
      }
      type = this.#checker.getTypeOfSymbol(property);
    }
    return scope.has(original) ? this.#checker.getNonNullableType(type) : type;
  }

  #property(type: ts.Type, name: string): ts.Symbol | undefined {
    return this.#checker.getPropertyOfType(this.#checker.getNonNullableType(type), name);
  }

  #itemType(type: ts.Type): ts.Type | undefined {
    return this.#checker.getIndexTypeOfType(this.#checker.getNonNullableType(type), ts.IndexKind.Number);
  }

  #isPrintable(type: ts.Type): boolean {
    if (type.aliasSymbol) return printable.has(type.aliasSymbol.name);
    return type.isUnion() && type.types.every((member) => this.#isPrintable(member));
  }

  #maybeAbsent(type: ts.Type): boolean {
    const members = type.isUnion() ? type.types : [type];
    return members.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0);
  }

  /** Booleans, and things that are there or not: objects, lists, Code (whose empty text is nothing to print). */
  #isCondition(type: ts.Type): boolean {
    if (type.aliasSymbol && printable.has(type.aliasSymbol.name)) return true;
    const members = type.isUnion() ? type.types : [type];
    const object = ts.TypeFlags.Object | ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.BooleanLike;
    return members.every((member) => (member.flags & object) !== 0 || this.#isPrintable(member));
  }
}

/** The views that a place of a template can see. */
class Scope {
  readonly template: string;
  readonly #current: ts.Type | undefined;
  readonly #outer: readonly (ts.Type | undefined)[];
  readonly #parameters: ReadonlyMap<string, ts.Type>;
  /** Paths that an enclosing `#if` found to be there. */
  readonly #present: ReadonlySet<string>;

  constructor(
    template: string,
    current: ts.Type | undefined,
    outer: readonly (ts.Type | undefined)[],
    parameters: ReadonlyMap<string, ts.Type> = new Map(),
    present: ReadonlySet<string> = new Set(),
  ) {
    this.template = template;
    this.#present = present;
    this.#current = current;
    this.#outer = outer;
    this.#parameters = parameters;
  }

  inside(type: ts.Type, names: readonly string[] = []): Scope {
    const [name] = names;
    const parameters = name === undefined ? this.#parameters : new Map([...this.#parameters, [name, type]]);
    return new Scope(this.template, type, [...this.#outer, this.#current], parameters);
  }

  where(path: string): Scope {
    const present = new Set([...this.#present, path]);
    return new Scope(this.template, this.#current, this.#outer, this.#parameters, present);
  }

  has(path: string): boolean {
    return this.#present.has(path);
  }

  up(depth: number): ts.Type | undefined {
    return depth === 0 ? this.#current : this.#outer.at(-depth);
  }

  parameter(name: string): ts.Type | undefined {
    return this.#parameters.get(name);
  }
}

function text(expression: Node): string {
  const { original } = expression as hbs.AST.PathExpression;
  return original === undefined ? expression.type : String(original);
}
