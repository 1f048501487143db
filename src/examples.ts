/**
 * Examples for `oasmith explain`: a text that causes the diagnostic, and one that does not. They are parts of an OpenAPI 3.1
 * description, without its `openapi` and `info`. A test runs each of them.
 */
import type { DiagnosticCode } from './catalogue.js';

export interface Example {
  readonly wrong: string;
  readonly right: string;
}

/** The first lines of every description that an example is a part of. */
export const exampleHead = 'openapi: 3.1.0\ninfo: {title: Example, version: "1"}\n';

function operation(path: string, lines: string, responses = '{"200": {description: found}}'): string {
  const members = lines === '' ? '' : `${lines.replaceAll(/^/gm, '      ')}\n`;
  return `paths:\n  ${path}:\n    get:\n${members}      responses: ${responses}\n`;
}

function schema(text: string): string {
  return `components:\n  schemas:\n    Pet: ${text}\n`;
}

function schemas(lines: string): string {
  return `components:\n  schemas:\n${lines.replaceAll(/^/gm, '    ')}\n`;
}

const id = '{name: id, in: path, required: true, schema: {type: string}}';

export const examples: Readonly<Partial<Record<DiagnosticCode, Example>>> = {
  'duplicate-key': {
    wrong: 'components:\n  schemas:\n    Pet: {type: string}\n    Pet: {type: integer}\n',
    right: 'components:\n  schemas:\n    Pet: {type: string}\n    PetId: {type: integer}\n',
  },
  'yaml-merge-key': {
    wrong: schemas('Animal: &animal {type: object}\nPet: {<<: *animal, title: Pet}'),
    right: schemas('Animal: {type: object}\nPet: {title: Pet, allOf: [{$ref: "#/components/schemas/Animal"}]}'),
  },
  'ref-invalid': {
    wrong: schema('{$ref: 5}'),
    right: schemas('Pet: {$ref: "#/components/schemas/Animal"}\nAnimal: {type: object}'),
  },
  'ref-not-found': {
    wrong: schemas('Pet: {$ref: "#/components/schemas/Animals"}\nAnimal: {type: object}'),
    right: schemas('Pet: {$ref: "#/components/schemas/Animal"}\nAnimal: {type: object}'),
  },
  'ref-circular': {
    wrong: schema('{allOf: [{$ref: "#/components/schemas/Pet"}]}'),
    right: schema('{type: object, properties: {parent: {$ref: "#/components/schemas/Pet"}}}'),
  },
  'keyword-legacy': {
    wrong: schema('{type: number, minimum: 0, exclusiveMinimum: true}'),
    right: schema('{type: number, exclusiveMinimum: 0}'),
  },
  'type-mismatch': {
    wrong: schema('{type: string, maxLength: "5"}'),
    right: schema('{type: string, maxLength: 5}'),
  },
  'annotation-invalid': {
    wrong: schema('{type: string, description: {$ref: "texts.yaml#/name"}}'),
    right: schema('{type: string, description: The name that people read}'),
  },
  'keyword-missing': {
    wrong: operation('/pets', 'parameters:\n  - {name: limit, schema: {type: integer}}'),
    right: operation('/pets', 'parameters:\n  - {name: limit, in: query, schema: {type: integer}}'),
  },
  'pattern-invalid': {
    wrong: schema("{type: string, pattern: '^[a-z'}"),
    right: schema("{type: string, pattern: '^[a-z]'}"),
  },
  'pattern-legacy': {
    wrong: schema("{type: string, pattern: 'a\\-b'}"),
    right: schema("{type: string, pattern: 'a-b'}"),
  },
  'path-parameter-unbound': {
    wrong: operation('/pets/{id}', ''),
    right: operation('/pets/{id}', `parameters:\n  - ${id}`),
  },
  'path-parameter-unused': {
    wrong: operation('/pets', `parameters:\n  - ${id}`),
    right: operation('/pets/{id}', `parameters:\n  - ${id}`),
  },
  'path-invalid': {
    wrong: operation('pets', ''),
    right: operation('/pets', ''),
  },
  'path-extra': {
    wrong: operation('/pets?sold=true', ''),
    right: operation('/pets', 'parameters:\n  - {name: sold, in: query, schema: {type: boolean}}'),
  },
  'parameter-duplicate': {
    wrong: operation(
      '/pets',
      'parameters:\n  - {name: sort, in: query, schema: {type: string}}\n  - {name: sort, in: query, schema: {type: integer}}',
    ),
    right: operation(
      '/pets',
      'parameters:\n  - {name: sort, in: query, schema: {type: string}}\n  - {name: order, in: query, schema: {type: integer}}',
    ),
  },
  'header-name-invalid': {
    wrong: operation('/pets', 'parameters:\n  - {name: trace id, in: header, schema: {type: string}}'),
    right: operation('/pets', 'parameters:\n  - {name: trace-id, in: header, schema: {type: string}}'),
  },
  'status-invalid': {
    wrong: operation('/pets', '', '{"20X": {description: found}}'),
    right: operation('/pets', '', '{"2XX": {description: found}}'),
  },
  'media-type-invalid': {
    wrong: operation('/pets', '', '{"200": {description: found, content: {json: {}}}}'),
    right: operation('/pets', '', '{"200": {description: found, content: {application/json: {}}}}'),
  },
  'security-scheme-unknown': {
    wrong: operation('/pets', 'security: [{Token: []}]'),
    right: `${operation('/pets', 'security: [{Token: []}]')}components:\n  securitySchemes:\n    Token: {type: http, scheme: bearer}\n`,
  },
  'operation-id-duplicate': {
    wrong: `${operation('/pets', 'operationId: list')}${operation('/dogs', 'operationId: list').replace('paths:\n', '')}`,
    right: `${operation('/pets', 'operationId: listPets')}${operation('/dogs', 'operationId: listDogs').replace('paths:\n', '')}`,
  },
};
