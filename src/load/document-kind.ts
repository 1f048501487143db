/** What a document is, told by its content. */
import { childPointer, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, member } from '../json-object.js';
import { type Problem, rootPointer } from './problem.js';
import type { DocumentKind } from './sources.js';

/** What is wrong with a document as a whole, and its kind where that can be told. */
export interface Judgement {
  readonly kind?: DocumentKind;
  readonly problems: readonly Problem[];
}

const openapiVersion = /^3\.[012](?:\.\d+)?(?:-[\w.]+)?$/;
const unsupportedDialect = /^https?:\/\/json-schema\.org\/draft-0[0-3]\//;

const schemaKeywords: readonly string[] = [
  ...['$id', '$ref', '$defs', 'definitions', '$anchor', '$dynamicRef', 'type', 'enum', 'const', 'properties', 'items'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'required', 'additionalProperties', 'patternProperties', 'prefixItems'],
  ...[
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'propertyNames',
    'contains',
    'dependentSchemas',
  ],
];

/** Members that only a document that is a schema as a whole has; a file of many schemas may well have one named `type`. */
const resourceKeywords: readonly string[] = ['$schema', '$id', '$anchor', '$defs', 'definitions'];

/** The kind of a document that the user named. */
export function judgeEntry(value: JsonValue): Judgement {
  const openapi = judgeOpenapi(value);
  if (openapi !== undefined) return openapi;
  const dialect = judgeDialect(value);
  if (dialect !== undefined) return dialect;
  if (isDeclarationGraph(value)) return { kind: { kind: 'declarations' }, problems: [] };
  if (schemaKeywords.some((keyword) => member(value, keyword) !== undefined))
    return { kind: { kind: 'json-schema' }, problems: [] };
  const overlay = typeof member(value, 'overlay') === 'string' && member(value, 'actions') !== undefined;
  const found = overlay
    ? 'it is an overlay: name the description as the entry, and this file by --overlay'
    : isObject(value)
      ? 'it has no "openapi", "swagger" or "$schema" member and no keyword of JSON Schema'
      : `it is ${nameOf(value)}`;
  return {
    problems: [{ code: 'document-kind', message: `the document is neither OpenAPI nor JSON Schema: ${found}` }],
  };
}

/** Most members are declarations, or say that their exporter failed; the reader names the others. */
function isDeclarationGraph(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  const declarations = entries.filter(([id, one]) => {
    const kind = member(one, 'kind');
    const isDeclaration = typeof kind === 'string' ? kind.startsWith('HttpDecl') : member(one, 'error') !== undefined;
    return id.startsWith('(resource) ') && isDeclaration;
  });
  return declarations.length > entries.length / 2;
}

/** The kind of a document that a reference leads to. */
export function judgeReferenced(value: JsonValue): Judgement {
  const known = judgeOpenapi(value) ?? judgeDialect(value);
  if (known !== undefined) return known;
  const schema = resourceKeywords.some((keyword) => member(value, keyword) !== undefined);
  return { kind: { kind: schema ? 'json-schema' : 'fragment' }, problems: [] };
}

function judgeOpenapi(value: JsonValue): Judgement | undefined {
  for (const name of ['openapi', 'swagger']) {
    const version = member(value, name);
    if (typeof version === 'number') {
      const message = `the version ${version} is a number; write it as a string, such as "${name === 'swagger' ? '2.0' : '3.0.3'}"`;
      return wrongVersion(name, message);
    }
    if (typeof version === 'string') {
      const known = name === 'openapi' ? openapiVersion.test(version) : version === '2.0';
      if (!known) return wrongVersion(name, `the version ${quote(version)} is not one that oasmith reads`);
      return { kind: { kind: 'openapi', version }, problems: unquotedVersion(value) };
    }
  }
  return undefined;
}

function unquotedVersion(value: JsonValue): readonly Problem[] {
  const version = member(member(value, 'info'), 'version');
  if (typeof version !== 'number') return [];
  const message = `info.version is the number ${version}; a version is a string`;
  return [{ code: 'version-unquoted', message, pointer: childPointer(rootPointer, 'info', 'version') }];
}

function judgeDialect(value: JsonValue): Judgement | undefined {
  const dialect = member(value, '$schema');
  if (typeof dialect !== 'string') return undefined;
  // A dialect of somebody's own is read as 2020-12, which it most likely extends.
  if (/^https?:\/\//.test(dialect) && !unsupportedDialect.test(dialect)) {
    return { kind: { kind: 'json-schema', dialect }, problems: [] };
  }
  return wrongVersion('$schema', `the dialect ${quote(dialect)} is not one that oasmith reads`);
}

function wrongVersion(name: string, message: string): Judgement {
  return { problems: [{ code: 'document-version', message, pointer: childPointer(rootPointer, name) }] };
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'string' ? 'plain text' : `a ${typeof value}`;
}
