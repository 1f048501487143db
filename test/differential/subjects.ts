/** The documents that are compared, and what the generator makes of their components. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Collector } from '../../src/diagnostics.js';
import type { Api } from '../../src/ir/api.js';
import type { SchemaId } from '../../src/ir/schema.js';
import { planNames } from '../../src/plan/names.js';
import type { TargetName } from '../../src/plan/target.js';
import type { JsonObject } from '../support/component-schemas.js';
import { generateValidators } from '../support/generated-validators.js';
import { sampleDocuments } from '../support/sample-documents.js';

/** One component, as the document and as the output names it. */
export interface Subject {
  readonly schema: SchemaId;
  readonly component: string;
  /** Its read view: what `types.ts` exports, and what follows `is` and `validate` in `validators.ts`. */
  readonly type: string;
  readonly validator: string;
}

export interface Compared {
  readonly document: string;
  readonly description: JsonObject;
  readonly api: Api;
  /** Where the output was written. */
  readonly folder: string;
  readonly subjects: readonly Subject[];
}

export class Workspace {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'differential-')));

  write(path: string, text: string): string {
    const target = join(this.folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
    return target;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Generates the sample of the directory and writes it below the workspace, a folder for each document. */
export async function compareDirectory(
  directory: string,
  workspace: Workspace,
  targets: readonly TargetName[],
): Promise<readonly Compared[]> {
  workspace.write('package.json', '{ "type": "module" }');
  const compared: Compared[] = [];
  for (const { name, description } of sampleDocuments(directory)) {
    const result = await generateValidators({ documents: { 'description.json': description }, targets });
    const [api] = result.apis;
    if (!result.ok || api === undefined) throw new Error(`${name} is not generated`);
    for (const { path, text } of result.files) workspace.write(`${name}/${path}`, text);
    const names = planNames(api.api, new Map(), new Collector());
    const subjects = api.api.components.flatMap(({ name: component, schema }): Subject[] => {
      const type = names.typeOf(schema, 'read');
      const validator = names.validatorOf(schema, 'read')?.validate.slice('validate'.length);
      return type === undefined || validator === undefined ? [] : [{ schema, component, type, validator }];
    });
    compared.push({ document: name, description, api: api.api, folder: join(workspace.folder, name), subjects });
  }
  return compared;
}
