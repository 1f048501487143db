/** The file `servers.ts` of the target `client`: the URLs of servers that have variables, for who imports it. */
import { type Code, code, joinCode, key, literal } from '../../encode.js';
import type { Api } from '../../ir/api.js';
import type { Server } from '../../ir/details.js';
import { outputPath } from '../../output.js';
import { docComment } from '../doc-comment.js';
import { RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile } from '../target.js';

export interface ServersView {
  readonly imports: readonly ImportView[];
  readonly servers: readonly ServerView[];
}

export interface ServerView {
  /** The name that the document gives the server, else its URL with the variables. */
  readonly name: Code;
  /** A comment with its line end, or empty. */
  readonly doc: Code;
  readonly url: Code;
  /** The members of the type of its variables, and of the table of what they are. */
  readonly types: readonly Code[];
  readonly variables: readonly Code[];
}

/** Nothing where no server has variables. */
export function clientServers({ api, options }: PlanContext): readonly PlannedFile[] {
  const servers = namedServers(api);
  if (servers.size === 0) return [];
  const runtime = new RuntimeImports();
  for (const name of ['ServerTemplate', 'ServerUrl', 'fillServer'] as const) runtime.use(name);
  const view: ServersView = {
    servers: [...servers].map(([name, server]) => serverView(name, server)),
    imports: runtime.imports(options),
  };
  const file = { kind: 'template', template: 'client/servers', ownership: 'generated' } as const;
  return [{ ...file, path: outputPath('servers.ts'), view }, ...runtimeFiles(['server-url.ts'])];
}

/** Whether there is anything to say in `servers.ts`. */
export function hasServerUrls(api: Api): boolean {
  return namedServers(api).size > 0;
}

/** Those of the API before those of operations; of two with one name, the later one goes by its URL. */
function namedServers(api: Api): ReadonlyMap<string, Server> {
  const found = new Map<string, Server>();
  for (const server of [...api.servers, ...api.operations.flatMap(({ servers }) => servers ?? [])]) {
    const { name, url, variables, resolved } = server;
    if (variables.length === 0 || !/^https?:/i.test(resolved)) continue;
    const other = name === undefined ? undefined : found.get(name);
    found.set(name === undefined || (other && other.url !== url) ? url : name, server);
  }
  return found;
}

function serverView(name: string, { url, variables, description }: Server): ServerView {
  return {
    name: key(name),
    doc: docComment({ text: description }),
    url: literal(url),
    types: variables.map(({ name: variable, enum: values, description: text, default: value }) => {
      const type = values ? joinCode([...new Set([...values, value])].map(literal), ' | ') : code`string`;
      return code`${docComment({ text })}readonly ${key(variable)}?: ${type} | undefined;`;
    }),
    variables: variables.map(({ name: variable, enum: values, default: value }) => {
      const listed = values ? code`, enum: [${joinCode(values.map(literal), ', ')}]` : code``;
      return code`${key(variable)}: { default: ${literal(value)}${listed} },`;
    }),
  };
}
