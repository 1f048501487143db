/** A link that leads from an answer to its own operation: the standard's way to say where the next page is (OpenAPI, Link Object). */
import type { Operation } from '../../ir/api.js';
import type { Link } from '../../ir/details.js';
import type { JsonValue } from '../../ir/schema.js';
import type { LinkTargets } from '../link-targets.js';
import type { PaginationOptions } from './options.js';

/** The paging that a success of the operation describes: by its one link to itself, or by the one that is called `next`. */
export function linkedPagination(operation: Operation, targets: LinkTargets): PaginationOptions | undefined {
  for (const { status, links } of operation.responses) {
    const isSuccess =
      status.kind === 'exact' ? Math.floor(status.code / 100) === 2 : status.kind === 'range' && status.hundred === 2;
    if (!isSuccess || links.length === 0) continue;
    const rules = links
      .filter((link) => targets.of(link)?.id === operation.id)
      .flatMap((link) => {
        const rule = ruleOf(link);
        return rule ? [{ name: link.name, rule }] : [];
      });
    const found = rules.find(({ name }) => /next/i.test(name)) ?? (rules.length === 1 ? rules[0] : undefined);
    if (found) return found.rule;
  }
  return undefined;
}

/** One value of the answer goes into the request; what else is said is what it was. */
function ruleOf({ parameters, requestBody }: Link): PaginationOptions | undefined {
  if (requestBody && requestBody.value !== '$request.body') return undefined;
  const [moving, ...others] = Object.entries(parameters).filter(([name, value]) => !isRepeated(name, value));
  if (moving === undefined || others.length > 0) return undefined;
  const [name, next] = moving;
  if (typeof next !== 'string' || !/^\$response\.(?:body(?:#|$)|header\.)/.test(next)) return undefined;
  return { kind: 'cursor', next, parameter: /^(?:query|header|path)\../.test(name) ? `$request.${name}` : name };
}

/** Whether a parameter is what it was in the request before. Its name may say its place: `query.cursor`. */
function isRepeated(name: string, value: JsonValue): boolean {
  return (
    value === `$request.${name}` || ['query', 'header', 'path'].some((place) => value === `$request.${place}.${name}`)
  );
}
