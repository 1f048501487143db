/**
 * OpenAPI runtime expressions (Runtime Expressions; the ABNF there): compiled to paths of property names, so that no generated
 * code parses one.
 */
import { type JsonPointer, pointerSteps } from '../diagnostics.js';

/** What an expression says of: the request or its answer, or a part of them. */
export type Expression =
  | { readonly kind: 'url' | 'method' | 'statusCode' }
  | { readonly kind: 'header' | 'query' | 'path'; readonly of: 'request' | 'response'; readonly name: string }
  | { readonly kind: 'body'; readonly of: 'request' | 'response'; readonly path: readonly string[] };

/** Nothing where the text is no expression. */
export function readExpression(text: string): Expression | undefined {
  if (text === '$url') return { kind: 'url' };
  if (text === '$method') return { kind: 'method' };
  if (text === '$statusCode') return { kind: 'statusCode' };
  const [, of, part = ''] = /^\$(request|response)\.(.+)$/s.exec(text) ?? [];
  if (of !== 'request' && of !== 'response') return undefined;
  const [, pointer] = /^body(?:#((?:\/(?:[^~/]|~[01])*)*))?$/s.exec(part) ?? [];
  if (part === 'body' || pointer !== undefined) {
    return { kind: 'body', of, path: pointerSteps((pointer ?? '') as JsonPointer) };
  }
  const [, kind, name = ''] = /^(header|query|path)\.(.+)$/s.exec(part) ?? [];
  if (kind === 'header') return /^[!#$%&'*+\-.^_`|~\w]+$/.test(name) ? { kind, of, name } : undefined;
  return kind === 'query' || kind === 'path' ? { kind, of, name } : undefined;
}

/** A piece of a text with expressions in it. */
export type TextPiece = string | Expression;

/** `https://a.example/{$request.body#/id}`; a text that is one expression without braces, too. Nothing where one cannot be read. */
export function readTemplate(text: string): readonly TextPiece[] | undefined {
  if (/^\$(?:url$|method$|statusCode$|request\.|response\.)/.test(text)) {
    const whole = readExpression(text);
    return whole && [whole];
  }
  const pieces: TextPiece[] = [];
  for (const [index, piece] of text.split(/\{(\$[^{}]*)\}/).entries()) {
    if (index % 2 === 0) {
      if (piece !== '') pieces.push(piece);
      continue;
    }
    const expression = readExpression(piece);
    if (!expression) return undefined;
    pieces.push(expression);
  }
  return pieces;
}
