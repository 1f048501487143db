/** The file `codecs.ts`: the way between what programs hold and what travels, for every schema with a name that holds dates. */
import type { Code, Identifier } from '../encode.js';
import { outputPath } from '../output.js';
import { CodecText } from './codec-text.js';
import { importTypes } from './imports.js';
import { RuntimeImports } from './runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile } from './target.js';

export interface CodecsView {
  readonly imports: readonly ImportView[];
  readonly codecs: readonly CodecView[];
  readonly functions: readonly CodecFunctionView[];
}

export interface CodecView {
  readonly name: Identifier;
  readonly codec: Code;
}

export interface CodecFunctionView {
  readonly codec: Identifier;
  readonly decode: Identifier;
  readonly encode: Identifier;
  readonly type: Identifier;
  readonly wire: Identifier;
}

/** Nothing where no schema holds dates, which is so for all of them unless `--dates Date` is said. */
export function codecFiles({ api, names, options }: PlanContext): readonly PlannedFile[] {
  if (names.codecs.length === 0) return [];
  const runtime = new RuntimeImports();
  const text = new CodecText(api, names, () => runtime.use('codec'));
  runtime.use('Codec');
  const schemas = new Map(names.codecs.map(({ schema, codec }) => [schema, codec]));
  const view: CodecsView = {
    codecs: [...schemas].map(([schema, name]) => ({ name, codec: text.declarationOf(schema) })),
    functions: names.codecs.map(({ codec, decode, encode, type, wire }) => ({ codec, decode, encode, type, wire })),
    imports: [
      ...importTypes(new Set(names.codecs.flatMap(({ type, wire }) => [type, wire])), './types', options),
      ...runtime.imports(options),
    ],
  };
  return [
    { kind: 'template', path: outputPath('codecs.ts'), template: 'types/codecs', view, ownership: 'generated' },
    ...['codec.ts', 'validation.ts'].map(
      (source): PlannedFile => ({ kind: 'runtime', path: outputPath(`runtime/${source}`), source }),
    ),
  ];
}
