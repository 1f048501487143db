/** What 100 schemas weigh in a bundle, minified and compressed. */
import { gzipSync } from 'node:zlib';
import { ajvStandalone, asDescription, bundled, ours, separately, writeFiles } from './candidates.js';
import type { Collection } from './payloads.js';
import type { Report } from './report.js';

export async function benchSize(collection: Collection, folder: string, report: Report): Promise<void> {
  report.title(
    `code of ${Object.keys(collection.schemas).length} schemas of OpenAI's document, minified and compressed`,
  );
  const own = `${folder}/size`;
  writeFiles(own, await ours('openai', asDescription(collection)));
  const names = Object.keys(collection.schemas);
  const forms = (...prefixes: readonly string[]): string =>
    `export { ${names.flatMap((name) => prefixes.map((prefix) => `${prefix}${name}`)).join(', ')} } from './validators.ts';`;
  const size = async (entry: string): Promise<{ readonly packed: number; readonly code: number }> => {
    const code = await bundled(own, entry, { minify: true });
    return { packed: gzipSync(code, { level: 9 }).length / 1024, code: code.length / 1024 };
  };
  const boolean = await size(forms('is'));
  const issues = await size(forms('is', 'validate'));
  const ajv = await size(ajvStandalone(separately(collection), {}));
  const schemas = gzipSync(JSON.stringify(collection.schemas), { level: 9 }).length / 1024;
  report.row('the schemas themselves, compressed', `${schemas.toFixed(2)} KB`);
  report.row('ajv', `${ajv.packed.toFixed(2)} KB (${ajv.code.toFixed(0)} KB minified)`);
  report.row('ours, minified alone', `${boolean.code.toFixed(0)} KB, with issues ${issues.code.toFixed(0)} KB`);
  report.atMost('ours, yes or no', boolean.packed, 10, ' KB');
  report.atMost('ours, with issues', issues.packed, 16, ' KB');
}
