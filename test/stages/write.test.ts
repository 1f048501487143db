import { expect, test } from 'vitest';
import { type MemoryHost, memoryHost } from '../../src/memory-host.js';
import { type OutputFile, outputPath } from '../../src/output.js';
import { contentHash, formatManifest } from '../../src/write/manifest.js';
import { type WriteMode, type WriteReport, write } from '../../src/write/write.js';

const out = '/project/out';

function files(texts: Record<string, string>): readonly OutputFile[] {
  return Object.entries(texts).map(([path, text]) => ({ path: outputPath(path), text, ownership: 'generated' }));
}

function run(host: MemoryHost, texts: Record<string, string>, mode: WriteMode = 'write', outputFolder = out) {
  return write({ outputFolder, files: files(texts), manifest: { generator: '0.1.0' } }, host, mode);
}

async function report(...parameters: Parameters<typeof run>): Promise<WriteReport> {
  const result = await run(...parameters);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.value;
}

async function refusal(...parameters: Parameters<typeof run>): Promise<readonly string[]> {
  const [host] = parameters;
  const before = new Map(host.files);
  const result = await run(...parameters);
  expect(result.ok).toBe(false);
  expect(host.files).toEqual(before);
  expect([...host.written, ...host.removed]).toEqual([]);
  return result.diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

/** A manifest as a user, or somebody with other plans, could write it. */
function manifest(paths: readonly string[]): string {
  return JSON.stringify({
    generator: '0.1.0',
    files: Object.fromEntries(paths.map((path) => [path, contentHash('')])),
  });
}

test('a first run writes the files and a stable manifest', async () => {
  const host = memoryHost({});
  expect(await report(host, { 'types.ts': 'T', 'runtime/http.ts': 'H' })).toMatchObject({
    written: ['runtime/http.ts', 'types.ts'],
    unchanged: [],
    removed: [],
  });
  expect(host.text('out/runtime/http.ts')).toBe('H');
  expect(host.text('out/oasmith.json')).toBe(
    `{\n  "generator": "0.1.0",\n  "files": {\n    "runtime/http.ts": "${contentHash('H')}",\n    "types.ts": "${contentHash('T')}"\n  }\n}\n`,
  );
});

test('the same files again write nothing', async () => {
  const host = memoryHost({});
  await report(host, { 'types.ts': 'T' });
  const written = host.written.length;
  expect(await report(host, { 'types.ts': 'T' })).toMatchObject({ written: [], unchanged: ['types.ts'] });
  expect(host.written.length).toBe(written);
});

test('only changed files are written, stale ones go with their empty folders, foreign ones stay', async () => {
  const host = memoryHost({});
  await report(host, { 'a.ts': '1', 'b.ts': '1', 'old/deep/c.ts': '1', 'kept/d.ts': '1' });
  host.put('out/kept/mine.ts', 'mine');
  const from = host.written.length;
  expect(await report(host, { 'a.ts': '1', 'b.ts': '2' })).toMatchObject({
    written: ['b.ts'],
    unchanged: ['a.ts'],
    removed: ['kept/d.ts', 'old/deep/c.ts'],
  });
  expect(new Set(host.written.slice(from))).toEqual(new Set([`${out}/oasmith.json`, `${out}/b.ts`]));
  expect(host.directoryExists('out/old')).toBe(false);
  expect(host.text('out/kept/mine.ts')).toBe('mine');
  expect(JSON.parse(host.text('out/oasmith.json')).files).toEqual({
    'a.ts': contentHash('1'),
    'b.ts': contentHash('2'),
  });
});

test('an edited generated file is replaced and reported', async () => {
  const host = memoryHost({});
  await report(host, { 'a.ts': '1', 'b.ts': '1' });
  host.put('out/a.ts', 'edited');
  expect(await report(host, { 'a.ts': '1', 'b.ts': '1' })).toMatchObject({ written: ['a.ts'], edited: ['a.ts'] });
  expect(host.text('out/a.ts')).toBe('1');
});

test('a file whose removal was forgotten in the manifest of an interrupted run is still known', async () => {
  const host = memoryHost({});
  await report(host, { 'a.ts': '1', 'b.ts': '1' });
  // What a crash after the first write of the manifest leaves behind.
  const both = new Map(files({ 'a.ts': '', 'b.ts': '', 'c.ts': '' }).map(({ path }) => [path, contentHash('1')]));
  host.put('out/oasmith.json', formatManifest({ generator: '0.1.0', files: both, editable: new Set() }));
  expect(await report(host, { 'c.ts': '1' })).toMatchObject({ written: ['c.ts'], removed: ['a.ts', 'b.ts'] });
});

async function editable(
  host: MemoryHost,
  texts: Record<string, string>,
  mode: WriteMode = 'write',
  generated: Record<string, string> = { 'a.ts': '1' },
): Promise<WriteReport> {
  const given = files(texts).map((file) => ({ ...file, ownership: 'editable' as const }));
  const request = { outputFolder: out, files: [...files(generated), ...given], manifest: { generator: '0.1.0' } };
  const result = await write(request, host, mode);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('\n'));
  return result.value;
}

test('an editable file is generated until it is edited, and is the user’s from then on', async () => {
  const host = memoryHost({});
  expect(await editable(host, { 'package.json': '1' })).toMatchObject({ written: ['a.ts', 'package.json'], kept: [] });
  expect(JSON.parse(host.text('out/oasmith.json')).editable).toEqual(['package.json']);
  expect(await editable(host, { 'package.json': '2' })).toMatchObject({ written: ['package.json'], kept: [] });
  host.put('out/package.json', 'mine');
  expect(await editable(host, { 'package.json': '2' }, 'check')).toMatchObject({
    written: [],
    kept: [],
    differences: [],
  });
  expect(await editable(host, { 'package.json': '2' })).toMatchObject({ written: [], edited: [], kept: [] });
  // That it would be another one by now is said once.
  expect(await editable(host, { 'package.json': '3' })).toMatchObject({ written: [], kept: ['package.json'] });
  expect(await editable(host, { 'package.json': '3' })).toMatchObject({ written: [], kept: [] });
  expect(host.text('out/package.json')).toBe('mine');
  // Whoever wants it as it would be deletes it, or makes it so.
  host.put('out/package.json', '3');
  expect(await editable(host, { 'package.json': '4' })).toMatchObject({ written: ['package.json'] });
  host.put('out/package.json', 'mine');
  await host.removeFile(`${out}/package.json`);
  expect(await editable(host, { 'package.json': '4' })).toMatchObject({ written: ['package.json'] });
});

test('an editable file that is wanted no more goes, unless it was edited', async () => {
  const host = memoryHost({});
  await editable(host, { 'README.md': '1', 'package.json': '1' });
  host.put('out/package.json', 'mine');
  expect(await editable(host, {})).toMatchObject({ removed: ['README.md'] });
  expect(host.text('out/package.json')).toBe('mine');
  expect(JSON.parse(host.text('out/oasmith.json'))).toEqual({
    generator: '0.1.0',
    files: { 'a.ts': contentHash('1') },
  });
  // It is nobody else's: asked for again, it stays as it is.
  expect(await editable(host, { 'package.json': '1' })).toMatchObject({ written: [], kept: [] });
  expect(host.text('out/package.json')).toBe('mine');
});

test('an interrupted run makes no editable file look edited', async () => {
  for (const place of ['out/package.json', 'out/oasmith.json']) {
    const host = memoryHost({});
    await editable(host, { 'package.json': '1' });
    const { writeText } = host;
    host.writeText = async (path, text) => {
      const isHalfWay = place === 'out/package.json' || host.text('out/package.json') === '2';
      if (path === `/project/${place}` && isHalfWay) throw new Error('power cut');
      return writeText.call(host, path, text);
    };
    await expect(editable(host, { 'package.json': '2' })).rejects.toThrow('power cut');
    host.writeText = writeText;
    await editable(host, { 'package.json': '2' });
    expect(host.text('out/package.json')).toBe('2');
    expect(await editable(host, { 'package.json': '3' })).toMatchObject({ written: ['package.json'] });
  }
});

test('check compares and writes nothing', async () => {
  const host = memoryHost({});
  await report(host, { 'a.ts': 'one\ntwo\n', 'old.ts': 'x\n' });
  const written = host.written.length;
  const checked = await report(host, { 'a.ts': 'one\n2\n', 'new.ts': 'y\n' }, 'check');
  expect(checked).toMatchObject({ written: ['a.ts', 'new.ts'], removed: ['old.ts'] });
  expect(checked.differences.map(({ diff }) => diff)).toEqual([
    '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    '--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,1 @@\n+y\n',
    '--- a/old.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n',
  ]);
  expect(host.written.length).toBe(written);
  expect(host.removed).toEqual([]);
  expect((await report(host, { 'a.ts': 'one\ntwo\n', 'old.ts': 'x\n' }, 'check')).differences).toEqual([]);
});

test('a folder that holds files of somebody else is refused', async () => {
  expect(await refusal(memoryHost({ 'out/app.ts': 'mine', 'out/b.ts': '' }), { 'types.ts': 'T' })).toEqual([
    'output-foreign: the output folder holds "app.ts" and 1 more, but no "oasmith.json"',
  ]);
  expect(await report(memoryHost({}, { directories: [out] }), { 'types.ts': 'T' })).toMatchObject({
    written: ['types.ts'],
  });
});

test('every foreign thing in the way is named', async () => {
  const host = memoryHost({
    'out/oasmith.json': manifest([]),
    'out/a.ts': 'mine',
    'out/runtime': '',
    'out/b.ts/x': '',
  });
  expect(await refusal(host, { 'a.ts': 'A', 'b.ts': 'B', 'runtime/c.ts': 'C' })).toEqual([
    'output-foreign: "a.ts" is in the way and was not written by oasmith',
    'output-foreign: "b.ts" in the output folder is not a file',
    'output-foreign: "runtime" in the output folder is not a folder',
  ]);
});

test('links are never followed', async () => {
  const inside = memoryHost(
    { 'out/oasmith.json': manifest([]), 'outside/keep.txt': 'k' },
    { links: { 'out/client': '../outside' } },
  );
  expect(await refusal(inside, { 'client/a.ts': 'A' })).toEqual([
    'output-unsafe: "client" in the output folder is a link',
  ]);
  const itself = memoryHost({ 'outside/keep.txt': 'k' }, { links: { out: 'outside' } });
  expect(await refusal(itself, { 'a.ts': 'A' })).toEqual(['output-unsafe: "out" is a link']);
});

test('the project, a folder above it and a file are refused', async () => {
  for (const folder of ['/project', '/']) {
    expect((await refusal(memoryHost({ 'package.json': '{}' }), { 'a.ts': 'A' }, 'write', folder))[0]).toContain(
      'is the project itself or a folder above it',
    );
  }
  expect(await refusal(memoryHost({ out: 'a file' }), { 'a.ts': 'A' })).toEqual([
    'output-unsafe: "out" is not a folder',
  ]);
  const hidden = memoryHost({}, { cwd: '/project/app', links: { '/other': '/project' } });
  expect((await refusal(hidden, { 'a.ts': 'A' }, 'write', '/other/app'))[0]).toContain('output-unsafe');
});

test('a poisoned manifest is refused before anything is removed', async () => {
  for (const path of ['../src/app.ts', '/etc/hosts', 'a/../../b', 'C:\\x', '', './a.ts', '.git/config']) {
    const host = memoryHost({ 'out/oasmith.json': manifest(['ok.ts', path]), 'out/ok.ts': '', 'src/app.ts': 'mine' });
    expect((await refusal(host, {}))[0]).toContain('manifest-invalid');
  }
  const linked = memoryHost(
    { 'out/oasmith.json': manifest(['link/x.ts']), 'elsewhere/x.ts': 'mine' },
    { links: { 'out/link': '/project/elsewhere' } },
  );
  expect((await refusal(linked, {}))[0]).toContain('output-unsafe');
  for (const text of ['', '[]', '{"files":{"a.ts":"no hash"},"generator":"1"}', 'null']) {
    expect((await refusal(memoryHost({ 'out/oasmith.json': text }), {}))[0]).toContain('manifest-invalid');
  }
});

test('a fault of the disk is a diagnostic', async () => {
  const host = memoryHost({ blocked: 'a file' });
  const result = await run(host, { 'a.ts': 'A' }, 'write', '/project/blocked/out');
  expect(result.ok).toBe(false);
  expect(result.diagnostics.map(({ code }) => code)).toEqual(['write-failed']);
});

test('two files that differ by case only are a bug of plan', async () => {
  await expect(run(memoryHost({}), { 'a.ts': '', 'A.ts': '' })).rejects.toThrow('two output files have the name A.ts');
});
