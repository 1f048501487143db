/** The part of the diagnostic catalogue that is about oasmith itself: its configuration, its targets and its output. */
export interface Entry {
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

export const toolEntries = {
  'description-invalid': {
    severity: 'error',
    title: 'A description is not what its version of OpenAPI allows',
    cause: 'The official meta-schema refuses what stands there; oasmith validate asks it, other commands do without.',
    fix: 'Mend the place that is shown, as the specification of the version says.',
  },
  // --- configuration and command line
  'usage-invalid': {
    severity: 'error',
    title: 'The command line is not understood',
    cause:
      'A command or an option is unknown, is given twice or lacks its value, or the command lacks what it works on.',
    fix: 'Run oasmith --help for the commands and options.',
  },
  'config-invalid': {
    severity: 'error',
    title: 'The configuration is not usable',
    cause: 'An option is unknown or has a wrong type.',
    fix: 'See the options in the README.',
  },
  'filter-unmatched': {
    severity: 'warning',
    title: 'A filter matches nothing',
    cause: 'No operation or named schema of the documents has what the pattern says.',
    fix: 'Correct the pattern, or remove it.',
  },
  'import-unused': {
    severity: 'warning',
    title: 'A file that a package stands for is not referred to',
    cause: 'imports in the configuration names a file that no reference leads to.',
    fix: 'Correct the path, which is relative to the configuration, or remove the entry.',
  },
  'pin-unusable': {
    severity: 'error',
    title: 'A name of your own cannot be given',
    cause:
      'names in the configuration names a component or operation that the document lacks, or a word that the language reserves.',
    fix: 'Correct the configuration.',
  },
  'mirror-unknown': {
    severity: 'error',
    title: 'A mirrored header names nothing',
    cause:
      'headersFromBody or x-oasmith-from-body names an operation, a header or a body member that the document lacks, or one header twice.',
    fix: 'Correct the configuration, or the extension of the parameter.',
  },
  'link-unresolved': {
    severity: 'warning',
    title: 'A link cannot be followed',
    cause:
      'It names an operation, a parameter or a part of the call that is not there, or its value is no runtime expression.',
    fix: 'Correct the link; the message says what it names. Until then no function is written for it.',
  },
  'no-webhooks': {
    severity: 'warning',
    title: 'There is nothing to receive or to send',
    cause: 'The target webhooks is chosen, but the description has no webhooks and no callbacks.',
    fix: 'Leave the target out, or describe what the service sends under webhooks (x-webhooks before OpenAPI 3.1) or callbacks.',
  },
  'callback-unresolved': {
    severity: 'warning',
    title: 'Where a callback is sent cannot be told',
    cause:
      'The key of the callback is no runtime expression, or speaks of a parameter or a body that the requests around it do not have.',
    fix: "Write an expression such as '{$request.body#/callbackUrl}'. Until then the function that sends it takes the URL.",
  },
  'pagination-unread': {
    severity: 'warning',
    title: 'What a document says of pages cannot be used',
    cause:
      'An extension about paging, or a link of an operation to itself, names what the operation lacks, or is in a form that is not known.',
    fix: 'Correct the document, or say by the option "pagination" how the operation is paged (false: it is not).',
  },
  'pagination-unusable': {
    severity: 'error',
    title: 'The option "pagination" does not fit the operation',
    cause:
      'It names an operation, a parameter or a member of the answer that the document lacks, or leaves out what its kind needs.',
    fix: 'Correct the configuration; the message names the member of the rule.',
  },
  'json-rpc-unknown': {
    severity: 'error',
    title: 'A JSON-RPC endpoint is not in the documents',
    cause:
      'jsonRpc names an operation, a schema, a method, a header or a member that is not there, an expression that is none, or gives a standard error another code.',
    fix: 'Correct jsonRpc in the configuration.',
  },
  'json-rpc-left-out': {
    severity: 'warning',
    title: 'A message of a JSON-RPC endpoint is left out',
    cause: 'An alternative of the union has no method that is a constant, or the method of another alternative.',
    fix: 'Give every request and every notification a method of its own, as a constant.',
  },
  'json-rpc-untyped': {
    severity: 'info',
    title: 'A part of a JSON-RPC method has no schema',
    cause: 'No schema is called by the result of the request, or a message has no name that a validator could have.',
    fix: 'Name the result in jsonRpc.results; give the message a definition of its own.',
  },
  'decls-name': {
    severity: 'warning',
    title: 'A configured name of a declaration cannot be given',
    cause: 'decls in the configuration names no component or operationId of the document, or gives one name twice.',
    fix: 'Correct the configuration.',
  },
  'nothing-to-generate': {
    severity: 'info',
    title: 'A target has nothing to generate',
    cause: 'The document declares no operation or no schema that the target could use.',
    fix: 'Name other targets, or add operations.',
  },
  'derived-too-large': {
    severity: 'error',
    title: 'The derived JSON Schemas are too large',
    cause: 'Each of them holds everything that it reaches, and the components reach one another by many references.',
    fix: 'Leave out the target schemas, or derive from a document with fewer schemas.',
  },
  // --- writing
  'output-foreign': {
    severity: 'error',
    title: 'The output folder holds files that oasmith did not write',
    cause: 'The folder is not empty and has no manifest, or a file in the way is not in it; nothing is overwritten.',
    fix: 'Choose an empty folder, or move those files.',
  },
  'output-unsafe': {
    severity: 'error',
    title: 'The output folder cannot be used safely',
    cause: 'It is a file, holds a link that leads out of it, or lies at or above the project root.',
    fix: 'Choose a folder of its own for the generated code.',
  },
  'manifest-invalid': {
    severity: 'error',
    title: 'The manifest of the output folder is not usable',
    cause: 'oasmith.json is not the file that oasmith wrote, so it cannot tell which files are its own.',
    fix: 'Move files of your own out of the output folder, remove it, and generate it again.',
  },
  'output-stale': {
    severity: 'error',
    title: 'The output folder is not what would be generated',
    cause: 'The document, the configuration or a generated file has changed since the last run.',
    fix: 'Run the command that writes it (oasmith generate, or oasmith derive without --check) with the same options.',
  },
  'scaffold-skipped': {
    severity: 'warning',
    title: 'A file of handlers was left alone',
    cause: 'Handlers are inserted only where it is certain that nothing else changes.',
    fix: 'Add the missing handlers by hand, or move the file away to get a new one.',
  },
  'write-failed': {
    severity: 'error',
    title: 'A file could not be written',
    cause: 'The system refused it.',
    fix: 'Check the free space and the rights of the folder.',
  },
  // --- mocks
  'example-invalid': {
    severity: 'warning',
    title: 'An example is not valid by its schema',
    cause: 'A mock answers with values that clients can check; this one they would refuse.',
    fix: 'Mend the example or the schema; until then another example or a sample is taken.',
  },
  'sample-missing': {
    severity: 'warning',
    title: 'No valid answer was found for a mock',
    cause:
      'The schemas of the answer admit no value, or none that was found; answers in several parts are not made up.',
    fix: 'Give a valid example, or tell the handler what to answer; until then it answers 501.',
  },
} as const satisfies Record<string, Entry>;
