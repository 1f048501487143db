// SPDX-License-Identifier: 0BSD
import type { Client } from './client.js';
import { CallError } from './errors.js';
import type { Connection } from './operation.js';
import { own, refuse } from './parameters.js';
import { readText } from './read-body.js';
import type { BodySpec } from './write-body.js';

/** What a description says of a body of XML. */
export interface XmlBody {
  /** In lower case, without parameters: `application/xml`. */
  readonly contentType: string;
  /** The name of the body's type in `types.ts`, where it has one. */
  readonly schema?: string;
  /** The name of the root element, with its prefix, where the description says it (OpenAPI, XML Object). */
  readonly root?: string;
  /** The namespace of the root element. */
  readonly namespace?: string;
}

/** Goes between XML and the values that the schemas of a description describe. What either function throws ends the call. */
export interface XmlCodec {
  readonly decode: (text: string, body: XmlBody) => unknown;
  readonly encode: (value: unknown, body: XmlBody) => string;
}

/** What a client needs beside the options of every client. */
export interface XmlOptions {
  readonly xml: XmlCodec;
}

function codecOf({ options }: Client): XmlCodec | undefined {
  return (options as Partial<XmlOptions>).xml;
}

/** Sends a value as XML. */
export function xmlWriter(client: Client, body: XmlBody): BodySpec['write'] {
  return ({ type }, headers, input) => {
    const codec = codecOf(client) ?? refuse('needs a codec for XML');
    const text: unknown = codec.encode(own(input, 'body'), body);
    headers.set('content-type', (own(input, 'contentType') as string | undefined) ?? type.replace('*', 'xml'));
    return typeof text === 'string' ? text : refuse('is made no text by the codec');
  };
}

/** Reads XML as a value. */
export function xmlReader(client: Client, body: XmlBody): (connection: Connection) => Promise<unknown> {
  return async (connection) => {
    const text = await readText(connection);
    const { response } = connection;
    const codec = codecOf(client);
    if (!codec) throw new CallError('response', 'the body needs a codec for XML', { response });
    try {
      return await codec.decode(text, body);
    } catch (cause) {
      // What the codec throws may quote the text; only a cause is kept of it.
      throw new CallError('response', 'the body is no XML that the codec reads', { response, cause });
    }
  };
}
