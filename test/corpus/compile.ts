/** Type-checks the outputs of many documents in a few programs of the native compiler. */
import { join } from 'node:path';
import { typecheckNative } from '../support/native-typescript.js';
import { walkFiles } from '../support/walk-files.js';
import type { Generated, Outcome } from './outcome.js';

/** Characters of one program: some 2 GiB of memory. */
const programSize = 40e6;

/** Fills programs up to their size, in the order of the documents. */
export function batches(generated: readonly Generated[]): readonly (readonly Generated[])[] {
  const found: Generated[][] = [];
  let size = 0;
  for (const one of generated.filter(({ output }) => output !== undefined)) {
    const current = found.at(-1);
    if (current === undefined || size + one.size > programSize) {
      found.push([one]);
      size = one.size;
    } else {
      current.push(one);
      size += one.size;
    }
  }
  return found;
}

/** The outcomes of one program. `folder` holds all of its outputs. */
export async function compileBatch(batch: readonly Generated[], folder: string): Promise<readonly Outcome[]> {
  const files = batch.flatMap(({ output = '' }) =>
    walkFiles(output)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(output, path)),
  );
  try {
    const faults = await typecheckNative(folder, files);
    const homeless = faults.filter(({ file }) => !batch.some(({ output }) => file.startsWith(`${output}/`)));
    if (homeless.length > 0) throw new Error(homeless.map(({ message }) => message).join('; '));
    return batch.map((one) => ({
      ...one,
      typeErrors: faults
        .filter(({ file }) => file.startsWith(`${one.output}/`))
        .map(({ file, line, message }) => `${file.slice((one.output ?? '').length + 1)}:${line} ${message}`),
    }));
  } catch (error) {
    // The compiler gave up on something; one by one shows on what.
    const [only, ...others] = batch;
    if (only === undefined) return [];
    if (others.length === 0) return [{ ...only, typeErrors: [error instanceof Error ? error.message : String(error)] }];
    const outcomes: Outcome[] = [];
    for (const one of batch) outcomes.push(...(await compileBatch([one], folder)));
    return outcomes;
  }
}
