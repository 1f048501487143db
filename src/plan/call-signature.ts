/** What a caller of an operation sees: the same for the client's functions and for the members of the grouped object. */
import { type Code, code, joinCode, literal } from '../encode.js';
import type { Operation } from '../ir/api.js';
import type { Server } from '../ir/details.js';
import { acceptable, plannedAnswers } from './answers.js';
import { docComment, saidOf } from './doc-comment.js';
import { operationInput } from './operation-input.js';
import type { RuntimeImports } from './runtime-imports.js';
import type { PlanContext } from './target.js';

export interface CallSignature {
  /** `<const A extends …>`, or empty. */
  readonly generics: Code;
  readonly input: Code;
  readonly options: Code;
  readonly result: Code;
}

export function callSignature(context: PlanContext, operation: Operation, runtime: RuntimeImports): CallSignature {
  const names = context.names.operationOf(operation);
  const types = acceptable(plannedAnswers(operation, context.names));
  const accepted = types.length === 0 ? undefined : joinCode(types.map(literal), ' | ');
  const callOptions = runtime.use('CallOptions');
  const choices = serverNames(operation.servers ?? context.api.servers);
  const generics = [...(accepted ? [code`A`] : choices.length > 0 ? [code`never`] : []), ...choices];
  return {
    generics: accepted ? code`<A extends ${accepted} = ${accepted}>` : code``,
    input: operationInput(context, operation).required ? code`input: ${names.input}` : code`input?: ${names.input}`,
    options: generics.length > 0 ? code`${callOptions}<${joinCode(generics, ', ')}>` : callOptions,
    result: accepted ? code`${runtime.use('Accepted')}<${names.result}, A>` : code`${names.result}`,
  };
}

/** The names that servers have, as a union; nothing where none has one. */
export function serverNames(servers: readonly Server[]): readonly Code[] {
  const names = [...new Set(servers.flatMap(({ name }) => (name === undefined ? [] : [literal(name)])))];
  return names.length === 0 ? [] : [joinCode(names, ' | ')];
}

/** What the document says of an operation, with its method and path. */
export function callDoc(operation: Operation): Code {
  const { deprecated, method, path } = operation;
  return docComment({
    text: [...saidOf(operation), `\`${method} ${path.text}\``].join('\n\n'),
    deprecated,
  });
}
