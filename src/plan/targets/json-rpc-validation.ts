/** The file `json-rpc-validation.ts` of the target `json-rpc`: a check of what an endpoint sends, for who imports it. */
import { type Code, code, type Identifier, joinCode, key } from '../../encode.js';
import { outputPath } from '../../output.js';
import { importNames } from '../imports.js';
import type { RpcEndpoint } from '../json-rpc.js';
import { messageValidator, type RpcMessage } from '../json-rpc-messages.js';
import { runtimeFiles } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile } from '../target.js';
import { UsedRuntime } from '../used-runtime.js';

export interface JsonRpcValidationView {
  readonly imports: readonly ImportView[];
  readonly endpoints: readonly JsonRpcChecksView[];
}

export interface JsonRpcChecksView {
  /** `validateMcpRpcMessages` */
  readonly validate: Identifier;
  /** The literal of the checks; `checks$`. */
  readonly result: Code;
  readonly notification: Code;
  readonly request: Code;
}

const modules = {
  'json-rpc-check': { types: ['JsonRpcCheckMode', 'JsonRpcChecks'], values: ['jsonRpcCheck'] },
  'json-rpc-client': { types: ['JsonRpcCheck'], values: [] },
} as const;

/** Nothing where the output has no validators, or nothing of what is sent has one. */
export function jsonRpcValidation(
  context: PlanContext,
  named: readonly (readonly [RpcEndpoint, { readonly validateMessages: Identifier }])[],
): readonly PlannedFile[] {
  const { options } = context;
  const validators = new Set<Identifier>();
  const endpoints = options.targets.includes('validators')
    ? named.map(([endpoint, { validateMessages }]) => viewOf(context, endpoint, validateMessages, validators))
    : [];
  if (validators.size === 0) return [];
  const runtime = new UsedRuntime<'JsonRpcCheck' | 'JsonRpcCheckMode' | 'JsonRpcChecks' | 'jsonRpcCheck'>(modules);
  for (const name of ['JsonRpcCheck', 'JsonRpcCheckMode', 'JsonRpcChecks', 'jsonRpcCheck'] as const) runtime.use(name);
  const own = [...validators]
    .sort()
    .map((name) => ({ isType: false, text: code`${name} as $${name as string as Code}` }));
  const view: JsonRpcValidationView = {
    imports: [...runtime.imports(options), ...importNames(own, './validators', options)],
    endpoints,
  };
  return [
    {
      kind: 'template',
      path: outputPath('json-rpc-validation.ts'),
      template: 'json-rpc/validation',
      view,
      ownership: 'generated',
    },
    ...runtimeFiles(['json-rpc-check.ts']),
  ];
}

function viewOf(
  { names }: PlanContext,
  endpoint: RpcEndpoint,
  validate: Identifier,
  validators: Set<Identifier>,
): JsonRpcChecksView {
  const imported = (found: Identifier | undefined): Code | undefined => {
    if (found === undefined) return undefined;
    validators.add(found);
    return code`$${found as string as Code}`;
  };
  const table = (messages: readonly RpcMessage[]): Code =>
    object(
      messages.flatMap((message) => {
        const found = imported(messageValidator(names, message, 'read')?.validate);
        return found === undefined ? [] : [code`${key(message.method)}: ${found}`];
      }),
    );
  const results = endpoint.methods.flatMap(({ method, result }) => {
    const found = result && imported(names.validatorOf(result.owner, 'read')?.validate);
    if (found === undefined) return [];
    return [code`${key(method)}: { validate: ${found}${result?.isWhole ? code`, isWhole: true` : code``} }`];
  });
  return {
    validate,
    result: object(results),
    notification: table(endpoint.serverNotifications),
    request: table(endpoint.serverRequests),
  };
}

function object(members: readonly Code[]): Code {
  return members.length === 0 ? code`{}` : code`{\n${joinCode(members, ',\n')},\n}`;
}
