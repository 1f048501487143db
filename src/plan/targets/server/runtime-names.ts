/** What the generated server uses of its runtime: each use gives the private alias, the import lines follow from the uses. */
import { type Code, code } from '../../../encode.js';
import { importNames } from '../../imports.js';
import type { ImportView, PlanOptions } from '../../target.js';

const modules = {
  result: { types: ['HttpStatus', 'Status2XX', 'Status3XX', 'Status4XX', 'Status5XX'], values: [] },
  'server-contract': { types: ['Contract'], values: [] },
  'server-fastify': { types: ['FastifyPlugin'], values: ['fastifyAdapter'] },
  'server-fetch': { types: ['FetchHandler'], values: ['fetchAdapter'] },
  'server-node': { types: ['NodeListener'], values: ['nodeAdapter'] },
  'server-options': { types: ['Basic', 'Context', 'DispatchOptions', 'SecurityHook', 'ServerOptions'], values: [] },
  'server-reply': {
    types: [
      ...(['Awaitable', 'Bytes', 'Events', 'HeadedOptions', 'HeaderScalar', 'Made', 'Reply', 'ReplyOptions'] as const),
      ...(['Some', 'SseMessage', 'SseNamed', 'SseOptions', 'Statuses'] as const),
    ],
    values: ['sseEvent'],
  },
} as const;

type Module = keyof typeof modules;

export type RuntimeName = { [M in Module]: (typeof modules)[M]['types' | 'values'][number] }[Module];

export class RuntimeNames {
  readonly #used = new Set<string>();

  /** The private name of an export of the runtime: `$Reply`. */
  use(name: RuntimeName): Code {
    this.#used.add(name);
    return code`$${name as string as Code}`;
  }

  /** One import line for each module that was used. */
  imports(options: Pick<PlanOptions, 'importExtension'>): readonly ImportView[] {
    return Object.entries(modules).flatMap(([module, { types, values }]) => {
      const names = [
        ...types.map((name) => ({ name: name as string, isType: true })),
        ...values.map((name) => ({ name: name as string, isType: false })),
      ].filter(({ name }) => this.#used.has(name));
      const texts = names.map(({ name, isType }) => ({ isType, text: code`${name as Code} as $${name as Code}` }));
      return importNames(texts, `./runtime/${module}`, options);
    });
  }
}
