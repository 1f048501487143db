/** The list of targets. A new one is a file in `targets/`, a folder of templates, and a line here. */
import type { Target } from './target.js';
import { apiTarget } from './targets/api.js';
import { clientTarget } from './targets/client.js';
import { jsonRpcTarget } from './targets/json-rpc.js';
import { mswTarget } from './targets/msw.js';
import { operationsTarget } from './targets/operations.js';
import { pathsTarget } from './targets/paths.js';
import { schemasTarget } from './targets/schemas.js';
import { serverTarget } from './targets/server.js';
import { tanstackQueryTarget } from './targets/tanstack-query.js';
import { typesTarget } from './targets/types.js';
import { validatorsTarget } from './targets/validators.js';
import { webhooksTarget } from './targets/webhooks.js';
import { zodTarget } from './targets/zod.js';

export const targets: readonly Target[] = [
  typesTarget,
  operationsTarget,
  validatorsTarget,
  clientTarget,
  serverTarget,
  jsonRpcTarget,
  schemasTarget,
  pathsTarget,
  apiTarget,
  webhooksTarget,
  tanstackQueryTarget,
  zodTarget,
  mswTarget,
];
