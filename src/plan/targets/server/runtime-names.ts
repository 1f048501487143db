/** What the generated server uses of its runtime: each use gives the private alias, the import lines follow from the uses. */
import { UsedRuntime } from '../../used-runtime.js';

const modules = {
  checks: { types: [], values: ['unique'] },
  codec: { types: [], values: ['codec'] },
  'header-encoding': { types: [], values: ['base64Header', 'percentHeader'] },
  result: { types: ['HttpStatus', 'Status2XX', 'Status3XX', 'Status4XX', 'Status5XX'], values: [] },
  'server-contract': { types: ['Contract'], values: [] },
  'server-fastify': { types: ['FastifyPlugin'], values: ['fastifyAdapter'] },
  'server-fetch': { types: ['FetchHandler'], values: ['fetchAdapter'] },
  'server-node': { types: ['NodeListener'], values: ['nodeAdapter'] },
  'server-options': { types: ['Basic', 'Context', 'DispatchOptions', 'SecurityHook', 'ServerOptions'], values: [] },
  'server-webhooks': { types: ['ReceiverOptions'], values: ['receiver'] },
  'server-reply': {
    types: [
      ...(['Awaitable', 'Bytes', 'Events', 'HeadedOptions', 'HeaderScalar', 'Items', 'Made'] as const),
      ...(['Reply', 'ReplyOptions'] as const),
      ...(['Some', 'SseMessage', 'SseNamed', 'SseOptions', 'Statuses'] as const),
    ],
    values: ['sseEvent'],
  },
  'stream-part': { types: ['NamedPart', 'ReceivedPart', 'SentPart'], values: [] },
} as const;

type Module = keyof typeof modules;

export type RuntimeName = { [M in Module]: (typeof modules)[M]['types' | 'values'][number] }[Module];

export class RuntimeNames extends UsedRuntime<RuntimeName> {
  constructor() {
    super(modules);
  }
}
