/** What a process pays that loads the validators of 200 schemas and asks each of them once. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ajvStandalone, asDescription, bundled, exported, ours, separately, writeFiles } from './candidates.js';
import type { Collection } from './payloads.js';
import type { Report } from './report.js';

const rounds = 9;

export async function benchCold(collection: Collection, folder: string, report: Report): Promise<void> {
  report.title(
    `${Object.keys(collection.schemas).length} schemas, loaded and asked once each, processor time above that of an empty process`,
  );
  const own = `${folder}/cold`;
  writeFiles(own, {
    ...(await ours('openai', asDescription(collection))),
    'samples.json': JSON.stringify(collection.samples),
  });
  const programs = {
    nothing: program('', () => '(() => true)', collection),
    ours: program("import * as all from './validators.ts';", (name) => `all.is${typeName(name)}`, collection),
    ajv: program("import * as all from './ajv.js';", (name) => `all.${exported(name)}`, collection),
  };
  writeFiles(own, { 'ajv.js': ajvStandalone(separately(collection), {}) });
  const files = new Map<string, string>();
  for (const [name, text] of Object.entries(programs)) {
    const file = join(own, `${name}.bundle.mjs`);
    writeFileSync(
      file,
      await bundled(own, text, {
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      }),
    );
    files.set(name, file);
  }
  const least = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, file] of files) {
      const time = Number(execFileSync(process.execPath, [file], { cwd: own, encoding: 'utf8' }));
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, time));
    }
  }
  const above = (name: string): number => (least.get(name) ?? 0) - (least.get('nothing') ?? 0);
  report.row('ajv', `${above('ajv').toFixed(1)} ms`);
  report.row('ours', `${above('ours').toFixed(1)} ms`);
  report.atMost('ours to ajv', above('ours') / above('ajv'), 0.3);
}

/** The component's name in PascalCase, as ours exports it. */
function typeName(name: string): string {
  return name.replace(/(?:^|\W+)(\w)/g, (_, first: string) => first.toUpperCase());
}

/** Prints the milliseconds of the processor. */
function program(imports: string, test: (name: string) => string, { schemas }: Collection): string {
  const asked = Object.keys(schemas).map((name) => `if (${test(name)}(samples[${JSON.stringify(name)}])) right += 1;`);
  return `${imports}
    import { readFileSync } from 'node:fs';
    const samples = JSON.parse(readFileSync('samples.json', 'utf8'));
    let right = 0;
    ${asked.join('\n')}
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1000);`;
}
