/** What is an assertion only where it is asked for: formats, and what texts hold. */
import type { ObjectSchema, SchemaId } from '../../ir/schema.js';

/** A check of a format of the user's own: `import { name } from "from"`. */
export interface FormatImport {
  readonly from: string;
  readonly name: string;
}

export interface AssertionOptions {
  /** `format` refuses values; by default it is an annotation. */
  readonly assertFormats: boolean;
  /** `contentEncoding`, `contentMediaType` and `contentSchema` refuse texts; by default they are annotations. */
  readonly assertContent?: boolean;
  /** Formats of the user's own: they are always checked. */
  readonly formats?: ReadonlyMap<string, FormatImport>;
}

/** The format that a schema asserts, if it does: a meta-schema can demand it, too. */
export function assertedFormat({ format, behaviour }: ObjectSchema, options: AssertionOptions): string | undefined {
  if (format === undefined) return undefined;
  const isAsserted = options.assertFormats || behaviour.formatAsserts || options.formats?.has(format) === true;
  return isAsserted ? format : undefined;
}

export interface AssertedContent {
  readonly encoding?: ContentEncoding;
  readonly mediaType?: string;
  readonly schema?: SchemaId;
}

/** The encodings of RFC 4648. The others that MIME knows say nothing of a text, or nothing that could be wrong. */
const encodings = ['base64', 'base64url', 'base32', 'base32hex', 'base16'] as const;

export type ContentEncoding = (typeof encodings)[number];

/** What is checked of a text's content: encodings that are known, and JSON. */
export function assertedContent({ string }: ObjectSchema, options: AssertionOptions): AssertedContent | undefined {
  if (options.assertContent !== true || string === undefined) return undefined;
  const { contentEncoding, contentMediaType, contentSchema } = string;
  const encoding = encodings.find((known) => known === contentEncoding?.toLowerCase());
  // What is encoded in a way that nobody knows here cannot be looked into.
  const isOpen = contentEncoding === undefined || encoding !== undefined;
  const mediaType = isOpen && isJson(contentMediaType) ? contentMediaType : undefined;
  if (encoding === undefined && mediaType === undefined) return undefined;
  return {
    ...(encoding !== undefined && { encoding }),
    ...(mediaType !== undefined && { mediaType }),
    // Without a media type nothing says how the text is to be read (validation vocabulary, section 8.5).
    ...(mediaType !== undefined && contentSchema !== undefined && { schema: contentSchema }),
  };
}

function isJson(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(mediaType);
}
