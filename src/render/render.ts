/**
 * Plan → files. Prints every planned file through its template and lays it out once; runtime files are copied, with the
 * import specifiers that plan supplies. Decides nothing.
 */
import { ok, type Result } from '../diagnostics.js';
import { json } from '../encode.js';
import { assertNever } from '../ir/visit.js';
import type { OutputFile } from '../output.js';
import type { Plan } from '../plan/plan.js';
import type { Declaration, PlannedFile } from '../plan/target.js';
import { layout } from './layout.js';
import type { Templates } from './templates.js';

export interface RenderInput {
  readonly templates: Templates;
  /** The texts of `src/runtime/`, by file name. */
  readonly runtime: ReadonlyMap<string, string>;
}

/** Asynchronous, because the library that prints declarations is. */
export async function render(plan: Plan, input: RenderInput): Promise<Result<readonly OutputFile[]>> {
  const files: OutputFile[] = [];
  const known = new Map<Declaration, string>();
  for (const file of plan.files) {
    const text = file.kind === 'declarations' ? await declarationsOf(file, known) : textOf(file, plan, input);
    files.push({ path: file.path, text, ownership: ownershipOf(file) });
  }
  return ok(files);
}

function ownershipOf(file: PlannedFile): OutputFile['ownership'] {
  return ('ownership' in file ? file.ownership : undefined) ?? 'generated';
}

type DeclarationFile = Extract<PlannedFile, { readonly kind: 'declarations' }>;

function textOf(file: Exclude<PlannedFile, DeclarationFile>, plan: Plan, { templates, runtime }: RenderInput): string {
  switch (file.kind) {
    case 'template': {
      const text = templates.print(file.template, file.view);
      return file.finished ? text : layout(text);
    }
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

/** A declaration is printed once, however many files have it. */
async function declarationsOf(
  { declarations, header }: DeclarationFile,
  known: Map<Declaration, string>,
): Promise<string> {
  const { printDeclaration } = await import('./declarations.js');
  const texts = [header];
  for (const declaration of declarations) {
    const text = known.get(declaration) ?? layout(await printDeclaration(declaration.name, declaration.schema));
    known.set(declaration, text);
    texts.push(text);
  }
  return texts.join('\n');
}

/** Our own runtime files import each other as `./name.js`; the output may need another ending. */
function withSpecifiers(text: string, extension: string): string {
  return extension === '.js'
    ? text
    : text.replace(/^((?:import|export) .* from '\.\/[a-z-]+|\} from '\.\/[a-z-]+)\.js';$/gm, `$1${extension}';`);
}
