/**
 * The one place that knows versions. Each version of OpenAPI and each draft of JSON Schema becomes a set of reading
 * rules; the reader applies the rules and never asks for a version. What cannot be upgraded without loss travels on as
 * `Behaviour`.
 */
import type { Behaviour, JsonValue } from '../ir/schema.js';
import { isObject, own } from '../json-object.js';
import type { DocumentKind } from '../load/sources.js';

export interface Dialect {
  /** The keyword that allows null where it is true: `nullable` (OpenAPI 3.0), `x-nullable` (a custom of OpenAPI 2.0). */
  readonly nullable?: 'nullable' | 'x-nullable';
  /** `exclusiveMinimum: true` makes `minimum` exclusive (draft 04, OpenAPI 3.0). */
  readonly exclusiveBooleans: boolean;
  /** What stands beside `$ref`: asserts like everything else, is ignored, or is ignored by rule but written by many tools. */
  readonly refSiblings: 'assert' | 'ignore' | 'tolerate';
  /** `items` may be an array, followed by `additionalItems` (before 2020-12). */
  readonly tupleItems: boolean;
  /** `const`, `if`, `contains` and `propertyNames` are keywords (draft 06 or 07 and later). */
  readonly modernKeywords: boolean;
  /** The keyword of dynamic references, in 2019-09 and later; these have `unevaluatedProperties` and `unevaluatedItems`, too. */
  readonly dynamicKeyword?: '$dynamicRef' | '$recursiveRef';
  /** Keywords of vocabularies that the dialect does without: they assert nothing. */
  readonly hidden?: ReadonlySet<string>;
  /** `type: file` is the text of a file (OpenAPI 2.0). */
  readonly fileType: boolean;
  /** A `discriminator` that is a string is the name of the member (OpenAPI 2.0). */
  readonly discriminatorIsName: boolean;
  /** The steps from the root of a description to the schemas that it names. */
  readonly namedSchemas: readonly string[];
  readonly behaviour: Behaviour;
}

const draft04: Dialect = {
  exclusiveBooleans: true,
  refSiblings: 'ignore',
  tupleItems: true,
  modernKeywords: false,
  fileType: false,
  discriminatorIsName: false,
  namedSchemas: ['components', 'schemas'],
  behaviour: { formatAsserts: false, containsEvaluates: false },
};

const openapi30: Dialect = { ...draft04, nullable: 'nullable', refSiblings: 'tolerate' };

const openapi20: Dialect = {
  ...openapi30,
  nullable: 'x-nullable',
  fileType: true,
  discriminatorIsName: true,
  namedSchemas: ['definitions'],
};

/** What later drafts have brought means nothing before them. */
const since201909 =
  'dependentRequired dependentSchemas minContains maxContains unevaluatedProperties unevaluatedItems contentSchema'.split(
    ' ',
  );
const jsonSchema04: Dialect = { ...draft04, hidden: new Set([...since201909, 'prefixItems']) };

const draft07: Dialect = { ...jsonSchema04, exclusiveBooleans: false, modernKeywords: true };

const draft201909: Dialect = {
  ...draft07,
  hidden: new Set(['prefixItems']),
  refSiblings: 'assert',
  dynamicKeyword: '$recursiveRef',
  behaviour: { formatAsserts: false, containsEvaluates: false },
};

const draft202012: Dialect = {
  ...draft201909,
  hidden: new Set(),
  dynamicKeyword: '$dynamicRef',
  tupleItems: false,
  behaviour: { formatAsserts: false, containsEvaluates: true },
};

const bySchemaUri: readonly (readonly [RegExp, Dialect])[] = [
  [/\/draft-0[34]\//, jsonSchema04],
  [/\/draft-0[67]\//, draft07],
  [/\/draft\/2019-09\//, draft201909],
];

/** Whether a `$schema` is that of a published draft or of OpenAPI. */
export function isKnownSchemaUri(uri: string): boolean {
  return uri === '' || /^https?:\/\/(?:json-schema\.org|spec\.openapis\.org)\//.test(uri);
}

/** The dialect of a `$schema` URI; anything unknown is read as the newest draft, of which OpenAPI 3.1 and 3.2 are supersets. */
export function dialectOfSchemaUri(uri: string): Dialect {
  return bySchemaUri.find(([pattern]) => pattern.test(uri))?.[1] ?? draft202012;
}

const keywordsOf: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'validation',
    (
      'type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems ' +
      'minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired'
    ).split(' '),
  ],
  [
    'applicator',
    (
      'prefixItems items contains additionalProperties properties patternProperties dependentSchemas propertyNames if then ' +
      'else allOf anyOf oneOf not'
    ).split(' '),
  ],
  ['unevaluated', ['unevaluatedProperties', 'unevaluatedItems']],
]);

/**
 * The dialect of a meta-schema of somebody's own: what its own meta-schema says, without the keywords of the vocabularies
 * that it leaves out (core, section 8.1.2). `$vocabulary` counts in 2019-09 and later; there, `unevaluated*` are applicators.
 */
export function dialectOfMetaSchema(metaSchema: JsonValue): Dialect {
  const members = isObject(metaSchema) ? metaSchema : {};
  const uri = own(members, '$schema');
  const base = dialectOfSchemaUri(typeof uri === 'string' ? uri : '');
  const vocabularies = own(members, '$vocabulary');
  if (base.dynamicKeyword === undefined || !isObject(vocabularies)) return base;
  const used = new Set(Object.keys(vocabularies).map((name) => name.slice(name.lastIndexOf('/') + 1)));
  if (base.dynamicKeyword === '$recursiveRef' && used.has('applicator')) used.add('unevaluated');
  const hidden = [...keywordsOf].flatMap(([vocabulary, keywords]) => (used.has(vocabulary) ? [] : keywords));
  const behaviour = { ...base.behaviour, formatAsserts: used.has('format-assertion') };
  return { ...base, behaviour, hidden: new Set([...(base.hidden ?? []), ...hidden]) };
}

/**
 * The dialect of a document, or `undefined` where it names none: a fragment, or a file of definitions without `$schema`,
 * takes that of the document that refers to it.
 */
export function dialectOfDocument(
  kind: DocumentKind,
  jsonSchemaDialect: string | undefined,
  ofUri: (uri: string) => Dialect,
): Dialect | undefined {
  if (kind.kind === 'fragment') return undefined;
  if (kind.kind === 'declarations') return draft202012;
  if (kind.kind === 'json-schema') return kind.dialect === undefined ? undefined : ofUri(kind.dialect);
  if (kind.version === '2.0') return openapi20;
  if (kind.version.startsWith('3.0')) return openapi30;
  return ofUri(jsonSchemaDialect ?? '');
}
