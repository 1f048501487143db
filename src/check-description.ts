/**
 * `oasmith validate` holds each description against the meta-schema of its version, by the validators that oasmith itself
 * makes of it, which the build compiles (`precompile-descriptions.ts`); and against named rules for what those do not say.
 */
import {
  type Address,
  Collector,
  childAddress,
  childPointer,
  type Diagnostic,
  type JsonPointer,
  quote,
} from './diagnostics.js';
import type { Api } from './ir/api.js';
import { isObject, own } from './json-object.js';
import type { LoadResult } from './load/load.js';
import type { SourceDocument } from './load/sources.js';
import type { ReadApis } from './read-apis.js';

interface DescriptionIssue {
  readonly path: readonly (string | number)[];
  readonly keyword: string;
  readonly schemaPointer: string;
  readonly message: string;
}

type Check = (
  value: unknown,
  options: { readonly limit: number },
) => {
  readonly ok: boolean;
  readonly issues?: readonly DescriptionIssue[];
};

/** What the build makes: a check for each version. */
export type DescriptionChecks = Readonly<Record<string, Check>>;

/** More faults of one document are not told. */
const mostIssues = 100;

/** What is wrong with the descriptions, beside what was said of them. A run from the sources has no compiled validators, and asks the rules alone. */
export async function descriptionFaults(
  { partial: sources }: Pick<LoadResult, 'partial'>,
  { apis, diagnostics: said }: Pick<ReadApis, 'apis' | 'diagnostics'>,
  checks?: DescriptionChecks,
): Promise<readonly Diagnostic[]> {
  const report = new Collector();
  const compiled = checks ?? (await builtChecks());
  for (const document of sources?.documents.values() ?? []) {
    const check = compiled[versionOf(document) ?? ''];
    if (check !== undefined) reportIssues(document, check, new Said(document, said), report);
  }
  for (const { api } of apis) for (const rule of rules) rule(api, report);
  return report.diagnostics;
}

async function builtChecks(): Promise<DescriptionChecks> {
  if (!import.meta.url.endsWith('.js')) return {};
  const built: string = './cli-description-checks.js';
  const { descriptionChecks } = (await import(built)) as { readonly descriptionChecks: DescriptionChecks };
  return descriptionChecks;
}

function versionOf({ kind }: SourceDocument): string | undefined {
  return kind.kind === 'openapi' ? /^(?:2\.0|3\.\d+)/.exec(kind.version)?.[0] : undefined;
}

/** The places of a document of which something was said already: what the meta-schema says of them is the same in other words. */
class Said {
  readonly #places: readonly string[];

  constructor({ uri }: SourceDocument, said: readonly Diagnostic[]) {
    this.#places = said.flatMap(({ at, severity }) =>
      severity === 'error' && at?.document === uri ? [at.pointer] : [],
    );
  }

  has(pointer: string): boolean {
    return this.#places.some(
      (place) => place === pointer || place.startsWith(`${pointer}/`) || isParent(place, pointer),
    );
  }
}

function isParent(place: string, pointer: string): boolean {
  return place !== '' && pointer.startsWith(`${place}/`) && !pointer.slice(place.length + 1).includes('/');
}

function reportIssues(document: SourceDocument, check: Check, said: Said, report: Collector): void {
  const { issues = [] } = check(document.value, { limit: mostIssues });
  const told = new Set<string>();
  const isUnion = ({ keyword }: DescriptionIssue): boolean => keyword === 'anyOf' || keyword === 'oneOf';
  for (const [index, issue] of issues.entries()) {
    const at: Address = { document: document.uri, pointer: pointerOf(issue.path) };
    // Behind a union comes what is wrong with its closest branch, which says more.
    const next = issues[index + 1];
    if (isUnion(issue) && next !== undefined && pointerOf(next.path).startsWith(at.pointer)) continue;
    if (told.has(at.pointer) || said.has(at.pointer)) continue;
    told.add(at.pointer);
    report.report('description-invalid', wordsOf(issue), at);
  }
}

function pointerOf(path: readonly (string | number)[]): JsonPointer {
  return childPointer('' as JsonPointer, ...path);
}

/** What the meta-schema says, with the place as the subject. */
function wordsOf({ path, message, schemaPointer }: DescriptionIssue): string {
  const last = path.at(-1);
  const subject = last === undefined ? 'the description' : typeof last === 'number' ? `entry ${last}` : quote(last);
  return `${subject} ${inWords.find(([place]) => schemaPointer.endsWith(place))?.[1] ?? message}`;
}

/** Places of the meta-schemas that say what is meant in a way that no message can be made of. */
const inWords: readonly (readonly [place: string, message: string])[] = [
  ['#/anyOf/0/required', 'must have "paths", "components" or "webhooks"'],
  ['/$defs/examples/not', 'must not have both "example" and "examples"'],
  ['/$defs/example/allOf/0/not', 'must not have both "value" and "externalValue"'],
  ['/$defs/example/allOf/1/not', 'must not have both "value" and "dataValue"'],
  ['/$defs/example/allOf/2/not', 'must not have both "value" and "serializedValue"'],
  ['/$defs/example/allOf/3/not', 'must not have both "serializedValue" and "externalValue"'],
  ['/$defs/parameters/not', 'must not have parameters in "query" beside one in "querystring"'],
  ['/$defs/parameters/maxContains', 'must have at most one parameter in "querystring"'],
  ['/additionalOperations/propertyNames/not', 'is a method that has a member of its own'],
];

type Rule = (api: Api, report: Collector) => void;

/** `nodeType` takes the place of `attribute` and `wrapped` (OpenAPI 3.2, XML Object). The meta-schema does not look into schemas. */
const xmlNodeType: Rule = (api, report) => {
  for (const { docs, at } of api.schemas.values()) {
    const { xml } = docs;
    if (!isObject(xml) || own(xml, 'nodeType') === undefined) continue;
    for (const name of ['attribute', 'wrapped'] as const) {
      if (own(xml, name) === undefined) continue;
      report.report(
        'description-invalid',
        `${quote(name)} is not allowed beside "nodeType"`,
        childAddress(at, 'xml', name),
      );
    }
  }
};

const rules: readonly Rule[] = [xmlNodeType];
