/** The generated client on platforms that are here; `npm run browsers` asks more of them. */
import { describe, expect, test } from 'vitest';
import { chromium, runByCommand, runInChromium } from './platforms.js';
import { expected } from './service.js';

const browser = chromium();

describe('the generated client', () => {
  test('runs in Node', async () => {
    expect(await runByCommand(process.execPath, [])).toEqual(expected);
  });

  test.skipIf(browser === undefined)(
    browser === undefined ? 'runs in Chromium (skipped: it is not there)' : 'runs in Chromium, bundled and as modules',
    async () => {
      expect(await runInChromium(browser ?? '')).toEqual({ bundled: expected, modules: expected });
    },
    180_000,
  );
});
