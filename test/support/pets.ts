/** A small description that uses what the client can do. */
const problem = { type: 'object', properties: { title: { type: 'string' } } };
const json = (schema: object): object => ({ 'application/json': { schema } });
const answer = (description: string, content?: object, headers?: object): object => ({
  description,
  ...(content && { content }),
  ...(headers && { headers }),
});
const pet = { $ref: '#/components/schemas/Pet' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

export const pets = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  servers: [{ url: 'https://pets.example/v1' }],
  security: [{ token: [] }],
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      login: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'api key' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    },
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string' },
          kind: { type: 'string', enum: ['cat', 'dog'] },
        },
      },
      // Names that our own code uses, and names of the platform.
      Client: { type: 'object', properties: { name: { type: 'string' } } },
      Exclude: { type: 'string' },
      Response: problem,
    },
  },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'filter', in: 'query', schema: { type: 'object', additionalProperties: { type: 'string' } } },
          {
            name: 'kind',
            in: 'query',
            required: true,
            schema: { type: 'string', enum: ['cat', 'dog'], default: 'cat' },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'X-Ids', in: 'header', schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          { name: 'Host', in: 'header', schema: { type: 'string' } },
          { name: 'flavour', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: {
          '200': answer('All pets', json({ type: 'array', items: pet }), {
            'X-Total': { required: true, schema: { type: 'integer' } },
            'X-Ratio': { schema: { type: 'number' } },
            'X-More': { schema: { type: 'boolean' } },
            etag: { schema: { type: 'string' } },
          }),
          '404': answer('None', { 'application/problem+json': { schema: problem } }),
          '4XX': answer(
            'Your fault',
            json({ type: 'object', required: ['code'], properties: { code: { type: 'integer' } } }),
          ),
          default: answer(
            'Ours',
            json({ type: 'object', required: ['trace'], properties: { trace: { type: 'string' } } }),
          ),
        },
      },
      post: {
        operationId: 'addPet',
        requestBody: {
          required: true,
          content: { ...json(pet), 'text/plain': { schema: { type: 'string' } }, 'image/*': {} },
        },
        responses: { '201': answer('Added', json(pet)), '202': answer('Later') },
      },
    },
    '/pets/{id}': {
      parameters: [id],
      get: { operationId: 'getPet', responses: { '200': answer('One', json(pet)), '404': answer('None') } },
      put: {
        operationId: 'putPet',
        requestBody: { required: true, content: json(pet) },
        responses: { '200': answer('Put', json(pet)) },
      },
      delete: { operationId: 'deletePet', responses: { '204': answer('Gone', json({})) } },
      head: { operationId: 'headPet', responses: { '200': answer('There', json(pet)) } },
    },
    '/lists/{ids}/{name}.json': {
      parameters: [
        { name: 'ids', in: 'path', required: true, schema: { type: 'array', items: { type: 'string' } } },
        { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
      ],
      get: { operationId: 'getList', security: [], responses: { default: answer('Either', json(problem)) } },
    },
    '/any': {
      put: {
        operationId: 'putAny',
        requestBody: { content: { '*/*': {} } },
        responses: { '204': answer('Put') },
      },
      get: { operationId: 'send', security: [], responses: { '200': answer('Anything', { '*/*': {} }) } },
      post: {
        operationId: 'createClient',
        security: [{ login: [] }, { key: [], queryKey: [], session: [] }, {}],
        responses: { '2XX': answer('Done') },
      },
    },
    '/inherited': {
      get: {
        operationId: 'inherited',
        parameters: ['__proto__', 'constructor', 'toString'].map((name) => ({
          name,
          in: 'query',
          schema: { type: 'string' },
        })),
        responses: { '204': answer('Nothing') },
      },
    },
    '/file': {
      get: { operationId: 'getFile', security: [], responses: { '200': answer('File', { 'application/pdf': {} }) } },
    },
    "/odd ä'/%41|/..x": { get: { operationId: 'odd', security: [], responses: { '204': answer('Odd') } } },
    '/events': {
      get: {
        operationId: 'events',
        security: [],
        responses: { '200': answer('Pets', { 'text/event-stream': { schema: pet } }) },
      },
    },
  },
};
