/** Which schema the statements of a check program speak of: their faults say it. */
import { childPointer, type JsonPointer } from '../../diagnostics.js';
import { writtenId } from '../../ir/resolve.js';
import type { Block, CallExpression, Statement } from './program.js';

/** The way from one place to another that stands below it; `undefined` where it does not. */
export function wayBelow(place: string, around: string): string | undefined {
  return place.startsWith(`${around}/`) ? place.slice(around.length) : undefined;
}

/** The place of the schema that a statement speaks of; `undefined` where it speaks of none. */
export function homeOf(
  statement: Statement,
  placeOf: (call: CallExpression) => string | undefined,
): string | undefined {
  const ofBlock = (block: Block): string | undefined => {
    for (const entry of block) {
      const home = homeOf(entry, placeOf);
      if (home !== undefined) return home;
    }
    return undefined;
  };
  switch (statement.kind) {
    case 'guard':
    case 'union':
    case 'dispatch':
      return writtenId(statement.fault.schema);
    case 'call':
      return placeOf(statement);
    case 'open':
      return undefined;
    case 'branch': {
      const [refusal] = statement.otherwise;
      if (refusal?.kind === 'guard') return writtenId(refusal.fault.schema);
      for (const { body } of statement.arms) {
        const home = ofBlock(body);
        if (home !== undefined) return home;
      }
      return ofBlock(statement.otherwise);
    }
    case 'member': {
      if (statement.required !== undefined) return writtenId(statement.required.schema);
      return without(ofBlock(statement.body), childPointer('' as JsonPointer, 'properties', statement.name));
    }
    case 'item':
      return without(ofBlock(statement.body), `/prefixItems/${statement.position}`);
    case 'items':
      return without(ofBlock(statement.body), '/items');
    case 'members':
      return (
        without(ofBlock(statement.additional), '/additionalProperties') ??
        without(ofBlock(statement.names), '/propertyNames')
      );
    case 'unevaluated':
      return undefined;
    case 'whenValid':
      return ofBlock(statement.first) ?? ofBlock(statement.then);
    case 'contains':
      return writtenId(statement.tooFew.schema);
  }
}

/** The place of a schema by that of one inside it, where that stands so far inside. */
function without(place: string | undefined, way: string): string | undefined {
  return place?.endsWith(way) ? place.slice(0, -way.length) : undefined;
}
