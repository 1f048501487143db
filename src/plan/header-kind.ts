/** How the client reads a response header: by what the shape of its schema says. */
import type { Api } from '../ir/api.js';
import type { SchemaId } from '../ir/schema.js';
import type { Shape } from '../ir/shape.js';
import { dateFormat } from './dated-schemas.js';
import type { TypeModes } from './target.js';

export interface HeaderKind {
  /** What the text is decoded to; absent for text. */
  readonly decode?: 'number' | 'integer' | 'boolean' | 'date' | 'dateTime';
  /** Whether the schema's type fits the decoded value; else the header is plain text. */
  readonly typed: boolean;
}

/** Arrays, objects and mixtures of types stay the text that travels. */
export function headerKind(api: Api, schema: SchemaId | undefined, dates: TypeModes['dates'] = 'string'): HeaderKind {
  const kinds = new Set<string>();
  const seen = new Set<SchemaId>();
  const pending: (Shape | undefined)[] = [schema === undefined ? undefined : api.shapes.get(schema)];
  while (pending.length > 0) {
    const shape = pending.pop();
    if (shape?.kind === 'union') pending.push(...shape.members);
    else if (shape?.kind !== 'ref')
      kinds.add((dates === 'Date' && kindsOfDates[dateFormat(shape) ?? 'none']) || kindOf(shape));
    else if (!seen.has(shape.target)) {
      seen.add(shape.target);
      pending.push(api.shapes.get(shape.target));
    }
  }
  if (kinds.has('number')) kinds.delete('integer');
  const [kind] = kinds;
  if (kinds.size !== 1 || kind === undefined) return { typed: false };
  if (kind === 'string') return { typed: true };
  return kind === 'number' || kind === 'integer' || kind === 'boolean' || kind === 'date' || kind === 'dateTime'
    ? { decode: kind, typed: true }
    : { typed: false };
}

const kindsOfDates = { date: 'date', 'date-time': 'dateTime', none: '' } as const;

function kindOf(shape: Shape | undefined): string {
  switch (shape?.kind) {
    case 'number':
      return shape.integer ? 'integer' : 'number';
    case 'string':
    case 'boolean':
      return shape.kind;
    case 'literal':
      return typeof shape.value;
    default:
      return 'other';
  }
}
