/** What `oasmith ir` prints fits the schema that is published, by validators that oasmith makes of it; else nothing is printed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IrChecks } from '../src/check-ir.js';
import { runIr } from '../src/commands.js';
import { memoryHost } from '../src/memory-host.js';
import { oasmith, runCommand } from './support/command-line.js';
import { repository } from './support/paths.js';

test('the built command holds its output against the schema', async () => {
  const fixture = join(repository, 'fixtures/documents/chattoo-mcp');
  const { exit, stdout } = await oasmith(fixture, ['ir', 'openapi.json']);
  expect(exit).toBe(0);
  const checks = join(repository, 'dist/cli-ir-checks.js');
  const { validateIr } = (await import(/* @vite-ignore */ checks)) as IrChecks;
  expect(validateIr(JSON.parse(stdout))).toMatchObject({ ok: true });
  expect(validateIr({ ...JSON.parse(stdout), operations: {} })).toMatchObject({
    ok: false,
    issues: [{ schemaPointer: 'ir.schema.json#/properties/operations/type', keyword: 'type' }],
  });
});

test('ir prints nothing that its schema does not allow', async () => {
  const host = memoryHost({ 'a.json': '{"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {}}' });
  const check = async (text: string) => {
    expect(JSON.parse(text)).toHaveProperty('oasmithIr');
    return [{ schemaPointer: 'ir.schema.json#/properties/tags/type', keyword: 'type' }];
  };
  const { exit, out } = await runCommand((given) => runIr(given, 'ir', check), host, { input: 'a.json' });
  expect([exit, out.stdout]).toEqual([70, '']);
  expect(out.stderr).toBe(
    'oasmith: this is a bug of oasmith, please report it: the IR does not fit its schema at ir.schema.json#/properties/tags/type (type)\n',
  );
});
