/** Cases of generated validators: compiles the schema, judges each value by both passes, and takes the time. */
import { description } from '../support/api-of.js';
import { loadValidators } from '../support/generated-validators.js';
import type { HostileCase } from './cases.js';
import { expandValue, type Json } from './expand.js';

const known = new Set(['valid', 'components', 'maxMs', 'noThrow', 'noPollution', 'fresh', 'note']);

/** What is wrong, in sentences. */
export async function judgeValidatorCase({ input, assert }: HostileCase): Promise<readonly string[]> {
  const unknown = Object.keys(assert).filter((name) => !known.has(name));
  if (unknown.length > 0) return [`the runner does not know ${unknown.join(', ')}`];
  const components = assert['components'] as { readonly schemas?: Readonly<Record<string, Json>> } | undefined;
  const schemas = { ...components?.schemas, Case: input['schema'] };
  const loaded = await loadValidators({ documents: { 'case.json': description(schemas) }, assertFormats: true });
  const values = Array.isArray(input['data']) ? input['data'] : [];
  const valid = Array.isArray(assert['valid']) ? assert['valid'] : [];
  const problems = values.flatMap((value, index) => {
    const data: unknown = expandValue(value);
    const before = assert['fresh'] === true ? JSON.stringify(data) : undefined;
    loaded.is('Case', data); // the first call compiles
    const start = performance.now();
    const answer = loaded.is('Case', data);
    const ms = performance.now() - start;
    const found: string[] = [];
    // Three times the limit, as the rules allow on a loaded machine.
    if (typeof assert['maxMs'] === 'number' && ms >= assert['maxMs'] * 3) found.push(`value ${index} took ${ms} ms`);
    if (loaded.validate('Case', data).ok !== answer) found.push(`the passes differ on value ${index}`);
    if (typeof valid[index] === 'boolean' && valid[index] !== answer)
      found.push(`value ${index} is ${answer ? 'accepted' : 'refused'}`);
    if (before !== undefined && JSON.stringify(data) !== before) found.push(`value ${index} was changed`);
    return found;
  });
  return Object.hasOwn(Object.prototype, 'isAdmin') ? [...problems, 'Object.prototype was changed'] : problems;
}
