/** What a reader of text finds wrong: a diagnostic that does not know yet which document it is about. */
import {
  type Address,
  type Diagnostic,
  type DiagnosticCode,
  type DocumentUri,
  diagnostic,
  type JsonPointer,
} from '../diagnostics.js';

export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Zero-based, in UTF-16 code units. */
  readonly offset?: number;
  readonly pointer?: JsonPointer;
  /** The text of a number that a double rounds. */
  readonly exact?: string;
  /** The other place of a duplicate key: the first member with that name. */
  readonly first?: boolean;
}

export interface ReadLimits {
  /** How deep arrays and objects may be nested in the text. */
  readonly nesting: number;
  /** How many values a document may have, counted with every YAML alias expanded. */
  readonly nodes: number;
}

export const rootPointer = '' as JsonPointer;

export function problemDiagnostic(document: DocumentUri, problem: Problem): Diagnostic {
  const at: Address = { document, pointer: problem.pointer ?? rootPointer };
  return diagnostic(problem.code, problem.message, {
    at,
    ...(problem.offset !== undefined && { offset: problem.offset }),
    ...(problem.first && { related: [{ message: 'the first one is here', at }] }),
  });
}
