// SPDX-License-Identifier: 0BSD
import { type FormMember, formOf, type MemberValue, valuesOf } from './form-members.js';
import type { Connection } from './operation.js';
import { readText } from './read-body.js';

/** Spaces and bars may have been escaped by who wrote them, commas are not. */
const delimiters: Readonly<Record<NonNullable<MemberValue['split']>, RegExp>> = {
  ',': /,/,
  ' ': /\+|%20/,
  '|': /\||%7C/i,
};

/** Reads an answer that is a form: `name=value&…`. */
export function formReader(
  members: readonly FormMember[],
  rest?: MemberValue,
): (connection: Connection) => Promise<unknown> {
  return async (connection) => {
    const pairs = (await readText(connection)).split('&').filter((pair) => pair !== '');
    const texts = pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      const raw = value.join('=');
      return {
        name: decoded(name),
        read: (member: MemberValue) =>
          valuesOf((member.split ? raw.split(delimiters[member.split]) : [raw]).map(decoded), member),
      };
    });
    return formOf(texts, members, rest);
  };
}

/** What is escaped wrongly is taken as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
