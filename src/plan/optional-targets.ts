/** The targets that a run must be asked for. A new one is a file in `targets/`, a folder of templates, and a line here. */
import type { Target } from './target.js';
import { apiTarget } from './targets/api.js';
import { jsonRpcTarget } from './targets/json-rpc.js';
import { mswTarget } from './targets/msw.js';
import { operationTableTarget } from './targets/operation-table.js';
import { pathsTarget } from './targets/paths.js';
import { schemasTarget } from './targets/schemas.js';
import { tanstackQueryTarget } from './targets/tanstack-query.js';
import { webhooksTarget } from './targets/webhooks.js';
import { zodTarget } from './targets/zod.js';

export const optionalTargets: readonly Target[] = [
  jsonRpcTarget,
  schemasTarget,
  pathsTarget,
  apiTarget,
  webhooksTarget,
  tanstackQueryTarget,
  zodTarget,
  mswTarget,
  operationTableTarget,
];
