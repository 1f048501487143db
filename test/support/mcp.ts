/** A contract in the form of the Chattoo seed: JSON or events for one status, mirrored headers, failures without bodies. */
import type { Options } from '../../src/config.js';

const message = {
  type: 'object',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    result: { type: 'object', additionalProperties: true },
    error: { type: 'object', additionalProperties: true },
  },
};

export const mcp = {
  openapi: '3.0.3',
  info: { title: 'MCP', version: '1' },
  servers: [{ url: 'https://mcp.example' }],
  security: [{ ProjectToken: [] }],
  components: { securitySchemes: { ProjectToken: { type: 'http', scheme: 'bearer', bearerFormat: 'project key' } } },
  paths: {
    '/mcp': {
      post: {
        operationId: 'mcpRpc',
        parameters: [
          {
            in: 'header',
            name: 'MCP-Protocol-Version',
            required: true,
            schema: { type: 'string', default: '2026-07-28' },
          },
          { in: 'header', name: 'Mcp-Method', required: true, schema: { type: 'string', default: 'tools/list' } },
          { in: 'header', name: 'Mcp-Name', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['jsonrpc', 'id', 'method', 'params'],
                properties: {
                  jsonrpc: { type: 'string', enum: ['2.0'] },
                  id: { type: 'integer' },
                  method: { type: 'string' },
                  params: { type: 'object', additionalProperties: true },
                },
              },
            },
          },
        },
        responses: {
          '200': {
            description: 'JSON or events',
            content: { 'application/json': { schema: message }, 'text/event-stream': { schema: { type: 'string' } } },
          },
          '202': { description: 'Accepted' },
          '400': { description: 'Invalid' },
          '429': { description: 'Later' },
        },
      },
    },
  },
};

export const mcpOptions: Options = {
  headersFromBody: {
    mcpRpc: {
      'Mcp-Method': '$request.body#/method',
      'Mcp-Name': ['$request.body#/params/name', '$request.body#/params/uri'],
    },
  },
};
