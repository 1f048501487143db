/**
 * Plan → files. Prints every planned file through its template and lays it out once; runtime files are copied, with the
 * import specifiers that plan supplies. Decides nothing.
 */
import { Collector, type Result } from '../diagnostics.js';
import { json } from '../encode.js';
import { assertNever } from '../ir/visit.js';
import type { OutputFile } from '../output.js';
import type { Plan } from '../plan/plan.js';
import type { PlannedFile } from '../plan/target.js';
import { layout } from './layout.js';
import type { Templates } from './templates.js';

export interface RenderInput {
  readonly templates: Templates;
  /** The texts of `src/runtime/`, by file name. */
  readonly runtime: ReadonlyMap<string, string>;
}

/** Asynchronous, because a library that prints declarations is. */
export async function render(plan: Plan, input: RenderInput): Promise<Result<readonly OutputFile[]>> {
  const report = new Collector();
  const files: OutputFile[] = [];
  for (const file of plan.files) {
    const text = file.kind === 'declarations' ? await declarations(file, report) : textOf(file, plan, input);
    const ownership = file.kind === 'template' ? file.ownership : 'generated';
    if (text !== undefined) files.push({ path: file.path, text, ownership });
  }
  return report.finish(files);
}

type Declarations = Extract<PlannedFile, { readonly kind: 'declarations' }>;

function textOf(file: Exclude<PlannedFile, Declarations>, plan: Plan, { templates, runtime }: RenderInput): string {
  switch (file.kind) {
    case 'template':
      return layout(templates.print(file.template, file.view));
    case 'json':
      return `${json(file.value)}\n`;
    case 'runtime': {
      const text = runtime.get(file.source);
      if (text === undefined) throw new Error(`there is no runtime file ${file.source}`);
      return plan.runtimeHeader + withSpecifiers(text, plan.importExtension);
    }
    default:
      return assertNever(file);
  }
}

async function declarations(
  { name, schema, header, at }: Declarations,
  report: Collector,
): Promise<string | undefined> {
  const { printDeclarations } = await import('./declarations.js');
  const text = await printDeclarations(name, schema, header);
  if (text === undefined) {
    report.report('declarations-skipped', 'its references lead too far for json-schema-to-typescript', at);
  }
  return text;
}

/** Our own runtime files import each other as `./name.js`; the output may need another ending. */
function withSpecifiers(text: string, extension: string): string {
  return extension === '.js'
    ? text
    : text.replace(/^((?:import|export) .* from '\.\/[a-z-]+|\} from '\.\/[a-z-]+)\.js';$/gm, `$1${extension}';`);
}
