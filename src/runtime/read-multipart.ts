// SPDX-License-Identifier: 0BSD
import { CallError } from './errors.js';
import { type FormMember, type FormText, formOf, type MemberValue, valuesOf } from './form-members.js';
import type { Connection } from './operation.js';
import { boundaryOf, kindOf, PartDecoder, parameterOf, type RawPart, textOfPart } from './part-decode.js';
import { readBlob } from './read-body.js';

/** Reads an answer that is a multipart form (RFC 7578): texts by what they stand for, JSON parsed, everything else as files. */
export function multipartReader(
  members: readonly FormMember[],
  rest?: MemberValue,
): (connection: Connection) => Promise<unknown> {
  return async (connection) => {
    const { response } = connection;
    const refuse = (message: string): never => {
      throw new CallError('response', message, { response });
    };
    const boundary = boundaryOf(response.headers.get('content-type') ?? '');
    const decoder = new PartDecoder(
      boundary ?? refuse('the media type of the answer names no boundary'),
      Number.POSITIVE_INFINITY,
    );
    // The size of the whole is limited as that of every body.
    const parts = decoder.push(new Uint8Array(await (await readBlob(connection)).arrayBuffer()));
    if (!decoder.complete) refuse('the form ends without its closing boundary');
    return formOf(
      parts.map((part) => textOf(part, members, refuse)),
      members,
      rest,
    );
  };
}

function textOf(part: RawPart, members: readonly FormMember[], refuse: (message: string) => never): FormText {
  const { data, contentType, headers } = part;
  const disposition = headers.get('content-disposition') ?? '';
  const name = said(disposition, 'name') ?? refuse('a part of the form has no name');
  const filename = said(disposition, 'filename');
  const kind = kindOf(contentType || 'text/plain');
  const isUnknown = members.every(
    (member) => member.name !== name && !(member.deep && name.startsWith(`${member.name}[`)),
  );
  return {
    name,
    read: (member) => {
      if (member.file || (isUnknown && (filename !== undefined || kind === 'binary')))
        return [new File([data as Uint8Array<ArrayBuffer>], filename ?? name, { type: contentType })];
      const text = textOfPart(data, contentType, kind) ?? refuse('a part of the form is no text of its charset');
      const texts = member.split ? text.split(member.split) : [text];
      return valuesOf(texts, kind === 'json' ? { ...member, json: true } : member);
    },
  };
}

/** Names are UTF-8, a character for each byte here; browsers escape what would end them (HTML, multipart/form-data encoding algorithm). */
function said(disposition: string, parameter: string): string | undefined {
  const text = parameterOf(disposition, parameter);
  if (text === undefined) return undefined;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes).replace(/%(?:22|0D|0A)/gi, decodeURIComponent);
}
