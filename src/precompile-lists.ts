/**
 * Writes loops over arrays, and patterns that take arrays apart, as reads by index. The language asks an iterator, which the
 * engine makes away with only in code that it has optimised; a run of some seconds is mostly over before that, and a fifth
 * of all that it allocates would be iterators. Types tell what is an array. Run by the build only.
 */
import ts from 'typescript';

const { factory } = ts;

/** Compiles a project once more, without checking it and without declarations. */
export function emitListReads(configFile: string): void {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile) as { readonly config: unknown };
  const folder = configFile.slice(0, configFile.lastIndexOf('/'));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, { ...options, declaration: false, noCheck: true });
  const { emitSkipped } = program.emit(undefined, undefined, undefined, false, { before: [listReads(program)] });
  if (emitSkipped) throw new Error(`${configFile}: nothing was written`);
}

/** The transformation, for programs whose arrays iterate as arrays do. */
export function listReads(program: ts.Program): ts.TransformerFactory<ts.SourceFile> {
  const checker = program.getTypeChecker();
  return (context) => (file) => ts.visitNode(file, new ListReads(checker, context).visit) as ts.SourceFile;
}

type Taken = ts.ArrayBindingPattern;

class ListReads {
  readonly #checker: ts.TypeChecker;
  readonly #context: ts.TransformationContext;

  constructor(checker: ts.TypeChecker, context: ts.TransformationContext) {
    this.#checker = checker;
    this.#context = context;
  }

  readonly visit = (node: ts.Node): ts.Node => {
    const changed = ts.isForOfStatement(node)
      ? this.#loop(node)
      : ts.isVariableStatement(node)
        ? this.#variables(node)
        : ts.isArrowFunction(node)
          ? this.#arrow(node)
          : node;
    return ts.visitEachChild(changed, this.visit, this.#context);
  };

  #isList(node: ts.Node): boolean {
    const isListType = (type: ts.Type): boolean =>
      type.isUnion()
        ? type.types.every(isListType)
        : this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
    return isListType(this.#checker.getTypeAtLocation(node));
  }

  /** A pattern that takes an array apart, and no other iterable. */
  #takes(name: ts.BindingName): name is Taken {
    return ts.isArrayBindingPattern(name) && this.#isList(name);
  }

  /** `for (const item of list) …` → `for (let index = 0, list = …; index < list.length; index++) { const item = list[index]; … }` */
  #loop(loop: ts.ForOfStatement): ts.Node {
    const { initializer, expression, statement, awaitModifier } = loop;
    if (awaitModifier !== undefined || !ts.isVariableDeclarationList(initializer)) return loop;
    const [declaration] = initializer.declarations;
    if (declaration === undefined) return loop;
    const isList = this.#isList(expression);
    const taken = this.#takes(declaration.name) ? declaration.name : undefined;
    if (!isList && taken === undefined) return loop;
    const name = taken === undefined ? declaration.name : factory.createUniqueName('entry');
    const reads = taken === undefined ? [] : [constants(readsOf(taken, name as ts.Identifier), initializer.flags)];
    const body = ts.isBlock(statement) ? statement.statements : [statement];
    if (!isList) {
      const entry = factory.createVariableDeclarationList([variable(name)], ts.NodeFlags.Const);
      return factory.updateForOfStatement(loop, undefined, entry, expression, factory.createBlock([...reads, ...body]));
    }
    const list = factory.createUniqueName('list');
    const index = factory.createUniqueName('index');
    const item = constants([variable(name, factory.createElementAccessExpression(list, index))], initializer.flags);
    return factory.createForStatement(
      factory.createVariableDeclarationList(
        [variable(index, factory.createNumericLiteral(0)), variable(list, expression)],
        ts.NodeFlags.Let,
      ),
      factory.createLessThan(index, factory.createPropertyAccessExpression(list, 'length')),
      factory.createPostfixIncrement(index),
      factory.createBlock([item, ...reads, ...body]),
    );
  }

  /** `const [first, ...more] = list;` → `const list_1 = list, first = list_1[0], more = list_1.slice(1);` */
  #variables(statement: ts.VariableStatement): ts.Node {
    const { declarations, flags } = statement.declarationList;
    const read = declarations.flatMap((declaration) => {
      const { name, initializer } = declaration;
      if (initializer === undefined || !this.#takes(name) || !this.#isList(initializer)) return [declaration];
      const list = factory.createUniqueName('list');
      return [variable(list, initializer), ...readsOf(name, list)];
    });
    if (read.every((declaration, index) => declaration === declarations[index])) return statement;
    const list = factory.createVariableDeclarationList(read, flags & ts.NodeFlags.BlockScoped);
    return factory.updateVariableStatement(statement, statement.modifiers, list);
  }

  /** `([name, value]) => …` → `(entry) => { const name = entry[0], value = entry[1]; … }` */
  #arrow(arrow: ts.ArrowFunction): ts.Node {
    const reads: ts.VariableDeclaration[] = [];
    const parameters = arrow.parameters.map((parameter) => {
      const { name, initializer } = parameter;
      if (initializer !== undefined || parameter.dotDotDotToken !== undefined || !this.#takes(name)) return parameter;
      const entry = factory.createUniqueName('entry');
      reads.push(...readsOf(name, entry));
      return factory.createParameterDeclaration(undefined, undefined, entry);
    });
    if (parameters.every((parameter, index) => parameter === arrow.parameters[index])) return arrow;
    const { body, modifiers, equalsGreaterThanToken } = arrow;
    const statements = ts.isBlock(body) ? body.statements : [factory.createReturnStatement(body)];
    const block = factory.createBlock([...(reads.length === 0 ? [] : [constants(reads)]), ...statements]);
    return factory.updateArrowFunction(
      arrow,
      modifiers,
      undefined,
      parameters,
      undefined,
      equalsGreaterThanToken,
      block,
    );
  }
}

function variable(name: ts.BindingName, value?: ts.Expression): ts.VariableDeclaration {
  return factory.createVariableDeclaration(name, undefined, undefined, value);
}

function constants(
  declarations: readonly ts.VariableDeclaration[],
  flags: ts.NodeFlags = ts.NodeFlags.Const,
): ts.Statement {
  const list = factory.createVariableDeclarationList(declarations, flags & ts.NodeFlags.BlockScoped);
  return factory.createVariableStatement(undefined, list);
}

/** One variable for each name in the pattern; before one with a default, one for what is there. */
function readsOf(pattern: Taken, list: ts.Identifier): readonly ts.VariableDeclaration[] {
  return pattern.elements.flatMap((element, index) => {
    if (ts.isOmittedExpression(element)) return [];
    const { name, initializer, dotDotDotToken } = element;
    const position = factory.createNumericLiteral(index);
    if (dotDotDotToken !== undefined) {
      const slice = factory.createPropertyAccessExpression(list, 'slice');
      return [variable(name, factory.createCallExpression(slice, undefined, [position]))];
    }
    const value = factory.createElementAccessExpression(list, position);
    if (initializer === undefined) return [variable(name, value)];
    const found = factory.createUniqueName('found');
    const isAbsent = factory.createStrictEquality(found, factory.createVoidZero());
    const either = factory.createConditionalExpression(isAbsent, undefined, initializer, undefined, found);
    return [variable(found, value), variable(name, either)];
  });
}
