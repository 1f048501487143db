/** The contract between plan and its targets. A target decides everything about its files; templates only print. */
import type { Collector, DocumentUri } from '../diagnostics.js';
import type { Code, Identifier } from '../encode.js';
import type { Api, Operation, OutgoingRequest } from '../ir/api.js';
import type { JsonValue, SchemaId } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';
import type { OutputPath, Ownership } from '../output.js';
import type { FormatImport } from './checks/asserted.js';
import type { JsonRpcEndpoint } from './json-rpc-options.js';
import type { PaginationEntry } from './pagination/options.js';

export type TargetName =
  | 'types'
  | 'operations'
  | 'validators'
  | 'client'
  | 'server'
  | 'json-rpc'
  | 'schemas'
  | 'paths'
  | 'api'
  | 'webhooks'
  | 'tanstack-query'
  | 'zod'
  | 'msw'
  | 'operation-table';

export type Framework = 'fastify' | 'node' | 'fetch';

/** Which side a value travels: `read` is what a server answers, `write` is what a request carries. */
export type Direction = 'read' | 'write';

/** How values are typed, where there is a choice. */
export interface TypeModes {
  /** Named enumerations as unions of literals, or as constants with a type of the same name. */
  readonly enums: 'union' | 'const';
  /** Whether enumerations in answers admit values that the document does not list. */
  readonly clientEnums: 'closed' | 'open';
  /** What dates and times are in the types that users see. */
  readonly dates: 'string' | 'Date';
}

export const plainModes: TypeModes = { enums: 'union', clientEnums: 'closed', dates: 'string' };

/** Who provides what a document declares. */
export interface ImportSource {
  /** The module of the types. */
  readonly package: string;
  /** The module of the validators; where there is none they are compiled from the document. */
  readonly validators?: string;
}

export interface PlanOptions extends TypeModes {
  readonly targets: readonly TargetName[];
  readonly frameworks: readonly Framework[];
  /** The ending of relative imports: `.js`, `.ts` or none. */
  readonly importExtension: '.js' | '.ts' | '';
  /** Copied into the output (default), or imported from the published package. */
  readonly runtime?: 'inline' | 'package';
  /** The runtime lies in the folder above, where several APIs share it. */
  readonly runtimeAbove?: boolean;
  /** Documents whose types a package provides, by the document. */
  readonly packages?: ReadonlyMap<DocumentUri, ImportSource>;
  /** All operations in one file, or files by tag. */
  readonly layout: 'single' | 'tags';
  /** Request headers that mirror a member of the body, from the configuration. */
  readonly headersFromBody: readonly HeaderFromBody[];
  /** How operations are paged, from the configuration. */
  readonly pagination?: readonly PaginationEntry[];
  /** The operations that are JSON-RPC endpoints. */
  readonly jsonRpc?: readonly JsonRpcEndpoint[];
  /** What XML is for programs: text (default), or the value that its schema describes. */
  readonly xml?: 'text' | 'typed';
  /** Check `format` in validators, where the format is known. */
  readonly assertFormats: boolean;
  /** Check what texts hold (`contentEncoding`, `contentMediaType`, `contentSchema`). */
  readonly assertContent?: boolean;
  /** Validators say what they check as JSON Schema, too. */
  readonly standardJsonSchema?: boolean;
  /** Formats of the user's own. */
  readonly formats?: ReadonlyMap<string, FormatImport>;
  /** How many issues validators collect where a call does not say it. */
  readonly issueLimit?: number | undefined;
  /** Send the valid defaults of required parameters (output.md section 4). */
  readonly sendDefaults: boolean;
  /** Where a file of handler skeletons is wanted: how it imports the generated server (`../generated/server.js`). */
  readonly handlerSkeletons?: { readonly server: string };
  readonly schemas: SchemasOptions;
  readonly queries?: QueriesOptions;
  /** The output is a package that can be published. */
  readonly package?: PackageOptions | undefined;
  /** The operations that the document has and that a fault leaves out: `GET "/pets"`. */
  readonly withoutOperations?: readonly string[];
  /** Filters leave something out. */
  readonly filtered?: boolean;
  /** Names that the configuration pins: address or component name → identifier. */
  readonly pins: ReadonlyMap<string, string>;
}

/** What `package.json` says of a package. */
export interface PackageOptions {
  readonly name: string;
  /** By default that of the document, where it is one. */
  readonly version?: string;
  readonly license?: string;
}

/** What the target `tanstack-query` makes of an operation. */
export type QueryKind = 'query' | 'infinite' | 'mutation' | 'none';

export interface QueriesOptions {
  /** Whose types are imported: `@tanstack/react-query`. */
  readonly package: string;
  /** What all keys begin with. */
  readonly keyPrefix?: string;
  /** By operationId or `METHOD /path`. */
  readonly operations: ReadonlyMap<string, QueryKind>;
}

/** What the target `schemas` makes. */
export interface SchemasOptions {
  /** Where its files lie below the output folder: empty, or a folder with a slash behind it. */
  readonly folder: '' | 'schemas/';
  /** Write declaration files beside the JSON Schemas. */
  readonly declarations: boolean;
  /** What `$id` is made of: a base URI, or one with `{name}` or `{kebab-name}` in it. */
  readonly baseUri?: string;
  /** The date that the schemas say they are of: `YYYY-MM-DD`. */
  readonly date?: string;
}

export interface HeaderFromBody {
  /** The operationId, or `METHOD /path`. */
  readonly operation: string;
  readonly header: string;
  /** OpenAPI runtime expressions, the first that yields a value counts: `$request.body#/method`. */
  readonly expressions: readonly string[];
  readonly encoding?: HeaderEncodingName;
}

/**
 * How a header carries a value that no header can hold: `base64` as `=?base64?…?=`, `percent` as percent-encoded UTF-8.
 * Without one such a value is refused.
 */
export type HeaderEncodingName = 'base64' | 'percent';

/** A file of the output, decided in full. */
export type PlannedFile =
  | {
      readonly kind: 'template';
      readonly path: OutputPath;
      /** The template's path below `templates/`, without `.hbs`. */
      readonly template: string;
      /** A plain object; its type is named in the first line of the template. */
      readonly view: object;
      readonly ownership: Ownership;
      /** The template prints it as it is to stand, so it is not laid out: what is large, and what is no code. */
      readonly finished?: true;
    }
  | {
      /** A file of `src/runtime/`, copied but for its import specifiers. */
      readonly kind: 'runtime';
      readonly path: OutputPath;
      readonly source: string;
    }
  | {
      /** Plain JSON, such as a derived JSON Schema. */
      readonly kind: 'json';
      readonly path: OutputPath;
      readonly value: JsonValue;
      /** By default generated. */
      readonly ownership?: Ownership;
    }
  | {
      /** The declarations of a JSON Schema and of what it reaches; files may share them. */
      readonly kind: 'declarations';
      readonly path: OutputPath;
      readonly declarations: readonly Declaration[];
      /** Comment lines that stand above. */
      readonly header: string;
    };

/** A declaration that json-schema-to-typescript prints. */
export interface Declaration {
  /** As the library spells it. */
  readonly name: string;
  /** As `declarationInput` makes it. */
  readonly schema: JsonObject;
}

export interface PlanContext {
  readonly api: Api;
  readonly names: Names;
  readonly options: PlanOptions;
  readonly report: Collector;
}

export interface Target {
  readonly name: TargetName;
  plan(context: PlanContext): readonly PlannedFile[];
}

/** All names of one API, decided once by `plan/names.ts` in one scope. */
export interface Names {
  /**
   * The exported type of a schema, or `undefined` where the schema is printed inline. Where read and write views do not
   * differ both directions give the same name.
   */
  typeOf(schema: SchemaId, direction: Direction): Identifier | undefined;
  /** The validator of a schema in a direction: of every schema with a type name, and of every body, response, event and parameter schema. */
  validatorOf(schema: SchemaId, direction: Direction): ValidatorNames | undefined;
  /** Every validator that is to be emitted, in output order: the schema, the direction and the names. */
  readonly validators: readonly ValidatorEntry[];
  /** Every type that is to be declared, in output order. */
  readonly types: readonly TypeEntry[];
  operationOf(operation: Operation): OperationNames;
  /** `NewPetWebhookPayload`, the type of what a webhook or callback carries; nothing where it carries nothing. */
  payloadOf(request: OutgoingRequest): Identifier | undefined;
  /** The schemas that a request can carry. */
  readonly requests: ReadonlySet<SchemaId>;
  /** With `--dates Date`, the schemas that hold dates: what travels is another type than what programs hold. */
  readonly dated: ReadonlySet<SchemaId>;
  /** The type of what travels: `PetWire`, or the same as `typeOf` where there is no difference. */
  wireOf(schema: SchemaId, direction: Direction): Identifier | undefined;
  /** The codec of a named schema that holds dates. */
  codecOf(schema: SchemaId): CodecNames | undefined;
  /** The functions between the two types, in output order. */
  readonly codecs: readonly CodecEntry[];
}

export interface CodecNames {
  /** `PetCodec` */
  readonly codec: Identifier;
}

export interface CodecEntry extends CodecNames {
  readonly schema: SchemaId;
  readonly type: Identifier;
  readonly wire: Identifier;
  /** `decodePet` */
  readonly decode: Identifier;
  /** `encodePet` */
  readonly encode: Identifier;
}

export interface TypeEntry {
  readonly schema: SchemaId;
  readonly direction: Direction;
  readonly name: Identifier;
}

export interface ValidatorEntry {
  readonly schema: SchemaId;
  readonly direction: Direction;
  readonly names: ValidatorNames;
  /** The type that the guard narrows to: a type name, or `undefined` where the schema is printed inline. */
  readonly type: Identifier | undefined;
}

export interface ValidatorNames {
  /** `validatePet` */
  readonly validate: Identifier;
  /** Absent for a schema without a type of its own, such as a parameter's: only the server asks for it. */
  readonly forms?: ValidatorForms;
}

export interface ValidatorForms {
  /** `isPet` */
  readonly is: Identifier;
  /** `assertPet` */
  readonly assert: Identifier;
  /** `PetSchema`, the Standard Schema */
  readonly schema: Identifier;
}

export interface OperationNames {
  /** `getPet`: the client's function, and the key of the handler. */
  readonly function: Identifier;
  /** `GetPetInput` */
  readonly input: Identifier;
  /** `GetPetResult` */
  readonly result: Identifier;
  /** `GetPetReplies`, what a handler may answer */
  readonly replies: Identifier;
  /** `GetPetRequest`, what a handler is given */
  readonly request: Identifier;
  /** `GetPet200`, `GetPet4XX`, `GetPetDefault`, with the media type in the name where a status has several. */
  answerOf(response: number, content: number | undefined): Identifier;
  /** `McpRpc200Event`, the union of a stream's events */
  eventOf(response: number, content: number): Identifier;
}

/** A named import line of a generated file. */
export interface ImportView {
  /** Nothing of the module is needed at run time. */
  readonly typeOnly: boolean;
  /** The names in their braces: `{ type Pet, send as $send }`; several lines where one would be long. */
  readonly names: Code;
  /** The specifier as a string literal. */
  readonly from: Code;
}

/** What the partial `partials/imports` prints. */
export interface ImportsView {
  readonly imports: readonly ImportView[];
}
