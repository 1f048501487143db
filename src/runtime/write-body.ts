// SPDX-License-Identifier: 0BSD
import type { Deadline } from './deadline.js';
import type { EventSpec } from './event-spec.js';
import { type FieldSpec, own, refuse } from './parameters.js';

export interface BodySpec {
  /** Media type or range, as the document writes it. */
  readonly type: string;
  readonly write: (content: BodySpec, headers: Headers, input: unknown, deadline: Deadline) => BodyInit;
  /** The media types that the caller chooses from. */
  readonly choices?: readonly BodySpec[];
  /** The members of a form that are not written as usual. */
  readonly fields?: readonly FieldSpec[];
  /** The events of a stream; of a sequence of items the one `item`. */
  readonly events?: readonly EventSpec[];
  /** The event `message` stands for those of every name. */
  readonly anyName?: boolean;
  /** Data that ends the stream; the first is sent. */
  readonly sentinels?: readonly string[];
  readonly anyEnd?: boolean;
}

export function writeJson({ type }: BodySpec, headers: Headers, input: unknown): string {
  headers.set('content-type', type);
  // Cycles and big integers make the platform throw; `undefined` and functions make it say nothing.
  return JSON.stringify(own(input, 'body')) ?? refuse('is not a JSON value');
}

export function writeText({ type }: BodySpec, headers: Headers, input: unknown): string {
  const body = own(input, 'body');
  headers.set('content-type', given(input) ?? type.replace('*', 'plain'));
  return typeof body === 'string' ? body : refuse('is not text');
}

/** Sends a body as it is: a blob, bytes, a stream or text. */
export function writeRaw({ type }: BodySpec, headers: Headers, input: unknown): BodyInit {
  const body = own(input, 'body') as BodyInit;
  const exact = given(input) ?? type;
  // A range is no type, and a form's type carries its boundary: there the platform says it.
  if (!exact.includes('*') && !(body instanceof FormData)) headers.set('content-type', exact);
  return body;
}

/** For a range that covers JSON: JSON, unless the caller says another media type. */
export function writeAny(content: BodySpec, headers: Headers, input: unknown): BodyInit {
  const type = given(input) ?? 'application/json';
  if (/[/+]json *(?:;|$)/i.test(type)) return writeJson({ ...content, type }, headers, input);
  const body = writeRaw(content, headers, input);
  return isBody(body) ? body : refuse(`is neither text nor bytes, as ${type} needs it`);
}

/** The platform would send anything else as the text `[object Object]`. */
function isBody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'string';
  return !/Object|Array]/.test(Object.prototype.toString.call(value));
}

function given(input: unknown): string | undefined {
  return own(input, 'contentType') as string | undefined;
}

/** Sends the body as the media type that `contentType` says; as the first declared one where it says nothing. */
export function writeChoice(
  { choices = [] }: BodySpec,
  headers: Headers,
  input: unknown,
  deadline: Deadline,
): BodyInit {
  const wanted = given(input);
  const choice =
    wanted === undefined ? choices[0] : (choices.find(({ type }) => type === wanted) ?? range(choices, wanted));
  return choice ? choice.write(choice, headers, input, deadline) : refuse('has a media type that is not declared');
}

function range(choices: readonly BodySpec[], wanted: string): BodySpec | undefined {
  return choices.find(({ type }) => type === '*/*' || (type.endsWith('/*') && wanted.startsWith(type.slice(0, -1))));
}
