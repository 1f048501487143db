/** What is known of the shared corpus beforehand. Every line must be of use: one that is not fails the run. */
import type { CorpusTable } from './documents.js';

/** A document that is truly invalid, and the code of the diagnostic that refuses it. */
export interface Refusal {
  readonly code: string;
  /** What is wrong with the document. */
  readonly reason: string;
}

export interface Expectations extends CorpusTable {
  readonly refused: Readonly<Record<string, Refusal>>;
}

export const sharedCorpus: Expectations = {
  archives: { 'documents/digitalocean-multi-file.tar.gz': 'specification/DigitalOcean-public.v2.yaml' },
  refRoots: {
    'learn/v2.0/json/petstore-separate/spec/swagger.json': 'learn/v2.0/json/petstore-separate',
    'learn/v2.0/yaml/petstore-separate/spec/swagger.yaml': 'learn/v2.0/yaml/petstore-separate',
  },
  refused: {
    'oas-examples/3.0/json/parameters-common.json': {
      code: 'path-invalid',
      reason: 'the path "/anything/{id}/{action}/{id}" has a variable twice',
    },
    'oas-examples/3.0/json/response-http-behavior.json': {
      code: 'security-scheme-unknown',
      reason: 'operations require "api_key", and the document declares no scheme',
    },
  },
};
