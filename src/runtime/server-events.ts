// SPDX-License-Identifier: 0BSD
import { eventOf } from './event-spec.js';
import type { ContentContract, EventContract } from './server-contract.js';

/** The contract of the text that events have whose name stands for JSON, too. */
function textOf({ events }: ContentContract, json: EventContract): EventContract | undefined {
  return json.data === 'text' ? undefined : events?.find(({ name, data }) => name === json.name && data === 'text');
}

/** What the contract says of an event that arrived; where events of its name are JSON or text, the data tells. */
export function contractOf(content: ContentContract, name: string, data: unknown): EventContract | undefined {
  const first = eventOf(content, name);
  const text = first && typeof data === 'string' ? textOf(content, first) : undefined;
  return text && (text.validate?.(data).ok ?? true) ? text : first;
}

/** The data of an event that arrived. What is JSON and fits its schema is taken for that, where it may be text, too. */
export function eventData(
  content: ContentContract,
  name: string,
  text: string,
  parse: (contract: EventContract) => unknown,
): unknown {
  const first = eventOf(content, name);
  if (first?.data !== 'json') return text;
  if (!textOf(content, first)) return parse(first);
  if (!isJson(text)) return text;
  const value = parse(first);
  return (first.validate?.(value).ok ?? true) ? value : text;
}

/** The same of an event that is sent. Text that readers would take for JSON is sent as JSON; `wrong` where it is none of the contract's. */
export function contractToSend(
  content: ContentContract,
  name: string,
  data: unknown,
): { readonly contract: EventContract | undefined; readonly wrong: boolean } {
  const contract = contractOf(content, name, data);
  const json = eventOf(content, name);
  if (typeof data !== 'string' || contract === json || json === undefined) return { contract, wrong: false };
  const isRead = eventData(content, name, data, () => JSON.parse(data) as unknown) === data;
  return isRead ? { contract, wrong: false } : { contract: json, wrong: json.validate?.(data).ok === false };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
