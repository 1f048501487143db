// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';

export interface ServerTemplate {
  /** With variables in braces. */
  readonly url: string;
  readonly variables: Readonly<Record<string, ServerVariable>>;
}

export interface ServerVariable {
  readonly default: string;
  /** All values that it may have. */
  readonly enum?: readonly string[];
}

export type ServerUrl = `http://${string}` | `https://${string}`;

/**
 * The URL of a server with values for its variables. Throws a `CallError` of kind `request` for a value that is not
 * listed, and for one that would lead to another place than the template says.
 */
export function fillServer({ url, variables }: ServerTemplate, given: object = {}): ServerUrl {
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value: unknown = Object.hasOwn(given, name) ? (given as Readonly<Record<string, unknown>>)[name] : undefined;
    const text = value ?? variable?.default ?? '';
    if (text === variable?.default) return variable.default;
    if (typeof text !== 'string' || variable?.enum?.includes(text) === false || !isPlain(text, variable)) {
      throw new CallError('request', `server: the variable ${name} has a value that it may not have`);
    }
    return text;
  });
  return filled as ServerUrl;
}

/** What the document lists is its own business; else nothing that ends a host, a port or a segment of a path. */
function isPlain(text: string, variable: ServerVariable | undefined): boolean {
  return variable?.enum !== undefined || /^[\w.~-]+$/.test(text);
}
