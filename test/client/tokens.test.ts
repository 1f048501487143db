/** OAuth2 tokens: how they are had, kept, renewed, and to whom they go. Over real connections, with a clock of the test. */
import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateFrom, runnable } from '../support/generated-client.js';
import { reply, type SeenRequest, serve } from '../support/http-server.js';

interface Result {
  readonly status: number | 'unexpected';
  readonly response: Response;
}

type Call = (client: unknown, input?: object, options?: object) => Promise<Result>;
type Make = (options?: object) => unknown;

interface Api {
  readonly createClient: Make;
  readonly clientCredentials: Make;
  readonly refreshTokens: Make;
  readonly boundTo: (origins: readonly string[], credential: unknown) => unknown;
  readonly discoverTokenUrl: (url: string, options?: object) => () => Promise<string>;
  readonly read: Call;
  readonly write: Call;
  readonly digest: Call;
}

const ok = { responses: { '204': { description: 'ok' } } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Guarded', version: '1' },
  components: {
    securitySchemes: {
      oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} } } },
      openid: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/.well-known/openid-configuration' },
      mutual: { type: 'mutualTLS' },
      digest: { type: 'http', scheme: 'Digest' },
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
  },
  paths: {
    '/read': {
      get: { operationId: 'read', security: [{ openid: [] }, { oauth: [], mutual: [] }, { key: [] }], ...ok },
    },
    '/write': {
      put: {
        operationId: 'write',
        security: [{ oauth: [] }],
        requestBody: { content: { 'application/json': {}, '*/*': {} } },
        ...ok,
      },
    },
    '/digest': { get: { operationId: 'digest', security: [{ mutual: [] }, { digest: [] }], ...ok } },
  },
};

let api: Api;

beforeAll(async () => {
  const result = await generateFrom(document);
  expect(result.diagnostics.filter(({ code }) => code.startsWith('not-yet'))).toEqual([]);
  api = await runnable<Api>(result);
});

/** An authorisation server whose tokens are `T1`, `T2`, …, and an API that takes what `accepts` says. */
async function guarded(accepts: (token: string, request: SeenRequest) => boolean = () => true, more: object = {}) {
  let tokens = 0;
  const identity = await serve((_, response) => {
    tokens += 1;
    reply(response, 200, { access_token: `T${tokens}`, token_type: 'Bearer', expires_in: 100, ...more });
  });
  const service = await serve((request, response) =>
    reply(response, accepts(request.headers.authorization?.slice(7) ?? '', request) ? 204 : 401),
  );
  let time = 1_000_000;
  const clock = { now: () => time, wait: async () => undefined };
  return {
    identity,
    service,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    options: { tokenUrl: `${identity.origin}/token`, clientId: 'me', clientSecret: 's:1 %', clock },
    sent: () => service.seen.map(({ headers }) => headers.authorization),
  };
}

describe('client credentials', () => {
  test('are asked for once, for all calls, and again before they end', async () => {
    const { identity, service, options, pass, sent } = await guarded();
    const oauth = api.clientCredentials({ ...options, scopes: ['a', 'b'], parameters: { audience: 'x' } });
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth } });
    await Promise.all([api.read(client), api.read(client), api.write(client)]);
    expect(sent()).toEqual(['Bearer T1', 'Bearer T1', 'Bearer T1']);
    expect(identity.seen).toHaveLength(1);
    const [{ body, headers } = { body: '', headers: {} }] = identity.seen;
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      audience: 'x',
    });
    expect(Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString()).toBe('me:s%3A1+%25');
    pass(69_999);
    await api.read(client);
    pass(1);
    await api.read(client);
    expect(sent().slice(3)).toEqual(['Bearer T1', 'Bearer T2']);
  });

  test('are sent in the form where asked for, and by public clients', async () => {
    const { identity, service, options } = await guarded();
    const client = (more: object) =>
      api.createClient({ baseUrl: service.origin, auth: { oauth: api.clientCredentials({ ...options, ...more }) } });
    await api.read(client({ clientAuthentication: 'form' }));
    await api.read(client({ clientSecret: undefined }));
    expect(identity.seen.map(({ body, headers }) => [headers.authorization, body])).toEqual([
      [undefined, 'grant_type=client_credentials&client_id=me&client_secret=s%3A1+%25'],
      [undefined, 'grant_type=client_credentials&client_id=me'],
    ]);
  });

  test('are renewed after a 401, and the call repeated once with its body', async () => {
    const { identity, service, options, sent } = await guarded((token) => token === 'T2');
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth: api.clientCredentials(options) } });
    const results = await Promise.all([api.write(client, { body: { n: 1 } }), api.write(client, { body: { n: 2 } })]);
    expect(results.map(({ status }) => status)).toEqual([204, 204]);
    expect(identity.seen).toHaveLength(2);
    expect(sent().filter((one) => one === 'Bearer T2')).toHaveLength(2);
    expect(service.seen.map(({ body }) => body).sort()).toEqual(['{"n":1}', '{"n":1}', '{"n":2}', '{"n":2}']);
  });

  test('a second 401 is the answer; a stream and a token of the caller are not sent again', async () => {
    const { identity, service, options } = await guarded(() => false);
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth: api.clientCredentials(options) } });
    expect((await api.read(client)).response.status).toBe(401);
    expect(service.seen).toHaveLength(2);
    await api.write(client, { body: new Blob(['x']).stream(), contentType: 'text/plain' });
    expect(service.seen).toHaveLength(3);
    await api.read(client, {}, { headers: { authorization: 'Bearer mine' } });
    expect([service.seen.length, identity.seen.length]).toEqual([4, 2]);
  });

  test('a token that is only due is used where no other is to be had', async () => {
    let status = 200;
    const identity = await serve((_, response) =>
      reply(response, status, { access_token: 'T', token_type: 'bearer', expires_in: 100 }),
    );
    const { service, options, pass } = await guarded();
    const oauth = api.clientCredentials({ ...options, tokenUrl: identity.origin });
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth } });
    await api.read(client);
    status = 500;
    pass(80_000);
    await api.read(client);
    expect(service.seen).toHaveLength(2);
    pass(20_000);
    await expect(api.read(client)).rejects.toMatchObject({ fault: 'auth' });
  });

  test('what goes wrong is a fault of kind auth that quotes nothing secret', async () => {
    const { service, options } = await guarded();
    const failing = async (status: number, body: unknown, headers = {}): Promise<unknown> => {
      const { origin } = await serve((_, response) => reply(response, status, body, headers));
      const oauth = api.clientCredentials({ ...options, tokenUrl: `${origin}/t` });
      return api.read(api.createClient({ baseUrl: service.origin, auth: { oauth } })).catch((error: unknown) => error);
    };
    const errors = await Promise.all([
      failing(401, { error: 'invalid_client', error_description: 's:1 %' }),
      failing(200, { access_token: 'SECRET', token_type: 'mac' }),
      failing(200, { access_token: 'SECRET\nX', token_type: 'bearer' }),
      failing(200, 'SECRET'),
      failing(302, {}, { location: 'http://127.0.0.1:1/' }),
    ]);
    expect(errors.map((error) => (error as Error).message)).toEqual([
      'the token endpoint answered with status 401 (invalid_client)',
      'the token endpoint gave a token that is no bearer token',
      'the token endpoint gave no token that a header can hold',
      'the token endpoint answered with status 200',
      'the token endpoint answered with status 302',
    ]);
    expect(inspect(errors, { depth: 9, showHidden: true })).not.toMatch(/SECRET|s:1 %/);
    expect(service.seen).toEqual([]);
    const oauth = api.clientCredentials({ ...options, tokenUrl: 'http://id.example/t' });
    const call = api.read(api.createClient({ baseUrl: service.origin, auth: { oauth } }));
    await expect(call).rejects.toMatchObject({
      fault: 'auth',
      message: 'the URL of the token endpoint is no https URL',
    });
  });

  test('a call waits for a token no longer than it may last; others go on', async () => {
    const { service, options } = await guarded();
    let answer = (): void => undefined;
    const identity = await serve((_, response) => {
      answer = () => reply(response, 200, { access_token: 'T', token_type: 'bearer' });
    });
    const oauth = api.clientCredentials({ ...options, tokenUrl: identity.origin });
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth } });
    const other = api.read(client);
    await expect(api.read(client, {}, { timeout: 80 })).rejects.toMatchObject({ fault: 'timeout' });
    await expect(api.read(client, {}, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ fault: 'abort' });
    answer();
    expect((await other).status).toBe(204);
    expect(identity.seen).toHaveLength(1);
  });
});

describe('refresh tokens', () => {
  test('are replaced by what the server gives, and the program is told', async () => {
    let turn = 0;
    const identity = await serve((_, response) => {
      turn += 1;
      reply(response, 200, {
        access_token: `T${turn}`,
        token_type: 'Bearer',
        expires_in: 100,
        ...(turn === 1 && { refresh_token: 'R2' }),
      });
    });
    const { service, options, pass } = await guarded();
    const told: unknown[] = [];
    const onTokens = (tokens: unknown) => void told.push(tokens);
    const openid = api.refreshTokens({ ...options, tokenUrl: identity.origin, refreshToken: 'R1', onTokens });
    const client = api.createClient({ baseUrl: service.origin, auth: { openid } });
    for (let call = 0; call < 3; call += 1) {
      await api.read(client);
      pass(100_000);
    }
    expect(identity.seen.map(({ body }) => new URLSearchParams(body).get('refresh_token'))).toEqual(['R1', 'R2', 'R2']);
    expect(told[0]).toEqual({ accessToken: 'T1', refreshToken: 'R2', expiresAt: 1_100_000 });
    expect(told[1]).toMatchObject({ accessToken: 'T2', refreshToken: undefined });
  });
});

describe('discovery', () => {
  const path = '/.well-known/openid-configuration';

  test('finds the token endpoint, once', async () => {
    const { service, options, identity } = await guarded();
    const provider = await serve((_, response) =>
      reply(response, 200, { issuer: provider.origin, token_endpoint: `${identity.origin}/token` }),
    );
    const tokenUrl = api.discoverTokenUrl(provider.origin + path, { origins: [identity.origin] });
    const openid = api.clientCredentials({ ...options, tokenUrl });
    const client = api.createClient({ baseUrl: service.origin, auth: { openid } });
    await api.read(client);
    await tokenUrl();
    expect([provider.seen.length, identity.seen.length]).toEqual([1, 1]);
  });

  test('refuses an endpoint of another origin, and another issuer', async () => {
    let issuer = '';
    const provider = await serve((_, response) =>
      reply(response, 200, { issuer, token_endpoint: 'https://evil.example/token' }),
    );
    const find = api.discoverTokenUrl(provider.origin + path);
    await expect(find()).rejects.toMatchObject({
      fault: 'auth',
      message: 'the configuration is that of another issuer',
    });
    issuer = provider.origin;
    await expect(find()).rejects.toMatchObject({
      message: 'the token endpoint is at https://evil.example; allow it by the option origins',
    });
    expect(provider.seen).toHaveLength(2);
  });
});

describe('which credentials', () => {
  test('the first alternative that is complete; mutual TLS is the connection', async () => {
    const { service, options } = await guarded();
    const client = (auth: object) => api.createClient({ baseUrl: service.origin, auth });
    await api.read(client({ key: 'K' }));
    await api.read(client({ key: 'K', oauth: api.clientCredentials(options) }));
    await api.read(client({ key: 'K', oauth: 'mine', openid: () => 'O' }));
    await api.digest(client({ digest: 'username="u"' }));
    expect(service.seen.map(({ headers }) => [headers['x-key'], headers.authorization])).toEqual([
      ['K', undefined],
      [undefined, 'Bearer T1'],
      [undefined, 'Bearer O'],
      [undefined, 'digest username="u"'],
    ]);
  });

  test('only for the origins that they are bound to', async () => {
    const { service, options, identity, sent } = await guarded((token) => token !== 'T1');
    const other = await serve((_, response) => reply(response, 204));
    const oauth = api.boundTo([service.origin], api.clientCredentials(options));
    const client = api.createClient({ baseUrl: service.origin, auth: { oauth, key: api.boundTo(['https://x'], 'K') } });
    await api.read(client);
    await api.read(client, {}, { server: other.origin });
    expect(sent()).toEqual(['Bearer T1', 'Bearer T2']);
    expect(other.seen.map(({ headers }) => [headers.authorization, headers['x-key']])).toEqual([
      [undefined, undefined],
    ]);
    expect(identity.seen).toHaveLength(2);
  });
});

test('a stream goes on with a new token where the old one has ended; a credential function is not asked again', async () => {
  const followed = {
    ...document,
    paths: {
      '/follow': {
        get: {
          operationId: 'follow',
          security: [{ oauth: [] }],
          responses: { '200': { description: 'ok', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
        },
      },
    },
  };
  interface Stream extends Result {
    readonly data: { collect(): Promise<readonly unknown[]> };
  }
  const made = await runnable<
    Api & { readonly reconnect: Make; readonly follow: (...given: unknown[]) => Promise<Stream> }
  >(await generateFrom(followed));
  let tokens = 0;
  const identity = await serve((_, response) => {
    tokens += 1;
    reply(response, 200, { access_token: `T${tokens}`, token_type: 'Bearer', expires_in: 100 });
  });
  const sent: (string | undefined)[] = [];
  const service = await serve(({ headers }, response) => {
    const token = headers.authorization?.slice(7);
    sent.push(token);
    const isUsed = sent.slice(0, -1).includes(token);
    if (isUsed) reply(response, 401);
    else if (sent.length > 5) reply(response, 204);
    else reply(response, 200, `data: ${token}\n\n`, { 'content-type': 'text/event-stream' });
  });
  const options = { reconnect: made.reconnect({ delay: 1 }) };
  const url = { tokenUrl: `${identity.origin}/token`, clientId: 'me', clientSecret: 'secret' };
  const follow = (oauth: unknown): Promise<Stream> =>
    made.follow(made.createClient({ baseUrl: service.origin, auth: { oauth } }), {}, options);
  expect(await (await follow(made.clientCredentials(url))).data.collect()).toHaveLength(3);
  expect(sent).toEqual(['T1', 'T1', 'T2', 'T2', 'T3', 'T3', 'T4']);
  sent.length = 0;
  let asked = 0;
  const stream = await follow(() => {
    asked += 1;
    return `own${asked}`;
  });
  await expect(stream.data.collect()).rejects.toMatchObject({ fault: 'reconnect' });
  expect([sent, asked]).toEqual([['own1', 'own1'], 1]);
});
