import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Host, HostError } from '../../src/host.js';
import { memoryHost } from '../../src/memory-host.js';
import { nodeHost, packageAssets } from '../../src/node-host.js';

async function reason(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  return error instanceof HostError ? error.reason : `no HostError but ${String(error)}`;
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The same small disk on the machine and in memory. */
const kinds: Record<string, () => Promise<{ host: Host; root: string; done: () => Promise<void> }>> = {
  node: async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'oasmith-host-')));
    await mkdir(join(root, 'dir/sub'), { recursive: true });
    await writeFile(join(root, 'dir/a.txt'), 'héllo');
    await symlink('dir', join(root, 'link'));
    await symlink('nowhere', join(root, 'broken'));
    return { host: nodeHost(root), root, done: () => rm(root, { recursive: true }) };
  },
  memory: async () => {
    const host = memoryHost(
      { 'dir/a.txt': 'héllo' },
      { links: { link: 'dir', broken: 'nowhere' }, directories: ['dir/sub'] },
    );
    return { host, root: host.cwd, done: async () => undefined };
  },
};

describe.each(Object.keys(kinds))('the host: %s', (kind) => {
  let host: Host;
  let root: string;
  let done: () => Promise<void>;

  beforeEach(async () => {
    const made = await kinds[kind]?.();
    if (made === undefined) throw new Error('no such host');
    ({ host, root, done } = made);
  });
  afterEach(() => done());

  test('tells what is there without following the last link', async () => {
    const found = await Promise.all(
      ['dir', 'dir/a.txt', 'link', 'broken', 'none', 'dir/a.txt/x', 'link/a.txt'].map((path) =>
        host.kindOf(join(root, path)),
      ),
    );
    expect(found).toEqual(['directory', 'file', 'link', 'link', 'missing', 'missing', 'file']);
  });

  test('resolves links', async () => {
    expect(await host.realPath(join(root, 'link/a.txt'))).toBe(join(root, 'dir/a.txt'));
    expect(await reason(host.realPath(join(root, 'broken')))).toBe('missing');
  });

  test('reads regular files up to a limit', async () => {
    expect(text(await host.readBytes(join(root, 'link/a.txt'), 6))).toBe('héllo');
    expect(await reason(host.readBytes(join(root, 'dir/a.txt'), 5))).toBe('too-large');
    expect(await reason(host.readBytes(join(root, 'dir'), 100))).toBe('not-a-file');
    expect(await reason(host.readBytes(join(root, 'none'), 100))).toBe('missing');
  });

  test('lists names in order', async () => {
    expect(await host.list(root)).toEqual(['broken', 'dir', 'link']);
    expect(await host.list(join(root, 'dir'))).toEqual(['a.txt', 'sub']);
    expect(await reason(host.list(join(root, 'none')))).toBe('missing');
  });

  test('writes whole files, makes folders, leaves no temporary file, replaces a link rather than following it', async () => {
    await host.writeText(join(root, 'new/deep/b.txt'), 'one');
    await host.writeText(join(root, 'new/deep/b.txt'), 'two');
    expect(text(await host.readBytes(join(root, 'new/deep/b.txt'), 10))).toBe('two');
    expect(await host.list(join(root, 'new/deep'))).toEqual(['b.txt']);
    await host.writeText(join(root, 'link'), 'now a file');
    expect(await host.kindOf(join(root, 'link'))).toBe('file');
    expect(await host.list(join(root, 'dir'))).toEqual(['a.txt', 'sub']);
    expect(await reason(host.writeText(join(root, 'dir'), 'x'))).not.toContain('no HostError');
  });

  test('removes files and empty folders only', async () => {
    await host.removeEmptyDirectory(join(root, 'dir'));
    expect(await host.kindOf(join(root, 'dir/a.txt'))).toBe('file');
    await host.removeFile(join(root, 'dir/a.txt'));
    await host.removeEmptyDirectory(join(root, 'dir/sub'));
    await host.removeEmptyDirectory(join(root, 'dir'));
    await host.removeEmptyDirectory(join(root, 'dir'));
    expect(await host.kindOf(join(root, 'dir'))).toBe('missing');
    expect(await reason(host.removeFile(join(root, 'none')))).toBe('missing');
  });
});

describe('the machine', () => {
  test('special files are refused at once', async () => {
    const root = await mkdtemp(join(tmpdir(), 'oasmith-host-'));
    const pipe = join(root, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await symlink('/dev/zero', join(root, 'zero'));
    const host = nodeHost(root);
    expect(await host.kindOf(pipe)).toBe('other');
    expect(await reason(host.readBytes(pipe, 100))).toBe('not-a-file');
    expect(await reason(host.readBytes(join(root, 'zero'), 100))).toBe('not-a-file');
    await rm(root, { recursive: true });
  });

  test('messages are plain', async () => {
    const error = await nodeHost('/')
      .readBytes('/none/such', 1)
      .catch((fault: unknown) => fault);
    expect(error).toMatchObject({ message: 'no such file', reason: 'missing' });
  });

  test('templates and runtime come with the package', async () => {
    const assets = await packageAssets();
    expect(assets.get('src/runtime/validation.ts')).toContain('export');
    expect([...assets.keys()].every((path) => /^(?:templates|src\/runtime)\/[\w/.-]+$/.test(path))).toBe(true);
    expect(await readdir('src/runtime')).toContain('validation.ts');
  });
});

describe('fetch', () => {
  let server: Server;
  let answer: RequestListener;
  let base: string;

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((settle) => server.close(settle));
  });

  const options = { headers: { accept: 'a/b' }, maxBytes: 1000, timeoutMs: 5000 };

  test('gives status, body and the place of a redirect, which it does not follow', async () => {
    const seen: string[] = [];
    answer = (request, response) => {
      seen.push(`${request.url} ${request.headers.accept}`);
      if (request.url === '/r') response.writeHead(302, { location: '/x' }).end('ignored');
      else response.writeHead(404).end('body');
    };
    const host = nodeHost('/');
    expect(await host.fetch(`${base}/r`, options)).toEqual({ status: 302, location: '/x', body: new Uint8Array() });
    const missing = await host.fetch(`${base}/n`, options);
    expect([missing.status, text(missing.body)]).toEqual([404, 'body']);
    expect(seen).toEqual(['/r a/b', '/n a/b']);
  });

  test('a body that is too large or too slow ends with an error', async () => {
    answer = (_request, response) => void response.end('x'.repeat(1001));
    expect(await reason(nodeHost('/').fetch(base, options))).toBe('too-large');
    answer = (_request, response) => {
      response.write('x');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    const started = performance.now();
    expect(await reason(nodeHost('/').fetch(base, { ...options, timeoutMs: 200 }))).toBe('network');
    expect(performance.now() - started).toBeLessThan(3000);
    expect(await reason(nodeHost('/').fetch('http://127.0.0.1:1/', options))).toBe('network');
  });
});
