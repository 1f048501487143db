/**
 * `oasmith ir` promises the form that `ir.schema.json` publishes, and holds each text against it before it is printed: by the
 * validators that oasmith itself makes of that schema, which the build compiles (`precompile-ir.ts`).
 */

export interface IrFault {
  /** Where the schema of the IR says otherwise: a pointer into a text of ours, which holds nothing of the document. */
  readonly schemaPointer: string;
  readonly keyword: string;
}

/** What the build makes. */
export interface IrChecks {
  validateIr(value: unknown): { readonly ok: boolean; readonly issues?: readonly IrFault[] };
}

/** What a printed IR has that its schema does not allow. A run from the sources has no compiled validators, and finds nothing. */
export async function irFaults(text: string): Promise<readonly IrFault[]> {
  if (!import.meta.url.endsWith('.js')) return [];
  const built: string = './cli-ir-checks.js';
  const { validateIr } = (await import(built)) as IrChecks;
  return validateIr(JSON.parse(text)).issues ?? [];
}
