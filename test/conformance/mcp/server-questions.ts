/** Tools that ask the client back: they answer with questions, and are called again with the answers. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { JsonRpcError } from '../../../src/runtime/json-rpc.js';
import { capabilitiesMember, type Tool, type ToolCall, text } from './server-tools.js';

type Questions = Readonly<Record<string, { readonly method: string; readonly params: object }>>;
type Answers = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly inputResponses?: Answers;
  readonly requestState?: string;
}

const secret = randomBytes(32);
const sign = (step: string): string => createHmac('sha256', secret).update(step).digest('hex');

/** State that the client hands back, signed: it cannot be made up. */
const stateOf = (step: string): string => `${step}.${sign(step)}`;

/** The step that a state was made for; nothing where there is no state. */
export function stepOf({ requestState }: Asked): string | undefined {
  if (requestState === undefined) return undefined;
  const [step = '', signature = ''] = requestState.split('.');
  const right = Buffer.from(sign(step));
  const given = Buffer.from(signature);
  if (right.length === given.length && timingSafeEqual(right, given)) return step;
  throw new JsonRpcError(-32602, 'the state is not the one that was given');
}

/** The answers, unless one of them is missing or is no object: then it is asked again. */
function answered({ inputResponses = {} }: Asked, questions: Questions): Answers | undefined {
  const whole = Object.keys(questions).every(
    (name) => typeof inputResponses[name] === 'object' && inputResponses[name],
  );
  return whole ? inputResponses : undefined;
}

const asking = (inputRequests: Questions, step?: string): object => ({
  resultType: 'input_required',
  inputRequests,
  ...(step !== undefined && { requestState: stateOf(step) }),
});

const form = (message: string, name: string, type = 'string'): Questions[string] => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } },
});
const sample = (said: string, maxTokens: number): Questions[string] => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(said) }], maxTokens },
});
const roots = { method: 'roots/list', params: {} };

const name = form('What is your name?', 'name');
const saying = (said: string): object => ({ content: [text(said)] });

/** A tool that asks once; with `step`, by a state. */
function once(description: string, questions: Questions, say: (answers: Answers) => string, step?: string): Tool {
  return {
    description,
    run: (call: ToolCall & Asked) => {
      const known = stepOf(call);
      const answers = answered(call, questions);
      return answers === undefined || known !== step ? asking(questions, step) : saying(say(answers));
    },
  };
}

const steps: readonly Questions[] = [
  { step1: form('Step 1: What is your name?', 'name') },
  { step2: form('Step 2: What is your favorite color?', 'color') },
];

const byCapability: Questions = { elicitation: name, sampling: sample('Generate a greeting', 50), roots };

/** The name that a form was filled with. */
function nameIn(answer: unknown): string {
  const { content } = answer as { readonly content?: { readonly name?: unknown } };
  if (typeof content?.name === 'string') return content.name;
  throw new JsonRpcError(-32602, 'the answer has no name');
}

export const questions: Readonly<Record<string, Tool>> = {
  test_input_required_result_elicitation: once(
    'Asks for a name',
    { user_name: name },
    ({ user_name }) => `Hello, ${nameIn(user_name)}!`,
  ),
  test_input_required_result_sampling: once(
    'Asks for a text',
    { capital_question: sample('What is the capital of France?', 100) },
    ({ capital_question }) => JSON.stringify(capital_question),
  ),
  test_input_required_result_list_roots: once('Asks for roots', { client_roots: roots }, ({ client_roots }) =>
    JSON.stringify(client_roots),
  ),
  test_input_required_result_request_state: once(
    'Asks by a state',
    { confirm: form('Please confirm', 'ok', 'boolean') },
    () => 'state-ok',
    'confirm',
  ),
  test_input_required_result_tampered_state: once(
    'Asks by a state that is signed',
    { confirm: form('Please confirm', 'ok', 'boolean') },
    () => 'state-ok',
    'tampered',
  ),
  test_input_required_result_multiple_inputs: once(
    'Asks for several things',
    { user_name: name, greeting: sample('Generate a greeting', 50), client_roots: roots },
    (answers) => Object.keys(answers).join(),
    'several',
  ),
  test_input_required_result_multi_round: {
    description: 'Asks twice',
    run: (call: ToolCall & Asked) => {
      const step = Number(stepOf(call) ?? 0);
      const asked = steps[step];
      if (asked === undefined || answered(call, asked) === undefined) return asking(asked ?? {}, String(step));
      const next = steps[step + 1];
      return next === undefined ? saying('done') : asking(next, String(step + 1));
    },
  },
  test_input_required_result_capabilities: {
    description: 'Asks only for what the client can do',
    run: (call: ToolCall & Asked) => {
      const declared = call._meta[capabilitiesMember] as object;
      const able = Object.entries(byCapability).filter(([capability]) => Object.hasOwn(declared, capability));
      const asked = Object.fromEntries(able);
      return able.length === 0 || answered(call, asked) !== undefined ? saying('done') : asking(asked);
    },
  },
};

/** The questions of a prompt; nothing where they are answered. */
export function promptQuestions(call: Asked): object | undefined {
  const asked = { user_context: form('What context should the prompt use?', 'context') };
  return answered(call, asked) === undefined ? asking(asked) : undefined;
}

/** A tool whose schema has to arrive as it is. */
export const schemaTool: Tool = {
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  run: () => saying('done'),
};
