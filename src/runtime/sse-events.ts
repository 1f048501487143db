// SPDX-License-Identifier: 0BSD
/// <reference lib="esnext.disposable" preserve="true" />
import type { Issue } from './validation.js';

/** An event that the contract declares. */
export interface SseEvent<N extends string, D> {
  readonly event: N;
  readonly data: D;
  /** The last event id at this event, `""` where there is none. */
  readonly id: string;
  /** Milliseconds, where the event sets the reconnection time. */
  readonly retry?: number;
}

/** An event of a stream whose contract describes the data of its events, and not their names. */
export interface PayloadSseEvent<D> extends SseEvent<'message', D> {
  /** The name on the wire, `message` where there is none. */
  readonly name: string;
}

/** An event as a request sends it. */
export interface SentSseEvent<N extends string, D> {
  readonly event: N;
  readonly data: D;
  readonly id?: string | undefined;
  /** Milliseconds. */
  readonly retry?: number | undefined;
}

/** The same without a name of its own. */
export interface SentSseMessage<D> extends Omit<SentSseEvent<'message', D>, 'event'> {
  readonly event?: 'message' | undefined;
}

/** One item of a sequence of JSON texts. */
export interface StreamItem<D> {
  readonly event: 'item';
  readonly data: D;
}

/** An item that is no JSON or that its schema refuses; see `onInvalid`. */
export interface InvalidStreamItem {
  readonly event: '$invalid';
  /** The text as it came. */
  readonly data: string;
  readonly issues: readonly Issue[];
}

/** An event whose name the contract does not declare. */
export interface UnknownSseEvent {
  readonly event: '$unknown';
  readonly name: string;
  readonly data: string;
  readonly id: string;
  readonly retry?: number;
}

/** A declared event whose data is no JSON or is refused by its schema; see `onInvalid`. */
export interface InvalidSseEvent {
  readonly event: '$invalid';
  readonly name: string;
  readonly data: string;
  readonly id: string;
  readonly retry?: number;
  readonly issues: readonly Issue[];
}

/** What the declared events carry. */
export type EventData<E> = E extends { readonly event: '$unknown' | '$invalid' }
  ? never
  : E extends { readonly data: infer D }
    ? D
    : never;

/**
 * The events or items of an answer, as they arrive. Single use. Leaving the loop, by `break`, `return` or a throw, closes
 * the connection, and so does `await using`. A stream that nobody reads keeps its connection: read it or `close()` it.
 */
export interface EventStream<E> extends AsyncIterable<E>, AsyncDisposable {
  /** The answer; after a reconnection the last one. */
  readonly response: Response;
  /** The id to resume from; `""` where there is none. */
  readonly lastEventId: string;
  /** The reconnection time that the server asks for, in milliseconds. */
  readonly retryMs: number | undefined;
  /** The data of the declared events alone. Counts as the single use. */
  data(): AsyncIterable<EventData<E>>;
  /** The same as an array, once the stream has ended. */
  collect(): Promise<EventData<E>[]>;
  close(): Promise<void>;
}
