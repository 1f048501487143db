/**
 * Target `tanstack-query`: options and keys for TanStack Query on top of the client's functions. What is made are plain
 * objects, and of the package only types are imported, so one output serves the hooks of every framework.
 */
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import type { Operation } from '../../ir/api.js';
import { outputPath } from '../../output.js';
import { serverNames } from '../call-signature.js';
import { docComment } from '../doc-comment.js';
import { type ImportPlace, importNames, importTypes, specifier } from '../imports.js';
import { reportNoOperation } from '../nothing-left.js';
import { operationInput } from '../operation-input.js';
import type { PageRule } from '../pagination/rule.js';
import { keyInput, keyPath, keyTags, leftOut, leftOutText, tagKey } from '../query-keys.js';
import { type GivenNames, queryNames } from '../query-names.js';
import { type QueryOperation, type QueryOperations, queryOperations } from '../query-operations.js';
import { RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import { tagFiles } from '../tag-files.js';
import type { ImportView, PlanContext, PlannedFile, Target } from '../target.js';
import { pageSpec } from './client-pages.js';

export interface TanstackQueryView {
  /** Which operations are left out. */
  readonly doc: Code;
  readonly imports: readonly ImportView[];
  /** Whether the file has what is shared: with `--layout tags` only one has. */
  readonly isRoot: boolean;
  /** The modules with the operations, where they are not here. */
  readonly modules: readonly Code[];
  /** Modules of the runtime whose exports are passed on. */
  readonly optionsModule: Code;
  readonly retryModule: Code;
  readonly tags: readonly { readonly name: Code; readonly path: Code }[];
  readonly hasQueries: boolean;
  readonly hasHead: boolean;
  readonly hasInfinite: boolean;
  readonly queries: readonly QueryView[];
  readonly mutations: readonly MutationView[];
}

/** What queries and mutations have in common. */
interface CallView {
  readonly doc: Code;
  readonly keyDoc: Code;
  readonly function: Identifier;
  /** Its private name here. */
  readonly call: Code;
  readonly input: Identifier;
  /** Whether the caller must give an input. */
  readonly required: boolean;
  /** `input: GetPetInput`, or with a question mark. */
  readonly parameter: Code;
  /** `<A extends …>` and `<A>`, or empty. */
  readonly generics: Code;
  readonly generic: Code;
  readonly callOptions: Code;
  /** `["pets", "getPet"]`, as a value and as a type. */
  readonly path: Code;
  readonly result: Code;
  readonly keyName: Identifier;
  readonly options: Identifier;
}

export interface QueryView extends CallView {
  readonly keyType: Identifier;
  /** `"pets", "getPet", GetPetInput` */
  readonly keyParts: Code;
  readonly leftOut: Code;
  /** What ties the types of data and errors to the key, and the type of the options. */
  readonly tagged: Code;
  readonly optionsType: Code;
  /** The function of the runtime that reads the answer. */
  readonly read: Code;
  /** The media type that is asked for where the caller says nothing, with a comma before it. */
  readonly accept: Code;
  /** None or one. */
  readonly infinite: readonly InfiniteView[];
}

export interface InfiniteView extends CallView {
  readonly keyType: Identifier;
  readonly keyParts: Code;
  readonly leftOut: Code;
  readonly read: Code;
  readonly accept: Code;
  /** The group of the input that says which page: a literal. */
  readonly group: Code;
  /** `<N extends …, A extends …>` */
  readonly pageGenerics: Code;
  /** What the pages are read by: `PageMembers<…>`. */
  readonly members: Code;
  /** Whether it is known how the operation is paged, and how: the name of a literal, its members, and the type of what tells a page. */
  readonly isKnown: boolean;
  readonly spec: Code;
  readonly specMembers: Code;
  readonly pageParam: Code;
}

export interface MutationView extends CallView {
  readonly variables: Code;
  /** The input and the options, as they are handed to the client's function. */
  readonly given: Code;
  readonly givenOptions: Code;
}

export const tanstackQueryTarget: Target = {
  name: 'tanstack-query',
  plan(context: PlanContext): readonly PlannedFile[] {
    const { api, options, report } = context;
    if (api.operations.length === 0) {
      reportNoOperation(options, report);
      return [];
    }
    const queries = queryOperations(context);
    const hasKnownPages = queries.made.some(({ kind, rule }) => kind === 'infinite' && rule !== undefined);
    return [
      ...queryFiles(context, queries),
      ...runtimeFiles(['query-options.ts', 'query-retry.ts', ...(hasKnownPages ? ['query-pages.ts'] : [])]),
    ];
  },
};

/** One file; or one for each tag, and one with what all of them share that passes them on. */
function queryFiles(context: PlanContext, queries: QueryOperations): readonly PlannedFile[] {
  const { api, options } = context;
  const given = queryNames(context, queries.made);
  const shared = { place: options, client: './client', operations: './operations' };
  if (options.layout === 'single') return [file('tanstack-query', viewOf(context, queries, given, shared))];
  const place = { ...options, below: true };
  const parts = tagFiles(api).flatMap(({ name, operations }) => {
    const made = queries.made.filter(({ operation }) => operations.includes(operation));
    const files = { place, client: `./client/${name}`, operations: `./operations/${name}` };
    return made.length === 0 ? [] : [{ name, view: viewOf(context, { made, streams: [] }, given, files) }];
  });
  const root: TanstackQueryView = {
    ...viewOf(context, { made: [], streams: queries.streams }, given, shared),
    imports: [],
    tags: tagsOf(context, queries.made),
    modules: parts.map(({ name }) => specifier(`./tanstack-query/${name}`, options)),
  };
  return [
    file('tanstack-query', root),
    ...parts.map(({ name, view }) => file(`tanstack-query/${name}`, { ...view, isRoot: false })),
  ];
}

function file(name: string, view: TanstackQueryView): PlannedFile {
  const path = outputPath(`${name}.ts`);
  return { kind: 'template', path, template: 'tanstack-query/tanstack-query', view, ownership: 'generated' };
}

/** Where a file stands, and where that is which it uses. */
interface QueryPlace {
  readonly place: ImportPlace;
  readonly client: string;
  readonly operations: string;
}

function tagsOf(context: PlanContext, made: readonly QueryOperation[]): TanstackQueryView['tags'] {
  const operations = made.map(({ operation }) => operation);
  return keyTags(context, operations).map((tag) => ({ name: key(tag), path: literal(tagKey(context, tag)) }));
}

function viewOf(
  context: PlanContext,
  { made, streams }: QueryOperations,
  given: (one: QueryOperation) => GivenNames,
  { place, client, operations: types }: QueryPlace,
): TanstackQueryView {
  const { names, options } = context;
  const runtime = new RuntimeImports();
  const views = made.map((one) => ({ one, view: new QueryText(context, runtime, one, given(one)) }));
  const queries = views.filter(({ one }) => one.kind !== 'mutation').map(({ view }) => view.query());
  const mutations = views.filter(({ one }) => one.kind === 'mutation').map(({ view }) => view.mutation());
  const called = made.map(({ operation }) => names.operationOf(operation));
  if (made.length > 0) runtime.use('Client');
  const functions = called.map((one) => one.function).sort();
  return {
    doc: headDoc(streams.map((operation) => names.operationOf(operation).function)),
    imports: [
      ...packageImports(made, options.queries?.package ?? '@tanstack/react-query'),
      ...importNames(runtime.besides(functions), client, place),
      ...importTypes(
        called.flatMap(({ input, result }) => [input, result]),
        types,
        place,
      ),
      ...runtime.imports(place),
    ],
    isRoot: true,
    modules: [],
    optionsModule: specifier('./runtime/query-options', place),
    retryModule: specifier('./runtime/query-retry', place),
    tags: tagsOf(context, made),
    hasQueries: queries.some(({ tagged }) => tagged === '$Key'),
    hasHead: queries.some(({ tagged }) => tagged === '$HeadKey'),
    hasInfinite: queries.some(({ infinite }) => infinite.length > 0),
    queries,
    mutations,
  };
}

function headDoc(streams: readonly Identifier[]): Code {
  const without =
    streams.length === 0
      ? ''
      : `\n\nWithout ${streams.join(', ')}: an answer that is a stream is read once, and no cache can hold it.`;
  return docComment({ text: `Options and keys for TanStack Query, one set for each operation.${without}` });
}

/** The types of the package, whose name is spelt as it is. */
function packageImports(made: readonly QueryOperation[], from: string): readonly ImportView[] {
  const kinds = new Set(made.map(({ kind }) => kind));
  const names = [
    ...(kinds.has('query') || kinds.has('infinite') ? [code`DataTag as $DataTag`] : []),
    ...(kinds.has('infinite') ? [code`InfiniteData as $InfiniteData`] : []),
  ];
  return names.length === 0 ? [] : [{ typeOnly: true, names: code`{ ${joinCode(names, ', ')} }`, from: literal(from) }];
}

/** The texts of one operation. */
class QueryText {
  readonly #context: PlanContext;
  readonly #runtime: RuntimeImports;
  readonly #one: QueryOperation;
  readonly #names: GivenNames;

  constructor(context: PlanContext, runtime: RuntimeImports, one: QueryOperation, names: GivenNames) {
    this.#context = context;
    this.#runtime = runtime;
    this.#one = one;
    this.#names = names;
  }

  query(): QueryView {
    const { operation, accept } = this.#one;
    const out = leftOut(this.#context, operation);
    const isHead = operation.method === 'HEAD';
    const call = this.#call(leftOutDoc(out.members));
    const input = keyInput(call.input, out);
    for (const name of ['QueryError', 'queryCall', 'queryKey'] as const) this.#runtime.use(name);
    this.#runtime.use(isHead ? 'QueryHeaders' : 'QueryData');
    const query = {
      ...call,
      keyType: this.#names.keyType,
      keyParts: joinCode([...keyPath(this.#context, operation).map(literal), input], ', '),
      leftOut: leftOutText(out),
      tagged: isHead ? code`$HeadKey` : code`$Key`,
      optionsType: this.#runtime.use(isHead ? 'HeadQueryOptions' : 'QueryOptions'),
      read: this.#runtime.use(isHead ? 'queryHeaders' : 'queryData'),
      accept: accept === undefined ? code`` : code`, ${literal(accept)}`,
    };
    return { ...query, infinite: this.#infinite(query) };
  }

  #infinite(query: Omit<QueryView, 'infinite'>): readonly InfiniteView[] {
    const { infinite } = this.#names;
    if (infinite === undefined) return [];
    this.#runtime.use('InfiniteQueryOptions');
    const out = query.leftOut === '' ? code`, {}` : query.leftOut;
    const shared = { ...query, ...infinite, keyParts: code`${query.keyParts}, "infinite"`, leftOut: out };
    const { rule } = this.#one;
    return [rule === undefined ? this.#told(shared) : this.#known(shared, rule)];
  }

  /** The caller says what comes next. */
  #told(shared: Omit<QueryView, 'infinite'>): InfiniteView {
    for (const name of ['Pages', 'pageInput'] as const) this.#runtime.use(name);
    const group = literal(this.#one.pages);
    const members = code`${this.#runtime.use('PageMembers')}<${shared.input}, ${group}>`;
    const pageGenerics = code`<${joinCode([code`N extends keyof ${members}`, ...this.#generics()], ', ')}>`;
    const none = { isKnown: false, spec: code``, specMembers: code``, pageParam: code`` };
    return { ...shared, ...none, group, members, pageGenerics };
  }

  /** Of several media types the one that has the items is asked for. */
  #known(shared: Omit<QueryView, 'infinite'>, rule: PageRule): InfiniteView {
    const { operation } = this.#one;
    for (const name of ['PageSpec', 'knownPages', 'inputOf'] as const) this.#runtime.use(name);
    const { result } = this.#context.names.operationOf(operation);
    const accept = rule.accept === undefined ? undefined : literal(rule.accept);
    const [group, member, ...deeper] = rule.parameter?.path ?? [];
    const isPlain = group !== undefined && member !== undefined && deeper.length === 0;
    return {
      ...shared,
      ...(accept !== undefined && {
        generics: code``,
        generic: code``,
        callOptions: this.#callOptions(operation, false),
        accept: code`, ${accept}`,
        result: code`${this.#runtime.use('Accepted')}<${result}, ${accept}>`,
      }),
      isKnown: true,
      spec: code`${shared.function}Pages$`,
      specMembers: pageSpec(this.#context, operation, rule, this.#runtime),
      pageParam: isPlain
        ? code`${this.#runtime.use('PageMembers')}<${shared.input}, ${literal(group)}>[${literal(member)}] | undefined`
        : code`unknown`,
      group: code``,
      members: code``,
      pageGenerics: code``,
    };
  }

  mutation(): MutationView {
    const call = this.#call();
    for (const name of ['MutationOptions', 'mutationData'] as const) this.#runtime.use(name);
    const { accept } = this.#one;
    return {
      ...call,
      variables: call.required ? code`${call.input}` : code`${call.input} | void`,
      given: call.required ? code`input` : code`input as ${call.input} | undefined`,
      givenOptions:
        accept === undefined ? code`options` : code`${this.#runtime.use('accepting')}(options, ${literal(accept)})`,
    };
  }

  #call(keyNote?: string): CallView {
    const { operation, accepted } = this.#one;
    const given = this.#context.names.operationOf(operation);
    const [generics = code``] = this.#generics();
    const { required } = operationInput(this.#context, operation);
    const [only = ''] = accepted;
    const choice = accepted.length > 1 ? code`A` : literal(only);
    return {
      doc: docOf(operation),
      keyDoc: docComment({ text: keyNote }),
      function: given.function,
      call: this.#runtime.beside(given.function),
      input: given.input,
      required,
      parameter: required ? code`input: ${given.input}` : code`input?: ${given.input}`,
      generics: generics === '' ? generics : code`<${generics}>`,
      generic: generics === '' ? generics : code`<A>`,
      callOptions: this.#callOptions(operation),
      path: literal(keyPath(this.#context, operation)),
      result:
        accepted.length === 0
          ? code`${given.result}`
          : code`${this.#runtime.use('Accepted')}<${given.result}, ${choice}>`,
      keyName: this.#names.keyName,
      options: this.#names.options,
    };
  }

  /** Where there is only one media type, because the others are streams, there is nothing to choose. */
  #generics(): readonly Code[] {
    const { accepted } = this.#one;
    if (accepted.length < 2) return [];
    const types = joinCode(accepted.map(literal), ' | ');
    return [code`A extends ${types} = ${types}`];
  }

  #callOptions(operation: Operation, isChosen = this.#one.accepted.length > 1): Code {
    const servers = serverNames(operation.servers ?? this.#context.api.servers);
    const all = [...(isChosen ? [code`A`] : servers.length > 0 ? [code`never`] : []), ...servers];
    const name = this.#runtime.use('QueryCallOptions');
    return all.length === 0 ? name : code`${name}<${joinCode(all, ', ')}>`;
  }
}

/** The function of the client says the rest. */
function docOf({ summary, method, path, deprecated }: Operation): Code {
  const text = summary === undefined ? `\`${method} ${path.text}\`` : `${summary}\n\n\`${method} ${path.text}\``;
  return docComment({ text, deprecated });
}

function leftOutDoc(members: ReadonlyMap<string, readonly string[]>): string | undefined {
  const names = [...members].flatMap(([group, own]) => own.map((name) => `\`${group}.${name}\``));
  return names.length === 0 ? undefined : `Does not hold ${names.join(', ')}: a key is no place for credentials.`;
}
