/** The keywords of strings, numbers, arrays and objects as statements. The subject is known to be of that class. */
import type { ObjectSchema, SchemaId } from '../../ir/schema.js';
import { assertedContent, assertedFormat } from './asserted.js';
import { numberFormats, textFormats } from './formats.js';
import type { Block, Expression, Fault, MembersStatement, Operator, Statement, Step, Subject } from './program.js';
import { type Checker, noNames, refuse, type Scope } from './scope.js';

export function stringChecks(compiler: Checker, scope: Scope, schema: ObjectSchema, subject: Subject): Block {
  const { minLength, maxLength, pattern } = schema.string ?? {};
  const statements: Statement[] = [];
  const guard = (keyword: string, bound: string | number, test: Expression): void => {
    statements.push({ kind: 'guard', test, fault: compiler.fault(schema.id, keyword, { [keyword]: bound }, subject) });
  };
  if (minLength !== undefined && minLength > 0) {
    guard('minLength', minLength, { kind: 'length', subject, operator: '>=', bound: minLength });
  }
  if (pattern !== undefined) {
    const bound = maxLength === undefined ? {} : { maxLength };
    guard('pattern', pattern, { kind: 'pattern', subject, pattern, ...bound });
  }
  const format = assertedFormat(schema, compiler.assertions);
  const own = compiler.assertions.formats?.get(format ?? '');
  if (format !== undefined && (own !== undefined || textFormats.has(format)))
    guard('format', format, { kind: 'format', subject, format, ...(own !== undefined && { own }) });
  statements.push(...contentChecks(compiler, scope, schema, subject));
  if (maxLength === undefined) return statements;
  // The greatest length first: what may take long on a long text is not run on one, in the second pass either.
  const test: Expression = { kind: 'length', subject, operator: '<=', bound: maxLength };
  const fault = compiler.fault(schema.id, 'maxLength', { maxLength }, subject);
  if (pattern !== undefined && compiler.patternCosts.costOf(pattern) > 1)
    return [{ kind: 'branch', arms: [{ test, body: statements }], otherwise: [refuse(fault)] }];
  return [{ kind: 'guard', test, fault }, ...statements];
}

/** Each keyword says by itself what is wrong: a text that is not encoded as it should be holds no JSON, either. */
function contentChecks(compiler: Checker, scope: Scope, schema: ObjectSchema, subject: Subject): Block {
  const content = assertedContent(schema, compiler.assertions);
  if (content === undefined) return [];
  const { encoding, mediaType, schema: inner } = content;
  const statements: Statement[] = [];
  const guard = (keyword: string, params: Fault['params'], test: Expression): void => {
    statements.push({ kind: 'guard', test, fault: compiler.fault(schema.id, keyword, params, subject) });
  };
  if (encoding !== undefined)
    guard('contentEncoding', { contentEncoding: encoding }, { kind: 'encoded', subject, encoding });
  const coded = encoding === undefined ? {} : { encoding };
  if (mediaType !== undefined)
    guard('contentMediaType', { contentMediaType: mediaType }, { kind: 'json', subject, ...coded });
  const [first] = statements;
  if (inner === undefined || first === undefined) return statements;
  const held = compiler.aside(inside(scope), inner, subject);
  const fault = compiler.fault(schema.id, 'contentSchema', {}, subject);
  return [
    {
      kind: 'whenValid',
      first: statements,
      then: [{ kind: 'guard', test: { kind: 'json', subject, ...coded, content: held }, fault }],
    },
  ];
}

export function numberChecks(compiler: Checker, schema: ObjectSchema, subject: Subject): Block {
  const number = schema.number ?? {};
  const statements: Statement[] = [];
  const guard = (keyword: string, bound: string | number, test: Expression): void => {
    statements.push({ kind: 'guard', test, fault: compiler.fault(schema.id, keyword, { [keyword]: bound }, subject) });
  };
  const bounds: readonly (readonly [keyof typeof number, Operator])[] = [
    ['minimum', '>='],
    ['exclusiveMinimum', '>'],
    ['maximum', '<='],
    ['exclusiveMaximum', '<'],
  ];
  for (const [keyword, operator] of bounds) {
    const bound = number[keyword];
    if (bound !== undefined) guard(keyword, bound, { kind: 'compare', subject, operator, bound });
  }
  if (number.multipleOf !== undefined) {
    guard('multipleOf', number.multipleOf, { kind: 'multiple', subject, divisor: number.multipleOf });
  }
  const format = assertedFormat(schema, compiler.assertions);
  if (format !== undefined && numberFormats.has(format)) guard('format', format, { kind: 'format', subject, format });
  return statements;
}

export function child(subject: Subject, step: Step): Subject {
  return { role: 'value', level: subject.level + 1, path: [...subject.path, step], opaque: false };
}

/** Other values than this one: what was said of this one's members does not hold for theirs. */
export function inside(scope: Scope): Scope {
  return { ...scope, ignored: noNames };
}

export function arrayChecks(compiler: Checker, outer: Scope, schema: ObjectSchema, subject: Subject): Block {
  const { array } = schema;
  if (array === undefined) return [];
  const scope = inside(outer);
  const statements: Statement[] = [];
  const fault = (keyword: string, params: Fault['params']): Fault =>
    compiler.fault(schema.id, keyword, params, subject);
  const size = (keyword: string, operator: '<=' | '>=', bound: number): void => {
    const test: Expression = { kind: 'size', subject, operator, bound };
    statements.push({ kind: 'guard', test, fault: fault(keyword, { [keyword]: bound }) });
  };
  if (array.minItems !== undefined && array.minItems > 0) size('minItems', '>=', array.minItems);
  if (array.maxItems !== undefined) size('maxItems', '<=', array.maxItems);
  for (const [position, id] of (array.prefixItems ?? []).entries()) {
    const item = child(subject, { kind: 'position', position });
    const body = compiler.check(scope, id, item);
    if (body.length > 0) statements.push({ kind: 'item', array: subject, position, item, body });
  }
  const item = child(subject, { kind: 'index', level: subject.level + 1 });
  if (array.items !== undefined) {
    const from = array.prefixItems?.length ?? 0;
    const body = compiler.check(scope, array.items, item);
    if (body.length > 0) statements.push({ kind: 'items', array: subject, from, item, body });
  }
  if (array.contains !== undefined) {
    const { schema: id, min, max } = array.contains;
    const { test } = compiler.branch(scope, id, item);
    const tooFew = fault('contains', { min });
    const tooMany = fault('maxContains', { max: max ?? null });
    // Each item counts, or none does.
    if (test.kind !== 'constant') {
      const most = max === undefined ? {} : { max };
      statements.push({ kind: 'contains', array: subject, item, test, min, ...most, tooFew, tooMany });
    } else if (!test.value) statements.push(...(min > 0 ? [refuse(tooFew)] : []));
    else {
      const guard = (operator: '<=' | '>=', bound: number, said: Fault): Statement => ({
        kind: 'guard',
        test: { kind: 'size', subject, operator, bound },
        fault: said,
      });
      if (min > 0) statements.push(guard('>=', min, tooFew));
      if (max !== undefined) statements.push(guard('<=', max, tooMany));
    }
  }
  // Last, because it costs most.
  if (array.uniqueItems === true) {
    statements.push({ kind: 'guard', test: { kind: 'unique', subject }, fault: fault('uniqueItems', {}) });
  }
  return statements;
}

export function objectChecks(compiler: Checker, outer: Scope, schema: ObjectSchema, subject: Subject): Block {
  const { object } = schema;
  if (object === undefined) return [];
  const scope = inside(outer);
  const statements: Statement[] = [];
  const fault = (keyword: string, params: Fault['params'], pointer = keyword): Fault =>
    compiler.fault(schema.id, keyword, params, subject, pointer);
  const count = (keyword: string, operator: '<=' | '>=', bound: number): void => {
    const test: Expression = { kind: 'count', subject, operator, bound };
    statements.push({ kind: 'guard', test, fault: fault(keyword, { [keyword]: bound }) });
  };
  if (object.maxProperties !== undefined) count('maxProperties', '<=', object.maxProperties);
  if (object.minProperties !== undefined && object.minProperties > 0)
    count('minProperties', '>=', object.minProperties);

  const required = new Set(object.required);
  const member = (name: string, member: Subject, body: Block): void => {
    statements.push({
      kind: 'member',
      object: subject,
      name,
      member,
      ...(required.has(name) && { required: fault('required', { property: name }) }),
      impliesPresence: false,
      body,
    });
  };
  for (const { name, schema: id } of object.properties) {
    if (outer.ignored.has(name)) continue;
    const value = child(subject, { kind: 'name', name });
    const body = compiler.check(scope, id, value);
    if (body.length > 0 || required.has(name)) member(name, value, body);
    required.delete(name);
  }
  for (const name of required) {
    if (!outer.ignored.has(name)) member(name, child(subject, { kind: 'name', name }), []);
  }
  if (object.dependentRequired.length > 0 || object.dependentSchemas.length > 0) {
    statements.push(...dependencyChecks(compiler, outer, schema, subject));
  }
  const loop = memberLoop(compiler, outer, schema, subject);
  if (loop !== undefined) statements.push(loop);
  if (statements.length === 0 || subject.opened === true) return statements;
  return [{ kind: 'open', subject }, ...statements];
}

/** What the presence of one member demands of the rest. */
function dependencyChecks(compiler: Checker, outer: Scope, schema: ObjectSchema, subject: Subject): Block {
  const statements: Statement[] = [];
  const { dependentRequired, dependentSchemas } = schema.object ?? { dependentRequired: [], dependentSchemas: [] };
  for (const { name, required: others } of dependentRequired) {
    const wanted = others.filter((other) => !outer.ignored.has(other));
    if (wanted.length === 0 || outer.ignored.has(name)) continue;
    const body = wanted.map((other): Statement => {
      const params = { property: other, because: name };
      return {
        kind: 'guard',
        test: { kind: 'present', subject, name: other },
        fault: compiler.fault(schema.id, 'dependentRequired', params, subject),
      };
    });
    statements.push({
      kind: 'branch',
      arms: [{ test: { kind: 'present', subject, name }, body }],
      otherwise: [],
    });
  }
  for (const { name, schema: id } of dependentSchemas) {
    if (outer.ignored.has(name)) continue;
    const body = compiler.check(outer, id, { ...subject, opaque: true, opened: true });
    if (body.length > 0) {
      statements.push({ kind: 'branch', arms: [{ test: { kind: 'present', subject, name }, body }], otherwise: [] });
    }
  }
  return statements;
}

/** One loop for `propertyNames`, `patternProperties` and `additionalProperties`. */
function memberLoop(
  compiler: Checker,
  outer: Scope,
  schema: ObjectSchema,
  subject: Subject,
): MembersStatement | undefined {
  const { object } = schema;
  if (object === undefined) return undefined;
  const { propertyNames, patternProperties, additionalProperties } = object;
  if (propertyNames === undefined && additionalProperties === undefined && patternProperties.length === 0) {
    return undefined;
  }
  const scope = inside(outer);
  const level = subject.level + 1;
  const value = child(subject, { kind: 'key', level });
  const key: Subject = { role: 'key', level, path: value.path, known: 'string', opaque: true };
  const check = (id: SchemaId | undefined, on: Subject): Block =>
    id === undefined ? [] : compiler.check(scope, id, on);
  const names = check(propertyNames, key);
  const all = patternProperties.map((entry) => ({ pattern: entry.pattern, body: check(entry.schema, value) }));
  const additional = check(additionalProperties, value);
  // A pattern without assertions still takes its members away from additionalProperties.
  const patterns = additional.length > 0 ? all : all.filter((entry) => entry.body.length > 0);
  if (names.length === 0 && patterns.length === 0 && additional.length === 0) return undefined;
  const known = object.properties.map((property) => property.name);
  return {
    kind: 'members',
    object: subject,
    key,
    member: value,
    ignored: [...outer.ignored],
    names,
    patterns,
    known,
    additional,
  };
}
