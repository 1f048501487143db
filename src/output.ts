/** What the pipeline produces: a list of files. Only `write/` brings them to a disk. */

/** A path below the output folder: forward slashes, no empty, `.` or `..` segment. Made by `outputPath` only. */
export type OutputPath = string & { readonly __brand: 'OutputPath' };

/**
 * Who owns a file: generated files are replaced on every run, scaffolds belong to the user once written, editable files
 * (such as the `package.json` of a package) are replaced until the user has edited them, and then are the user's.
 */
export type Ownership = 'generated' | 'scaffold' | 'editable';

export interface OutputFile {
  readonly path: OutputPath;
  readonly text: string;
  readonly ownership: Ownership;
}

const segmentPattern = /^[A-Za-z0-9_@][A-Za-z0-9_.@-]*$/;

/**
 * Brands a path after checking that it cannot leave the output folder. Paths are decided by plan, never taken from a
 * document, so a refusal is a bug and throws.
 */
export function outputPath(path: string): OutputPath {
  const safe = path.split('/').every((segment) => segmentPattern.test(segment) && !segment.endsWith('.'));
  if (!safe || path.length > 200) throw new Error(`unsafe output path ${JSON.stringify(path)}`);
  return path as OutputPath;
}
