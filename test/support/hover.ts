/** What an editor shows for a name, by TypeScript's language service. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The text for each exported constant of a file. */
export async function hoverTexts(folder: string, file: string, names: readonly string[]): Promise<readonly string[]> {
  const path = join(folder, file);
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [path],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  });
  const source = readFileSync(path, 'utf8');
  return names.map((name) => {
    const info = service.getQuickInfoAtPosition(path, source.indexOf(`const ${name}`) + 'const '.length);
    return (info?.displayParts ?? []).map(({ text }) => text).join('');
  });
}
