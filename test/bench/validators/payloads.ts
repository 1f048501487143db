/** The values and schemas that validators are held against each other with, and the functions written by hand for them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isEvent } from './events-by-hand.js';
import { chosenSchemas } from './openai-schemas.js';

export type Schema = { readonly [keyword: string]: unknown };
export type Test = (value: unknown) => boolean;

export interface Payload {
  readonly name: string;
  /** A JSON Schema of 2020-12, its definitions in `$defs`. */
  readonly schema: Schema;
  /** The same with a discriminator, in the form that ajv knows. */
  readonly discriminated?: Schema;
  readonly data: readonly unknown[];
  readonly bad: readonly unknown[];
  readonly byHand: Test;
  /** Whether types alone say all of it, so that typia can be asked. */
  readonly typesSayAll: boolean;
}

/** Many schemas, each with values of its own. */
export interface Collection {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly samples: Readonly<Record<string, unknown>>;
}

/** What `schemas.mjs` and `hand.mjs` of the shared material export. */
interface SharedSchemas {
  moltar(strict: boolean): Schema;
  readonly rpc: Schema;
  readonly order: Schema;
  readonly events: Schema;
  readonly eventsDisc: Schema;
  readonly moltarData: readonly unknown[];
  readonly moltarBad: readonly unknown[];
  readonly rpcData: readonly unknown[];
  readonly rpcBad: readonly unknown[];
  readonly orderData: readonly unknown[];
  readonly orderBad: readonly unknown[];
  readonly eventData: readonly unknown[];
  readonly eventBad: readonly unknown[];
  stripSchema(schema: unknown): Schema;
  sample(schema: Schema, definitions: Readonly<Record<string, Schema>>, depth?: number): unknown;
}

interface ByHand {
  readonly hand: { readonly [name in 'moltarLoose' | 'moltarStrict' | 'rpcLiteral' | 'rpc' | 'order']: Test };
}

export interface Material {
  readonly payloads: readonly Payload[];
  collection(count: number): Collection;
}

export async function loadMaterial(shared: string): Promise<Material> {
  const load = async <T>(name: string): Promise<T> =>
    (await import(pathToFileURL(join(shared, 'bench/validators/lib', name)).href)) as T;
  const given = await load<SharedSchemas>('schemas.mjs');
  const { hand } = await load<ByHand>('hand.mjs');
  const moltar = { data: given.moltarData, bad: given.moltarBad };
  const payloads: readonly Payload[] = [
    { name: 'moltar', schema: given.moltar(false), ...moltar, byHand: hand.moltarLoose, typesSayAll: true },
    { name: 'moltar, strict', schema: given.moltar(true), ...moltar, byHand: hand.moltarStrict, typesSayAll: false },
    // The branch of `anyOf` that accepts every object leaves nothing to the other one, as `hand.rpc` knows.
    { name: 'rpc', schema: given.rpc, data: given.rpcData, bad: given.rpcBad, byHand: hand.rpc, typesSayAll: true },
    {
      name: 'order',
      schema: given.order,
      data: given.orderData,
      bad: given.orderBad,
      byHand: hand.order,
      typesSayAll: false,
    },
    {
      name: 'events',
      schema: given.events,
      discriminated: given.eventsDisc,
      data: given.eventData,
      bad: given.eventBad,
      byHand: isEvent,
      typesSayAll: false,
    },
  ];
  const openai = join(shared, 'corpus/documents/openai.yaml.gz');
  return { payloads, collection: (count) => chosenSchemas(openai, count, given) };
}
