import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Where set, the results are also written to this file, for the closing line of .ci/run.
const report = process.env['OASMITH_TEST_REPORT'];

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // The command line as it is published; built once, where it is stale.
    globalSetup: 'test/support/build.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
