/** The messages of a union: requests or notifications, each told by a `method` that is a constant. */

import { quote } from '../diagnostics.js';
import type { Api } from '../ir/api.js';
import { isPureReference } from '../ir/resolve.js';
import type { Schema, SchemaId } from '../ir/schema.js';
import type { PropertyShape, Shape } from '../ir/shape.js';
import { type Place, placesAt } from './shape-places.js';
import type { Direction, Names, PlanContext, ValidatorNames } from './target.js';

/** A request or a notification: an object whose `method` is a constant. */
export interface RpcMessage {
  readonly method: string;
  readonly schema: SchemaId;
  /** What applies to it: its schema, behind what unions around it say of all their alternatives. */
  readonly places: readonly Place[];
  /** The schemas that hold for it; the first that has a validator checks it. */
  readonly checkedBy: readonly SchemaId[];
  readonly params?: PropertyShape;
  /** Whether its schema names null among the ids. */
  readonly hasNullId?: boolean;
}

/** The validator of a message: its own, or that of a union that it stands in, where it has no name. */
export function messageValidator(
  names: Pick<Names, 'validatorOf'>,
  { checkedBy }: RpcMessage,
  direction: Direction,
): ValidatorNames | undefined {
  return checkedBy.map((schema) => names.validatorOf(schema, direction)).find((found) => found !== undefined);
}

/** An alternative, and what the unions around it say. */
interface Alternative {
  readonly schema: SchemaId;
  readonly around: readonly Place[];
  readonly enclosing: readonly SchemaId[];
}

/** The messages in their order. What is no message is reported as `json-rpc-left-out`, unless nothing is one. */
export function messagesOf({ api, report }: PlanContext, start: SchemaId, option: string): readonly RpcMessage[] {
  const found = new Map<string, RpcMessage>();
  const lost: (() => void)[] = [];
  const leave = (schema: SchemaId, text: string): void => {
    lost.push(() => report.report('json-rpc-left-out', `jsonRpc: ${option}: ${text}`, api.schemas.get(schema)?.at));
  };
  // Each schema is looked at once.
  const seen = new Set<SchemaId>();
  const pending: Alternative[] = [{ schema: start, around: [], enclosing: [] }];
  for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
    if (seen.has(one.schema)) continue;
    seen.add(one.schema);
    const inner = alternativesOf(api, one);
    if (inner) {
      // A reference stands in the place of what it refers to.
      if (inner.length === 1) pending.unshift(...inner);
      else pending.push(...inner);
      continue;
    }
    const messages = readMessage(api, one);
    if (messages.length === 0) leave(one.schema, 'an alternative has no method that is a constant, and is left out');
    for (const message of messages) {
      const { method, schema } = message;
      if (!found.has(method)) found.set(method, message);
      else leave(schema, `several alternatives have the method ${quote(method)}; this one is left out`);
    }
  }
  if (found.size > 0) for (const tell of lost) tell();
  return [...found.values()];
}

/** What stands for a schema that is no message itself: its target, or its alternatives. Nothing for one that has a method of its own. */
function alternativesOf(api: Api, { schema, around, enclosing }: Alternative): readonly Alternative[] | undefined {
  const node = api.schemas.get(schema);
  if (node?.kind !== 'schema') return undefined;
  if (isPureReference(node)) return [{ schema: node.ref, around, enclosing }];
  if (node.object?.properties.some(({ name }) => name === 'method' && isTelling(api, node, name))) return undefined;
  const conjuncts = [...(node.ref === undefined ? [] : [node.ref]), ...(node.allOf ?? [])];
  const methods = conjuncts.map((target) => methodsOf(api, { kind: 'ref', target }));
  const several = conjuncts.find((_, index) => (methods[index]?.length ?? 0) > 1);
  const alternatives = methods.some((known) => known?.length === 1)
    ? []
    : [...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  const inner = alternatives.length > 0 ? alternatives : several === undefined ? [] : [several];
  if (inner.length === 0) return undefined;
  const shape = api.shapes.get(schema);
  const rest = (shape?.kind === 'intersection' ? shape.members : []).filter(
    (member) => member.kind !== 'union' && !(member.kind === 'ref' && inner.includes(member.target)),
  );
  const outer = [...around, ...rest.map((part) => ({ shape: part, owner: schema }))];
  return inner.map((target) => ({ schema: target, around: outer, enclosing: [...enclosing, schema] }));
}

/** Whether a member of the schema is one of a few texts. */
function isTelling(api: Api, node: Schema, name: string): boolean {
  const found = node.kind === 'schema' ? node.object?.properties.find((property) => property.name === name) : undefined;
  return found !== undefined && textsOf(api, { kind: 'ref', target: found.schema }) !== undefined;
}

function readMessage(api: Api, { schema, around, enclosing }: Alternative): readonly RpcMessage[] {
  const shape = api.shapes.get(schema);
  if (!shape) return [];
  const places = [...around, { shape, owner: schema }];
  const whole: Shape = { kind: 'intersection', members: places.map((place) => place.shape) };
  const params = memberOf(api, whole, 'params');
  const ids = placesAt(api, places, ['id']);
  const hasNullId = ids.some(
    (id) => id.shape.kind === 'null' || (id.shape.kind === 'literal' && id.shape.value === null),
  );
  // What unions around it say is in their validators only.
  const checkedBy = around.length > 0 ? [...enclosing, schema] : [schema, ...[...enclosing].reverse()];
  return (methodsOf(api, whole) ?? []).map((method) => ({
    ...{ method, schema, places, checkedBy },
    ...(params && { params }),
    ...(hasNullId && { hasNullId }),
  }));
}

/** The constants that `method` can be; nothing where it can be any. */
function methodsOf(api: Api, shape: Shape): readonly string[] | undefined {
  const property = memberOf(api, shape, 'method');
  return property && textsOf(api, property.shape);
}

/** A text of a document can nest no deeper than this and still be one that anybody reads. */
const deepest = 64;

function textsOf(api: Api, shape: Shape, depth = 0): readonly string[] | undefined {
  if (depth > deepest) return undefined;
  if (shape.kind === 'literal') return typeof shape.value === 'string' ? [shape.value] : undefined;
  if (shape.kind === 'ref') {
    const target = api.shapes.get(shape.target);
    return target && textsOf(api, target, depth + 1);
  }
  if (shape.kind !== 'union' && shape.kind !== 'intersection') return undefined;
  const lists = shape.members.map((member) => textsOf(api, member, depth + 1));
  const known = lists.filter((list) => list !== undefined);
  if (shape.kind === 'union') return known.length === lists.length ? [...new Set(known.flat())] : undefined;
  return known.length === 0 ? undefined : known.reduce((left, right) => left.filter((text) => right.includes(text)));
}

/** What a member of a value is, by all that the shape says of it. */
function memberOf(api: Api, shape: Shape, name: string, depth = 0): PropertyShape | undefined {
  if (depth > deepest) return undefined;
  if (shape.kind === 'object') return shape.properties.find((property) => property.name === name);
  if (shape.kind === 'ref') {
    const target = api.shapes.get(shape.target);
    return target && memberOf(api, target, name, depth + 1);
  }
  if (shape.kind !== 'union' && shape.kind !== 'intersection') return undefined;
  const isUnion = shape.kind === 'union';
  const lists = shape.members.map((member) => memberOf(api, member, name, depth + 1));
  const known = lists.filter((property) => property !== undefined);
  const [first] = known;
  if (!first || (isUnion && name === 'method' && known.length < lists.length)) return undefined;
  if (known.length === 1 && (!isUnion || lists.length === 1)) return first;
  const isRequired = ({ required }: PropertyShape): boolean => required;
  return {
    ...first,
    shape: { kind: shape.kind, members: known.map((property) => property.shape) },
    required: isUnion ? known.length === lists.length && known.every(isRequired) : known.some(isRequired),
  };
}
