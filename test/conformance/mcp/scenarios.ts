/** What of the official suite is run, and what of it is known not to pass. */

export interface Scenario {
  readonly side: 'server' | 'client';
  readonly scenario: string;
  readonly version: '2025-11-25' | '2026-07-28';
}

const servers = [
  ...['server-stateless', 'http-header-validation', 'http-custom-header-server-validation', 'dns-rebinding-protection'],
  ...['server-sse-multiple-streams', 'caching', 'completion-complete', 'tools-list', 'tools-call-simple-text'],
  ...['tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
  ...['tools-call-error', 'tools-call-with-progress', 'resources-list', 'resources-read-text', 'resources-read-binary'],
  ...['resources-templates-read', 'sep-2164-resource-not-found', 'prompts-list', 'prompts-get-simple'],
  ...['prompts-get-with-args', 'prompts-get-embedded-resource', 'prompts-get-with-image'],
  'json-schema-2020-12',
  ...[
    ...['basic-elicitation', 'basic-sampling', 'basic-list-roots', 'request-state', 'multiple-input-requests'],
    ...['multi-round', 'missing-input-response', 'non-tool-request', 'result-type', 'unsupported-methods'],
    ...['tampered-state', 'capability-check', 'ignore-extra-params', 'validate-input'],
  ].map((name) => `input-required-result-${name}`),
];

/** The scenarios that have to pass. */
export const required: readonly Scenario[] = [
  ...servers.map((scenario) => ({ side: 'server', scenario, version: '2026-07-28' }) as const),
  { side: 'client', scenario: 'http-standard-headers', version: '2026-07-28' },
  { side: 'client', scenario: 'http-custom-headers', version: '2026-07-28' },
  { side: 'client', scenario: 'request-metadata', version: '2026-07-28' },
  { side: 'client', scenario: 'sse-retry', version: '2025-11-25' },
];

/** What is known not to pass, with the reason. One that passes all the same is a fault. */
export const unsupported: readonly (readonly [scenario: string, reason: string])[] = [];
