/** The licences of the packages whose code is in the bundle: their texts have to go where the code goes. */
import { resolve } from 'node:path';
import type { Host } from './host.js';

const maxBytes = 1024 * 1024;

/**
 * The text for all packages that files of the bundle come from; `inputs` are paths from the working directory of the host.
 * Throws where a package has no text of its licence: then it cannot be bundled.
 */
export async function thirdPartyLicences(inputs: readonly string[], host: Host): Promise<string> {
  const folders = new Set(inputs.map((path) => packageFolder(resolve(host.cwd, path))).filter((path) => path !== ''));
  const texts = await Promise.all([...folders].map((path) => licence(path, host)));
  const rule = '-'.repeat(80);
  return [
    'The JavaScript files of this folder hold code of the packages below, under these licences.\n',
    ...[...new Set(texts)].sort(),
  ].join(`\n${rule}\n\n`);
}

/** `…/node_modules/@scope/name` of a file therein; empty where the file is of no package. */
function packageFolder(path: string): string {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? '';
}

async function licence(folder: string, host: Host): Promise<string> {
  const files = (await host.list(folder)).filter((name) => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(name));
  const { name, version, license } = JSON.parse(await text(resolve(folder, 'package.json'), host)) as {
    readonly [member: string]: unknown;
  };
  if (files.length === 0) throw new Error(`the package ${name} has no text of its licence`);
  const texts = await Promise.all(files.map((file) => text(resolve(folder, file), host)));
  return `${name} ${version} (${license})\n\n${texts.map((one) => `${one.trim()}\n`).join('\n')}`;
}

async function text(path: string, host: Host): Promise<string> {
  return new TextDecoder().decode(await host.readBytes(path, maxBytes)).replaceAll('\r\n', '\n');
}
