/**
 * Plan → files. Prints every planned file through its template and lays it out once; runtime files are copied, with the
 * import specifiers that plan supplies. Decides nothing.
 */
import { ok, type Result } from '../diagnostics.js';
import type { OutputFile } from '../output.js';
import type { Plan } from '../plan/plan.js';
import { layout } from './layout.js';
import type { Templates } from './templates.js';

export interface RenderInput {
  readonly templates: Templates;
  /** The texts of `src/runtime/`, by file name. */
  readonly runtime: ReadonlyMap<string, string>;
}

export function render(plan: Plan, { templates, runtime }: RenderInput): Result<readonly OutputFile[]> {
  const files = plan.files.map((file): OutputFile => {
    if (file.kind === 'template') {
      return { path: file.path, text: layout(templates.print(file.template, file.view)), ownership: file.ownership };
    }
    const text = runtime.get(file.source);
    if (text === undefined) throw new Error(`there is no runtime file ${file.source}`);
    return {
      path: file.path,
      text: plan.runtimeHeader + withSpecifiers(text, plan.importExtension),
      ownership: 'generated',
    };
  });
  return ok(files);
}

/** Our own runtime files import each other as `./name.js`; the output may need another ending. */
function withSpecifiers(text: string, extension: string): string {
  return extension === '.js'
    ? text
    : text.replace(/^((?:import|export) .* from '\.\/[a-z-]+|\} from '\.\/[a-z-]+)\.js';$/gm, `$1${extension}';`);
}
