/** The file `links.ts` of the target `client`: a function for each link of an answer to a further operation, for who imports it. */
import { type Code, code, type Identifier, joinCode, key, literal } from '../../encode.js';
import { outputPath } from '../../output.js';
import { plannedAnswers } from '../answers.js';
import { type CallSignature, callSignature } from '../call-signature.js';
import { docComment } from '../doc-comment.js';
import { camelCase, pascalCase } from '../identifiers.js';
import { importNames, importTypes } from '../imports.js';
import { LinkTargets } from '../link-targets.js';
import { linkedText, type PlannedLink, plannedLinks } from '../links.js';
import { documentNames, ownName } from '../own-names.js';
import { RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile } from '../target.js';

export interface LinksView {
  readonly imports: readonly ImportView[];
  readonly links: readonly LinkView[];
}

export interface LinkView extends Pick<CallSignature, 'generics' | 'input' | 'options' | 'result'> {
  readonly doc: Code;
  readonly name: Identifier;
  /** The name of the literal, and its items, each a line. */
  readonly spec: Code;
  readonly values: Code;
  /** The type of the answer and what it answers. */
  readonly from: Code;
  readonly call: Code;
  /** The server of the link's own, as a member of the options; or empty. */
  readonly server: Code;
}

/** A link with the name of its function. */
export interface NamedLink extends PlannedLink {
  /** `followCreateOrderGetOrder` */
  readonly name: Identifier;
}

export function namedLinks(context: PlanContext): readonly NamedLink[] {
  if (!context.api.operations.some(({ responses }) => responses.some(({ links }) => links.length > 0))) return [];
  const taken = new Set(documentNames(context));
  return plannedLinks(context, new LinkTargets(context.api)).map((planned) => {
    const { from, link } = planned;
    const base = camelCase(`follow ${context.names.operationOf(from).function} ${pascalCase(link.name)}`);
    const status = from.responses[planned.response]?.status;
    const suffix =
      status?.kind === 'exact' ? status.code : status?.kind === 'range' ? `${status.hundred}XX` : 'Default';
    const name = ownName(taken, base, `${base}${suffix}`);
    taken.add(name);
    return { ...planned, name };
  });
}

/** Nothing where no answer has a link. */
export function clientLinks(context: PlanContext, links: readonly NamedLink[]): readonly PlannedFile[] {
  if (links.length === 0) return [];
  const { names, options } = context;
  const runtime = new RuntimeImports();
  const types = new Set<Identifier>();
  for (const name of ['Client', 'LinkValue', 'linkedInput'] as const) runtime.use(name);
  const views = links.map((link) => linkView(context, link, runtime, types));
  const functions = [...new Set(links.map(({ to }) => names.operationOf(to).function))].sort();
  const view: LinksView = {
    links: views,
    imports: [
      ...importNames(runtime.besides(functions), './client', options),
      ...importTypes(types, './operations', options),
      ...runtime.imports(options),
    ],
  };
  const path = outputPath('links.ts');
  return [
    { kind: 'template', template: 'client/links', ownership: 'generated', path, view },
    ...runtimeFiles(['follow.ts']),
  ];
}

/** `types` gets the names of `operations.ts` that its signature has. */
export function linkView(
  context: PlanContext,
  planned: NamedLink,
  runtime: RuntimeImports,
  types: Set<Identifier>,
): LinkView {
  const { link, from, to, name, values, inputGroups } = planned;
  const target = context.names.operationOf(to);
  const source = context.names.operationOf(from);
  const answers = plannedAnswers(from, context.names).filter(
    ({ response }) => response === from.responses[planned.response],
  );
  for (const one of [target.input, target.result, ...answers.map((answer) => answer.name)]) types.add(one);
  const result = joinCode(
    answers.map((answer) => answer.name),
    ' | ',
  );
  if (inputGroups.length > 0) types.add(source.input);
  const input =
    inputGroups.length === 0
      ? code``
      : code`; readonly input: Pick<${source.input}, ${joinCode(inputGroups.map(literal), ' | ')}>`;
  const signature = callSignature(context, to, runtime);
  const bound = boundType(values);
  const rest =
    values.length === 0 ? code`${target.input}` : code`${runtime.use('Remaining')}<${target.input}, ${bound}>`;
  const text = link.description ?? `The link \`${link.name}\` of an answer of \`${source.function}\`.`;
  return {
    doc: docComment({
      text: `${text}\n\nCalls \`${target.function}\`: \`${to.method} ${to.path.text}\`.`,
      deprecated: to.deprecated,
    }),
    name,
    spec: code`${name}$`,
    values: joinCode(
      values.map((value) => code`${linkedText(value, planned)},`),
      '\n',
    ),
    from: code`{ readonly result: ${result}${input} }`,
    input: planned.required ? code`input: ${rest}` : code`input?: ${rest}`,
    options: signature.options,
    generics: signature.generics,
    result: signature.result,
    call: runtime.beside(target.function),
    server: serverOf(planned),
  };
}

/** A server of the link's own is asked unless the caller says another. */
function serverOf({ link: { server } }: PlannedLink): Code {
  return server === undefined || !/^https?:/i.test(server.resolved)
    ? code`options`
    : code`{ server: ${literal(server.resolved)}, ...options }`;
}

/** What is there already, by group: `{ path: "id" }`. */
function boundType(values: PlannedLink['values']): Code {
  const groups = new Map<string, string[]>();
  for (const { to } of values) {
    const [group = '', name] = to;
    groups.set(group, [...(groups.get(group) ?? []), ...(name === undefined ? [] : [name])]);
  }
  const members = [...groups].map(([group, names]) => {
    return code`${key(group)}: ${names.length === 0 ? code`true` : joinCode(names.map(literal), ' | ')}`;
  });
  return code`{ ${joinCode(members, '; ')} }`;
}
