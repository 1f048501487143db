/** The doc comment of a handler. */
import type { Code } from '../../../encode.js';
import type { Operation } from '../../../ir/api.js';
import { docComment } from '../../doc-comment.js';

/** What the document says of an operation, with its method and path. */
export function operationDoc({ summary, description, deprecated, method, path }: Operation, indentation = ''): Code {
  const said = [summary, description].filter((text) => text !== undefined);
  return docComment({ text: [...said, `${method} ${path.text}`].join('\n\n'), deprecated }, indentation);
}
