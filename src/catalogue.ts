/**
 * The diagnostic catalogue: every code that oasmith can report, with its severity, cause and fix. A code that is not
 * here does not compile. Codes are public: they are named in `--report json` and in `oasmith explain`.
 */
import { type Entry, toolEntries } from './tool-catalogue.js';

const entries = {
  // --- reading
  'file-not-found': {
    severity: 'error',
    title: 'A file does not exist',
    cause: 'The entry, or a file that a $ref names, is not there.',
    fix: 'Check the path; relative references are resolved against the document that holds them.',
  },
  'file-unreadable': {
    severity: 'error',
    title: 'A file cannot be read',
    cause: 'It is a directory or a special file, or the system refuses access.',
    fix: 'Name a regular file that this user may read.',
  },
  'file-too-large': {
    severity: 'error',
    title: 'A document is larger than the limit',
    cause: 'One document, or all of them together, exceed the size limits.',
    fix: 'Raise limits.documentBytes or limits.totalBytes, or split the document.',
  },
  'too-many-documents': {
    severity: 'error',
    title: 'More documents than the limit',
    cause: 'The references lead to more files than limits.documents allows.',
    fix: 'Raise limits.documents.',
  },
  'document-empty': {
    severity: 'error',
    title: 'A document is empty',
    cause: 'The file holds no JSON or YAML value.',
    fix: 'Name a file that holds an OpenAPI description or a JSON Schema.',
  },
  'syntax-error': {
    severity: 'error',
    title: 'A document is not well-formed',
    cause: 'The text is neither valid JSON nor valid YAML.',
    fix: 'Mend the text at the place that the message names.',
  },
  'duplicate-key': {
    severity: 'error',
    title: 'An object has the same key twice',
    cause: 'JSON and YAML parsers disagree on which of the two counts, so one of them would be lost silently.',
    fix: 'Remove or rename one of the two keys.',
  },
  'yaml-merge-key': {
    severity: 'error',
    title: 'A YAML document uses a merge key',
    cause: 'The key "<<" is not part of YAML 1.2, so readers disagree on what it means.',
    fix: 'Write the members out, or use $ref or allOf.',
  },
  'preamble-skipped': {
    severity: 'warning',
    title: 'Text before the JSON value was skipped',
    cause: 'The file starts with a few lines that are not JSON, as a block copied from a web page does.',
    fix: 'Remove those lines to silence this warning.',
  },
  'document-kind': {
    severity: 'error',
    title: 'A document is neither OpenAPI nor JSON Schema',
    cause: 'The top level has no "openapi", "swagger" or "$schema" member, nor any keyword of JSON Schema.',
    fix: 'Name an OpenAPI description (2.0 to 3.2), a JSON Schema or a declaration graph.',
  },
  'decls-unknown': {
    severity: 'warning',
    title: 'A declaration graph does not say what a value is',
    cause: 'A declaration is missing or leads nowhere, or is of a kind that is not known.',
    fix: 'Export the graph again with everything that it refers to, or read the description itself.',
  },
  'decls-methods': {
    severity: 'info',
    title: 'The methods of a declaration graph are left out',
    cause: 'A declaration of a method says what it takes and answers, but neither its HTTP method, path nor statuses.',
    fix: 'Read the description itself for a client and a server.',
  },
  'derived-drift': {
    severity: 'warning',
    title: 'A derived schema is not what its source says',
    cause:
      'x-source names the schema that it was derived from, and one of the two was changed since. The source counts.',
    fix: 'Run oasmith derive again, or remove x-source to make it a schema of its own.',
  },
  'document-version': {
    severity: 'error',
    title: 'The version of the document is not known',
    cause: 'oasmith reads OpenAPI 2.0, 3.0, 3.1 and 3.2 and the JSON Schema drafts 04, 06, 07, 2019-09 and 2020-12.',
    fix: 'Correct the version member, or convert the document.',
  },
  'version-unquoted': {
    severity: 'warning',
    title: 'The version of the API is a number',
    cause: 'info.version is a string, but YAML reads 1.10 without quotes as the number 1.1.',
    fix: 'Put the version in quotes.',
  },
  'too-deep': {
    severity: 'error',
    title: 'A document is nested too deep',
    cause: 'The text is nested deeper than limits.nesting, or a schema deeper than limits.depth allows.',
    fix: 'Move inner schemas to components and refer to them, or raise the limit.',
  },
  'too-many-nodes': {
    severity: 'error',
    title: 'A document has too many nodes',
    cause: 'After the expansion of YAML aliases the document has more nodes than limits.nodes allows.',
    fix: 'Use $ref in place of YAML aliases, or raise limits.nodes.',
  },
  'number-inexact': {
    severity: 'warning',
    title: 'A number is larger or finer than a double can hold',
    cause: 'The generated code works with IEEE 754 doubles, so the number is rounded.',
    fix: 'Use a number that a double can hold.',
  },
  // --- references
  'ref-invalid': {
    severity: 'error',
    title: 'A $ref is not a usable reference',
    cause: 'It is not a string, not a URI reference, or its fragment is not a JSON pointer or an anchor.',
    fix: 'Write "#/components/schemas/Name", "file.yaml#/Name" or a URL that is allowed.',
  },
  'ref-not-found': {
    severity: 'error',
    title: 'A $ref leads nowhere',
    cause: 'The document was found, but it has no member at that pointer or no such anchor.',
    fix: 'Correct the pointer, or add the member.',
  },
  'ref-outside-root': {
    severity: 'error',
    title: 'A $ref leaves the reference root',
    cause: 'Ref outside root: files are read only below the folder of the entry document, after links are resolved.',
    fix: 'Move the file below it, or widen it with --ref-root DIR.',
  },
  'ref-remote': {
    severity: 'error',
    title: 'A $ref leads to a remote document',
    cause: 'Remote documents are read only from origins that were allowed.',
    fix: 'Add --allow-remote ORIGIN, or copy the document beside the entry.',
  },
  'dynamic-too-many': {
    severity: 'error',
    title: 'Dynamic references have too many meanings',
    cause:
      'Schemas that dynamic references can be reached from are compiled once for each way that leads to them; here, that would be more than 10,000.',
    fix: 'Use fewer schema resources with dynamic anchors, or plain references.',
  },
  'ref-circular': {
    severity: 'error',
    title: 'A reference leads back to itself',
    cause: 'A circular chain of $ref, allOf, anyOf, oneOf or not never reaches a schema that says something.',
    fix: 'Break the circle; recursion is fine through properties and items.',
  },
  'remote-failed': {
    severity: 'error',
    title: 'A remote document could not be fetched',
    cause: 'The server did not answer with status 200 within the limits.',
    fix: 'Check the URL and the network.',
  },
  // --- overlays
  'overlay-invalid': {
    severity: 'error',
    title: 'An overlay cannot be applied',
    cause:
      'It is not what the Overlay Specification (1.0 or 1.1) says, or an action does not fit what its target selects.',
    fix: 'Mend the overlay at the place that is shown.',
  },
  'overlay-unmatched': {
    severity: 'warning',
    title: 'An action of an overlay changes nothing',
    cause: 'Its target, a JSONPath query, selects nothing in the documents that the overlay is applied to.',
    fix: 'Correct the target, or remove the action.',
  },
  'overlay-unused': {
    severity: 'warning',
    title: 'An overlay is applied to no document',
    cause: 'Its "extends" names a document that is neither an entry nor one that references lead to.',
    fix: 'Correct "extends", or remove it: then the overlay is applied to the entries.',
  },
  // --- meaning
  'keyword-legacy': {
    severity: 'warning',
    title: 'A keyword is written as in an older version',
    cause:
      'The boolean form of exclusiveMinimum and exclusiveMaximum belongs to OpenAPI 3.0 and draft 04; it is read as meant there.',
    fix: 'Write the bound itself: "exclusiveMinimum": 0.',
  },
  'type-mismatch': {
    severity: 'error',
    title: 'A member has the wrong type',
    cause: 'The specification demands another JSON type for this keyword.',
    fix: 'Give a value of the type that the message names.',
  },
  'annotation-invalid': {
    severity: 'warning',
    title: 'A text for readers is no text',
    cause: 'A title, a summary and a description are strings; what stands there is left out of the documentation.',
    fix: 'Write the text itself: the specification knows no reference to it.',
  },
  'keyword-missing': {
    severity: 'error',
    title: 'A required member is missing',
    cause: 'The specification demands this member.',
    fix: 'Add it.',
  },
  'pattern-invalid': {
    severity: 'error',
    title: 'A pattern is not a regular expression',
    cause: 'The pattern does not compile as an ECMA-262 regular expression, with or without the u flag.',
    fix: 'Mend the pattern.',
  },
  'pattern-legacy': {
    severity: 'warning',
    title: 'A pattern compiles only without Unicode mode',
    cause: 'The pattern uses an escape that the u flag forbids, such as "\\-".',
    fix: 'Remove the needless backslash, so that characters beyond U+FFFF count as one.',
  },
  'pattern-slow': {
    severity: 'warning',
    title: 'A pattern can take very long',
    cause: 'Two ways through it take the same text, so an engine that goes back tries all combinations (ReDoS).',
    fix: 'Rewrite the pattern so that there is one way, as "^a+$" for "^(a+)+$", or bound the text by maxLength.',
  },
  'path-parameter-unbound': {
    severity: 'error',
    title: 'A path template names a variable that no parameter binds',
    cause: 'The path has {name}, but no parameter with that name and "in": "path" exists.',
    fix: 'Add the parameter, or remove the braces.',
  },
  'path-parameter-unused': {
    severity: 'warning',
    title: 'A path parameter does not occur in the path',
    cause: 'A parameter with "in": "path" has no {name} in the path template.',
    fix: 'Add {name} to the path, or remove the parameter.',
  },
  'path-invalid': {
    severity: 'error',
    title: 'A path template is malformed',
    cause: 'A path starts with "/", its braces are balanced and no variable occurs twice.',
    fix: 'Mend the path.',
  },
  'path-conflict': {
    severity: 'warning',
    title: 'Two operations answer the same requests',
    cause: 'Their paths differ only in the names of the variables, so the first one answers (OpenAPI, Paths Object).',
    fix: 'Remove one, or merge them.',
  },
  'header-name-invalid': {
    severity: 'error',
    title: 'A name is not an HTTP token',
    cause: 'Header and cookie names are tokens (RFC 9110 section 5.6.2).',
    fix: 'Rename the parameter.',
  },
  'media-type-invalid': {
    severity: 'warning',
    title: 'A media type is malformed',
    cause:
      'A key of "content", or an entry of "consumes" or "produces", is type "/" subtype with optional parameters (RFC 9110 section 8.3.1); this one is ignored.',
    fix: 'Mend the key.',
  },
  'status-invalid': {
    severity: 'error',
    title: 'A key of "responses" is not a status',
    cause: 'A key is a status code from 100 to 599, a range such as "4XX", or "default".',
    fix: 'Mend the key.',
  },
  'security-scheme-unknown': {
    severity: 'error',
    title: 'A security requirement names an unknown scheme',
    cause:
      'The name is not declared in components.securitySchemes (securityDefinitions in OpenAPI 2.0), so nobody could check the credential.',
    fix: 'Declare the scheme, or correct the name.',
  },
  'server-url-ignored': {
    severity: 'warning',
    title: 'A server URL is not used',
    cause: 'It is neither relative nor http(s), or a variable in it has no default.',
    fix: 'Mend the URL, or give baseUrl where the client is made.',
  },
  'parameter-duplicate': {
    severity: 'error',
    title: 'Two parameters have the same name and place',
    cause:
      'A parameter is identified by its "name" and "in"; a list must not hold both, nor two bodies of one request.',
    fix: 'Remove one of the two.',
  },
  'parameter-ignored': {
    severity: 'info',
    title: 'A header parameter is not an argument',
    cause: 'The header belongs to the connection or to the frame of the message, so the platform sets it.',
    fix: 'Remove the parameter to silence this notice.',
  },
  'operation-id-duplicate': {
    severity: 'warning',
    title: 'Two operations have the same operationId',
    cause: 'An operationId must be unique; the generated names of both are qualified.',
    fix: 'Rename one of the two.',
  },
  'name-changed': {
    severity: 'info',
    title: 'A name was qualified',
    cause: 'Two things would have had the same name, or a name that the language reserves.',
    fix: 'Rename one of them in the document to choose the name yourself.',
  },
  'name-lookalike': {
    severity: 'warning',
    title: 'Two names look alike',
    cause: 'The names differ only by characters of different scripts that look the same.',
    fix: 'Rename one of the two.',
  },
  'default-sent': {
    severity: 'info',
    title: 'A required parameter has a default that the client sends',
    cause: 'The parameter is required and its default is valid, so the argument is optional and the default is sent.',
    fix: 'Pass the argument, or set sendDefaults: false.',
  },
  'default-invalid': {
    severity: 'warning',
    title: 'A default does not fit its schema',
    cause: 'The default has another type than the schema allows, so it is not used.',
    fix: 'Mend the default.',
  },
  'events-unchecked': {
    severity: 'warning',
    title: 'The events of a stream are typed but not checked',
    cause: 'The client checks events with the generated validators, and the target validators was not chosen.',
    fix: 'Add validators to the targets.',
  },
  'path-extra': {
    severity: 'warning',
    title: 'A path holds a query or a fragment',
    cause:
      'The path is compared with the path of a request, which never has "?" or "#" in it: the server never finds it.',
    fix: 'Describe the query as parameters.',
  },
  'stream-read': {
    severity: 'info',
    title: 'How the schema of a stream is read',
    cause:
      'OpenAPI describes one item of a stream by itemSchema, and an event by its fields event, data, id and retry. Other forms are in use; this is one.',
    fix: 'Describe the events with itemSchema as objects with event and data; data as a string with contentSchema. The option "streams" says it for a document that is not yours.',
  },
  'stream-item-unread': {
    severity: 'warning',
    title: 'A body whose items are described is no sequence',
    cause:
      'Only sequential media types have items (OpenAPI 3.2, section 4.14.3): the schema of one says nothing of others.',
    fix: 'Use application/jsonl, application/json-seq or text/event-stream, or describe the whole by schema. The option "streams" says the framing for a document that is not yours.',
  },
  'stream-field-unchecked': {
    severity: 'warning',
    title: 'What a schema says of a field of events is not checked',
    cause:
      'Events are checked by their name and the schema of their data. A field is text or absent, and cannot be null; encoded data stays the text that it is.',
    fix: 'Check it by hand, or say it of the data.',
  },
  'event-name-reserved': {
    severity: 'warning',
    title: 'An event has a name that readers use for others, or that is no name',
    cause:
      'Readers give events that are not declared as "$unknown", and refused ones as "$invalid"; a declared event of that name could not be told from them. A name is one line.',
    fix: 'Give the event another name. Until then it is read as one that is not declared, with its name in name.',
  },
  'stream-option-unmatched': {
    severity: 'error',
    title: 'The option "streams" says what cannot be',
    cause:
      'No operation is called like its key; or no body of the operation can have this framing: only a multipart body has parts, which no sentinel ends, and only "sse" has events.',
    fix: 'Write the operationId as the document has it, or method and path, and a framing that fits the media types of the operation.',
  },
  'query-option-unmatched': {
    severity: 'warning',
    title: 'The option "queries" says what cannot be',
    cause:
      'No operation is called so; or it cannot be that: streams are neither queries nor mutations, keys hold no files, and pages need a parameter.',
    fix: 'Write the operation as the document has it, and a kind that fits it.',
  },
  'stream-inherited': {
    severity: 'info',
    title: 'Events are typed by the JSON sibling',
    cause:
      'The text/event-stream response says only "type: string"; the JSON response of the same status types the data.',
    fix: 'Describe the events with itemSchema, or set inheritEventSchema: false.',
  },
  'ref-siblings': {
    severity: 'warning',
    title: 'Members beside a $ref are honoured',
    cause:
      'OpenAPI 2.0 and 3.0 say that members beside $ref are ignored; many tools write them, so oasmith honours them.',
    fix: 'Move them to the referenced schema, or use allOf.',
  },
  'nullable-enum': {
    severity: 'warning',
    title: 'A nullable enumeration does not list null',
    cause: 'By OpenAPI 3.0.3 enum refuses null unless it lists it, and nullable has no effect without type.',
    fix: 'List null in enum and state the type beside it, or remove nullable.',
  },
  'type-empty': {
    severity: 'warning',
    title: 'No value can be valid',
    cause: 'Schemas that apply together contradict each other, such as two lists of values without a common one.',
    fix: 'Mend the schemas; until then the type is never, and validators refuse every value.',
  },
  'type-widened': {
    severity: 'warning',
    title: 'A type says less than its schema',
    cause: 'It combines unions whose alternatives, multiplied, are more than the compiler can write out.',
    fix: 'Nothing to do: validators check all of it. A discriminated union would give a better type.',
  },
  'path-unroutable': {
    severity: 'warning',
    title: 'A path cannot be served',
    cause: 'Two variables of the path stand side by side, so no request says where the first one ends.',
    fix: 'Put text between the two. The client can send it as it is.',
  },
  'path-item-conflict': {
    severity: 'warning',
    title: 'A path item hides members of what it refers to',
    cause:
      'The same member stands beside $ref and in the path item that it leads to, which OpenAPI leaves undefined; the one beside $ref is taken.',
    fix: 'Say it in one of the two places.',
  },
  'method-invalid': {
    severity: 'error',
    title: 'An additional method cannot be one',
    cause: 'A key of "additionalOperations" is an HTTP token, and none of the methods that have a member of their own.',
    fix: 'Use the member of that method, such as "post", or correct the name.',
  },
  'method-unsendable': {
    severity: 'warning',
    title: 'A method cannot be sent by fetch',
    cause: 'The Fetch standard refuses CONNECT, TRACE and TRACK, so the generated function always throws.',
    fix: 'Nothing to do; the server routes the method.',
  },
  'body-unsendable': {
    severity: 'warning',
    title: 'A body stands where none is sent',
    cause: 'The Fetch standard refuses a body of GET and HEAD, and HTTP gives it no meaning (RFC 9110 section 9.3).',
    fix: 'Use the method QUERY or POST, or parameters.',
  },
  'server-name-duplicate': {
    severity: 'warning',
    title: 'Two servers have the same name',
    cause: 'The name of a server is what the client chooses it by; the second one goes without.',
    fix: 'Rename one of the two.',
  },
  'tag-parent': {
    severity: 'warning',
    title: 'The parent of a tag cannot be one',
    cause: 'It is no declared tag, or the chain of parents leads back to where it starts; the tag goes without.',
    fix: 'Name a tag that the root declares, and break the circle.',
  },
  'mapping-unknown': {
    severity: 'warning',
    title: 'A discriminator names a schema that does not exist',
    cause:
      'An entry of "mapping", or "defaultMapping", is neither the name of a component nor a reference; it is left out.',
    fix: 'Correct the name, or declare the component.',
  },
  'keyword-conflict': {
    severity: 'warning',
    title: 'Two keywords exclude each other',
    cause: 'The specification forbids them side by side, so nobody knows which of the two is meant.',
    fix: 'Remove one of the two.',
  },
  // --- what this version does not do yet; the list is exact and shrinks
  'not-yet-parameter': {
    severity: 'warning',
    title: 'The server does not read a form of parameter yet',
    cause:
      'Arrays and objects inside a parameter of the style "deepObject", and styles inside a form, are written by the client only.',
    fix: "Read it from the request's URL by hand.",
  },
  'not-yet-media-type': {
    severity: 'warning',
    title: 'A media type is not read yet',
    cause:
      'The server passes forms on as bytes, which the client writes and reads; an answer of another multipart type that is no sequence is bytes for the client, too.',
    fix: 'Decode the body by hand.',
  },
  'not-yet-security': {
    severity: 'warning',
    title: 'A security scheme does not say how its credential is sent',
    cause:
      'The type is not one of OpenAPI, or the name of a header, a cookie or an HTTP scheme is no token (RFC 9110).',
    fix: 'Mend the scheme, or send the credential with the call options or a custom fetch.',
  },
  ...toolEntries,
} as const satisfies Record<string, Entry>;

export type DiagnosticCode = keyof typeof entries;

export const catalogue: Readonly<Record<DiagnosticCode, Entry>> = entries;
