/** When a name means a parameter. */
import type { Parameter } from './api.js';

/** Names of headers have no case (RFC 9110 section 5.1), all others do. */
export function isNamed({ name, in: place }: Pick<Parameter, 'name' | 'in'>, wanted: string): boolean {
  return place === 'header' ? name.toLowerCase() === wanted.toLowerCase() : name === wanted;
}
