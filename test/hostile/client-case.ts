/** Cases of the generated client: makes one in memory, calls it through a `fetch` that records, and looks at both sides. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, isDeepStrictEqual } from 'node:util';
import { bundle, generateFrom, withOutput } from '../support/generated-client.js';
import type { HostileCase } from './cases.js';
import type { Json } from './expand.js';

type Members = { readonly [key: string]: Json };
type Call = (client: unknown, input: object, options?: object) => Promise<AnyResult>;

interface AnyResult {
  readonly ok: boolean;
  readonly data?: unknown;
}

interface Api {
  readonly [operation: string]: Call;
}

interface Sent {
  readonly url: string;
  readonly call: number;
  readonly at: number;
  readonly request: Request;
}

interface Made {
  readonly call: Members;
  readonly result?: AnyResult;
  readonly error?: unknown;
  /** What `unwrap` makes of a failure. */
  readonly thrown?: unknown;
  readonly events: readonly unknown[];
}

interface Evidence {
  readonly sent: readonly Sent[];
  readonly made: readonly Made[];
  readonly client: unknown;
}

function members(value: Json | undefined): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/** What is wrong, in sentences. */
export async function judgeClientCase(hostile: HostileCase, aside: readonly string[]): Promise<readonly string[]> {
  const unknown = Object.keys(hostile.assert).filter((name) => !checks.has(name));
  if (unknown.length > 0) return [`the runner does not know ${unknown.join(', ')}`];
  const before = Object.getOwnPropertyNames(Object.prototype).join();
  const evidence = await evidenceOf(hostile);
  const polluted = Object.getOwnPropertyNames(Object.prototype).join() !== before;
  return [
    ...(polluted ? ['Object.prototype was changed'] : []),
    ...Object.entries(hostile.assert).flatMap(([name, wanted]) =>
      aside.includes(name) ? [] : (checks.get(name)?.(evidence, wanted) ?? []),
    ),
  ];
}

async function evidenceOf({ input, assert }: HostileCase): Promise<Evidence> {
  const spec = specOf(input);
  const result = await generateFrom(spec, { targets: ['types', 'operations', 'validators', 'client'] });
  const api = await withOutput(result, {}, async (folder) => {
    const file = join(folder, 'bundle.mjs');
    const hasChecks = result.files.some(({ path }) => path === 'client-validation.ts');
    const checked = hasChecks ? "export { validateResponses } from './client-validation.ts';" : '';
    await writeFile(file, await bundle(folder, `export * from './index.ts';${checked}`));
    return (await import(pathToFileURL(file).href)) as Api & Readonly<Record<string, (...given: unknown[]) => unknown>>;
  });
  const sent: Sent[] = [];
  const made: Made[] = [];
  const answers = list(input['server']).map(members);
  const reconnects = assert['maxRequestsPerSecond'] !== undefined;
  const calls = list(input['calls']).map(members);
  const [only] = calls;
  const all =
    only && calls.length === 1 && !reconnects ? Array.from({ length: answers.length || 1 }, () => only) : calls;
  const fetch = async (request: Request): Promise<Response> => {
    sent.push({ url: request.url, call: made.length, at: Date.now(), request: request.clone() });
    return responseOf(answers[Math.min(reconnects ? sent.length - 1 : made.length, answers.length - 1)] ?? {});
  };
  const options = {
    fetch,
    ...(Object.hasOwn(spec, 'servers') ? {} : { baseUrl: 'https://api.example' }),
    ...(api['validateResponses'] && { validate: api['validateResponses']('throw') }),
    ...(reconnects && { reconnect: api['reconnect']?.() }),
  };
  let client: unknown;
  for (const call of all) {
    client = api['createClient']?.({ ...options, auth: members(call['auth']) });
    made.push(await outcomeOf(api, client, call, spec, reconnects ? 2500 : undefined));
  }
  return { sent, made, client };
}

function specOf({ spec, extraSchemas }: HostileCase['input']): { [key: string]: Json } {
  const document = members(spec);
  const components = members(document['components']);
  return extraSchemas === undefined
    ? { ...document }
    : {
        ...document,
        components: { ...components, schemas: { ...members(components['schemas']), ...members(extraSchemas) } },
      };
}

async function outcomeOf(
  api: Api,
  client: unknown,
  call: Members,
  spec: Members,
  lifetime: number | undefined,
): Promise<Made> {
  const events: unknown[] = [];
  const signal = lifetime === undefined ? {} : { signal: AbortSignal.timeout(lifetime) };
  try {
    const result = await api[String(call['operationId'])]?.(client, inputOf(call, spec), signal);
    if (!result) throw new Error(`there is no function ${String(call['operationId'])}`);
    if (isIterable(result.data)) for await (const event of result.data) events.push(event);
    return { call, result, events, thrown: result.ok ? undefined : await thrownBy(() => api['unwrap']?.(result, {})) };
  } catch (error) {
    return { call, error, events };
  }
}

async function thrownBy(step: () => unknown): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    return error;
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** The cases name parameters only; the description says where each stands. */
function inputOf(call: Members, spec: Members): object {
  const groups = { path: {}, query: {}, header: {}, cookie: {} } as Record<string, object>;
  const { paramsJson } = call;
  const params = typeof paramsJson === 'string' ? (JSON.parse(paramsJson) as Members) : members(call['params']);
  const operation = Object.values(members(spec['paths']))
    .flatMap((item) => Object.values(members(item)))
    .map(members)
    .find(({ operationId }) => operationId === call['operationId']);
  const declared = list(operation?.['parameters']).map(members);
  for (const [name, value] of Object.entries(params)) {
    const place = String(declared.find((parameter) => parameter['name'] === name)?.['in'] ?? 'header');
    Object.defineProperty(groups[place] ?? {}, name, { value, enumerable: true });
  }
  const { path, query, header: headers, cookie: cookies } = groups;
  return { path, query, headers, cookies, ...(call['body'] !== undefined && { body: bodyOf(call['body']) }) };
}

/** A member `{ name, bytes }` is a file. */
function bodyOf(body: Json): unknown {
  return Object.fromEntries(
    Object.entries(members(body)).map(([name, value]) => {
      const { name: file, bytes } = members(value);
      return [name, typeof bytes === 'number' ? new File([new Uint8Array(bytes)], String(file)) : value];
    }),
  );
}

function responseOf({ status = 200, headers, body, chunks, stream }: Members): Response {
  const code = Number(status);
  const texts = chunks === undefined ? list(stream) : list(chunks);
  if (texts.length > 0) {
    const source = new ReadableStream({
      start(controller) {
        for (const text of texts) controller.enqueue(new TextEncoder().encode(String(text)));
        controller.close();
      },
    });
    return new Response(source, { status: code, headers: { 'content-type': 'text/event-stream' } });
  }
  const given = headers === undefined && body !== undefined ? { 'content-type': 'application/json' } : members(headers);
  const content = code === 204 || body === undefined ? null : new TextEncoder().encode(String(body));
  return new Response(content, { status: code, headers: given as Record<string, string> });
}

function firstParameter({ call }: Made): Json | undefined {
  return Object.values(members(call['params']))[0];
}

function isCallError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Symbol.for('oasmith.CallError') in error;
}

function target(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const checks = new Map<string, (evidence: Evidence, wanted: Json) => readonly string[]>([
  ['noPollution', () => []],
  [
    'noRequest',
    ({ sent, made }) => [
      ...sent.map(({ url }) => `a request went to ${url}`),
      ...made.flatMap(({ error }) => (isCallError(error) ? [] : [`a call ended with ${inspect(error)}`])),
    ],
  ],
  [
    'noRequestFor',
    ({ sent, made }, wanted) =>
      sent.flatMap(({ url, call }) => {
        const value = made[call] && firstParameter(made[call]);
        return list(wanted).includes(value ?? null) ? [`${JSON.stringify(value)} was sent to ${url}`] : [];
      }),
  ],
  [
    'wire',
    ({ sent, made }, wanted) =>
      Object.entries(members(wanted)).flatMap(([value, path]) => {
        const index = made.findIndex((one) => firstParameter(one) === value);
        const found = sent.find(({ call }) => call === index);
        const seen = found && target(found.url);
        return seen === path ? [] : [`${JSON.stringify(value)} was sent as ${seen}`];
      }),
  ],
  [
    'originAlways',
    ({ sent }, wanted) =>
      sent.flatMap(({ url }) => (new URL(url).origin === wanted ? [] : [`a request went to ${url}`])),
  ],
  [
    'noRequestTo',
    ({ sent }, wanted) =>
      sent.flatMap(({ url }) => (url.startsWith(String(wanted)) ? [`a request went to ${url}`] : [])),
  ],
  [
    'serverSeesNoParam',
    ({ sent }, wanted) =>
      sent.length === 0
        ? ['nothing was sent']
        : sent.flatMap(({ url }) => (new URL(url).searchParams.has(String(wanted)) ? [`the server sees ${url}`] : [])),
  ],
  [
    'outputLacks',
    ({ made, client }, wanted) => {
      const said = inspect([client, made.map(({ error, thrown }) => [error, thrown, String(thrown)])], { depth: 9 });
      return list(wanted).flatMap((secret) => (said.includes(String(secret)) ? [`${String(secret)} is printed`] : []));
    },
  ],
  [
    'typedError',
    ({ made }) =>
      made.flatMap(({ result, error }, index) =>
        result?.ok === false || isCallError(error)
          ? []
          : [`answer ${index} is taken: ${inspect(result?.data ?? error)}`],
      ),
  ],
  [
    'events',
    ({ made }, wanted) => {
      const seen = made.flatMap(({ events }) => events.map((event) => (event as { data?: unknown }).data));
      return inspect(seen.filter((data) => typeof data === 'object')) === inspect(wanted)
        ? []
        : [`events: ${inspect(seen)}`];
    },
  ],
  [
    'maxRequestsPerSecond',
    ({ sent }, wanted) => {
      const most = Math.max(
        ...sent.map(({ at }) => sent.filter((other) => other.at >= at && other.at < at + 1000).length),
      );
      return most <= Number(wanted) ? [] : [`${most} requests in one second`];
    },
  ],
  [
    'refused',
    ({ made, sent }, wanted) =>
      list(wanted).flatMap((index) => {
        const error = made[Number(index)]?.error as { readonly fault?: unknown } | undefined;
        const isSent = sent.some(({ call }) => call === index);
        return isCallError(error) && error?.fault === 'request' && !isSent ? [] : [`call ${String(index)} is sent`];
      }),
  ],
  [
    'taken',
    ({ made }, wanted) =>
      isDeepStrictEqual(
        made.map(({ result }) => result?.ok === true && result.data),
        wanted,
      )
        ? []
        : [`answers: ${inspect(made.map(({ result, error }) => result ?? error))}`],
  ],
  [
    'wireQuery',
    ({ sent }, wanted) =>
      sent.map(({ url }) => new URL(url).search.slice(1)).includes(String(wanted))
        ? []
        : [`sent: ${inspect(sent.map(({ url }) => url))}`],
  ],
  [
    'parts',
    ({ sent, made }, wanted) => {
      const types = sent.map(({ request }) => request.headers.get('content-type') ?? '');
      return types.every((type) => type.startsWith('multipart/form-data; boundary=')) && sent.length === 1
        ? []
        : [`not ${String(wanted)} parts: ${inspect(types)} ${inspect(made.map(({ error }) => error))}`];
    },
  ],
]);
