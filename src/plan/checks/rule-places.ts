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
        const home = homeOfBlock(body, placeOf);
        if (home !== undefined) return home;
      }
      return homeOfBlock(statement.otherwise, placeOf);
    }
    case 'member': {
      if (statement.required !== undefined) return writtenId(statement.required.schema);
      return without(homeOfBlock(statement.body, placeOf), propertyWay(statement.name));
    }
    case 'item':
      return without(homeOfBlock(statement.body, placeOf), `/prefixItems/${statement.position}`);
    case 'items':
      return without(homeOfBlock(statement.body, placeOf), '/items');
    case 'members':
      return (
        without(homeOfBlock(statement.additional, placeOf), '/additionalProperties') ??
        without(homeOfBlock(statement.names, placeOf), '/propertyNames')
      );
    case 'unevaluated':
      return undefined;
    case 'whenValid':
      return homeOfBlock(statement.first, placeOf) ?? homeOfBlock(statement.then, placeOf);
    case 'contains':
      return writtenId(statement.tooFew.schema);
  }
}

function homeOfBlock(block: Block, placeOf: (call: CallExpression) => string | undefined): string | undefined {
  for (const entry of block) {
    const home = homeOf(entry, placeOf);
    if (home !== undefined) return home;
  }
  return undefined;
}

/** The way from a schema to that of a member. */
export function propertyWay(name: string): string {
  return childPointer('/properties' as JsonPointer, name);
}

/** The place of a schema by that of one inside it, where that stands so far inside. */
function without(place: string | undefined, way: string): string | undefined {
  return place?.endsWith(way) ? place.slice(0, -way.length) : undefined;
}
