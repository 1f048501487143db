/** The documents of the OpenAPI Specification's own tests that are wrong: `oasmith validate` refuses each, at the place of the fault. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DescriptionChecks, descriptionFaults } from '../../src/check-description.js';
import { resolveOptions } from '../../src/config.js';
import { runJob } from '../../src/generate.js';
import { load } from '../../src/load/load.js';
import { memoryHost } from '../../src/memory-host.js';
import { nodeHost } from '../../src/node-host.js';
import { repository } from '../support/paths.js';
import { walkFiles } from '../support/walk-files.js';

const encodings = '/components/requestBodies/encoding-with-';

/** Of each document, the places that errors name. Written by hand, from what the text of the document says is wrong. */
export const faults: ReadonlyMap<string, readonly string[]> = new Map([
  ['v3.1/fail/example-examples.yaml', ['/components/parameters/animal']],
  ['v3.1/fail/header-object-allowReserved.yaml', ['/components/headers/Style/allowReserved']],
  [
    'v3.1/fail/invalid_schema_types.yaml',
    ['/components/schemas/invalid_null', '/components/schemas/invalid_number', '/components/schemas/invalid_array'],
  ],
  ['v3.1/fail/link-object-no-body.yaml', ['/components/links/Link-Object-with-body-property/body']],
  ['v3.1/fail/no_containers.yaml', ['']],
  [
    'v3.1/fail/parameter-object-cookie-form-allowReserved.yaml',
    ['/components/parameters/style_form/allowReserved', '/components/parameters/style_cookie/style'],
  ],
  ['v3.1/fail/parameter-object-header-allowReserved.yaml', ['/components/parameters/header/allowReserved']],
  ['v3.1/fail/parameter-object-path-allowReserved.yaml', ['/components/parameters/path']],
  ['v3.1/fail/server_enum_empty.yaml', ['/servers/0/variables/var/enum']],
  ['v3.1/fail/servers.yaml', ['/servers']],
  ['v3.1/fail/unknown_container.yaml', ['']],
  [
    'v3.2/fail/encoding-enc-item-exclusion.yaml',
    [`${encodings}prefixEncoding-not-allowed/content/multipart~1mixed/prefixEncoding/0/prefixEncoding`],
  ],
  [
    'v3.2/fail/encoding-enc-prefix-exclusion.yaml',
    [`${encodings}itemEncoding-not-allowed/content/multipart~1mixed/prefixEncoding/0/itemEncoding`],
  ],
  ['v3.2/fail/example-examples.yaml', ['/components/parameters/animal']],
  ['v3.2/fail/example-object-old-exclusions.yaml', ['/components/examples/CannotHaveBoth']],
  ['v3.2/fail/example-object-old-vs-data.yaml', ['/components/examples/NoValueWithDataValue']],
  ['v3.2/fail/example-object-old-vs-ser.yaml', ['/components/examples/CannotHaveBoth']],
  ['v3.2/fail/example-object-ser-exclusions.yaml', ['/components/examples/CannotHaveBoth']],
  ['v3.2/fail/header-object-allowReserved.yaml', ['/components/headers/Style/allowReserved']],
  ['v3.2/fail/header-object-name.yaml', ['/paths/~1foo/get/responses/default/headers/Bad=Header']],
  [
    'v3.2/fail/invalid_schema_types.yaml',
    ['/components/schemas/invalid_null', '/components/schemas/invalid_number', '/components/schemas/invalid_array'],
  ],
  [
    'v3.2/fail/media-type-enc-item-exclusion.yaml',
    [`${encodings}itemEncoding-not-allowed/content/multipart~1mixed/itemEncoding`],
  ],
  [
    'v3.2/fail/media-type-enc-prefix-exclusion.yaml',
    [`${encodings}prefixEncoding-not-allowed/content/multipart~1mixed/prefixEncoding`],
  ],
  ['v3.2/fail/no_containers.yaml', ['']],
  ['v3.2/fail/operation-object-query-with-querystring.yaml', ['/components/pathItems/my-path-item/get/parameters']],
  ['v3.2/fail/operation-object-two-querystrings.yaml', ['/components/pathItems/my-path-item/get/parameters']],
  ['v3.2/fail/parameter-object-content-not-with-style.yaml', ['/components/parameters/content-not-with-style/style']],
  ['v3.2/fail/parameter-object-cookie-allowReserved.yaml', ['/components/parameters/my_cookie/allowReserved']],
  ['v3.2/fail/parameter-object-header-allowReserved.yaml', ['/components/parameters/header/allowReserved']],
  ['v3.2/fail/parameter-object-header-name.yaml', ['/components/parameters/BadHeader/name']],
  [
    'v3.2/fail/parameter-object-path-name.yaml',
    ['/components/parameters/BadPath/name', '/components/parameters/BadPath'],
  ],
  [
    'v3.2/fail/parameter-object-querystring-not-with-schema.yaml',
    ['/components/parameters/querystring-not-with-schema'],
  ],
  [
    'v3.2/fail/path-item-object-conflicting-additional-operation.yaml',
    [
      '/paths/~1pets~1{id}/additionalOperations/POST',
      // References to components that this document lacks.
      ...['get', 'additionalOperations/POST'].flatMap((operation) => [
        `/paths/~1pets~1{id}/${operation}/responses/200/content/*~1*/schema/items`,
        `/paths/~1pets~1{id}/${operation}/responses/default/content/text~1html/schema`,
      ]),
    ],
  ],
  ['v3.2/fail/path-item-object-query-with-querystring.yaml', ['/components/pathItems/my-path-item/parameters']],
  ['v3.2/fail/path-item-object-two-querystrings.yaml', ['/components/pathItems/my-path-item/parameters']],
  ['v3.2/fail/server_enum_empty.yaml', ['/servers/0/variables/var/enum']],
  ['v3.2/fail/servers.yaml', ['/servers']],
  ['v3.2/fail/unknown_container.yaml', ['']],
  ['v3.2/fail/xml-attr-exclusion.yaml', ['/components/schemas/Attr/xml/attribute']],
  ['v3.2/fail/xml-wrapped-exclusion.yaml', ['/components/schemas/List/xml/wrapped']],
]);

/** Documents below `<folder>/<version>/fail`, by their paths below the folder. */
export function failDocuments(folder: string): readonly string[] {
  return walkFiles(folder)
    .filter((path) => /^[^/]+\/fail\/.*\.(?:ya?ml|json)$/.test(path))
    .sort();
}

/** What the build has made. */
export async function builtChecks(): Promise<DescriptionChecks> {
  const built = join(repository, 'dist/cli-description-checks.js');
  return ((await import(/* @vite-ignore */ built)) as { readonly descriptionChecks: DescriptionChecks })
    .descriptionChecks;
}

/** The places that the errors of `oasmith validate` name, in order. */
export async function errorPlaces(path: string, checks: DescriptionChecks): Promise<readonly string[]> {
  const folder = dirname(path);
  const job = resolveOptions({ input: relative(folder, path) });
  const { diagnostics } = await runJob({ ...job, targets: [] }, nodeHost(folder), undefined, (loaded, read) =>
    descriptionFaults(loaded, read, checks),
  );
  return diagnostics.flatMap(({ severity, at }) => (severity === 'error' ? [at?.pointer ?? 'nowhere'] : [])).sort();
}

/** What the meta-schema alone says of a document, which may be packed. */
export async function metaSchemaFaults(path: string, checks: DescriptionChecks): Promise<readonly string[]> {
  const packed = path.endsWith('.gz');
  const name = packed ? (path.split('/').at(-1) ?? '').slice(0, -'.gz'.length) : relative(dirname(path), path);
  const host = packed
    ? memoryHost({ [`/project/${name}`]: gunzipSync(readFileSync(path)) }, { cwd: '/project' })
    : nodeHost(dirname(path));
  const { limits } = resolveOptions({ input: name });
  const loaded = await load({ entries: [name], allowRemote: [], limits, overlays: [] }, host);
  const found = await descriptionFaults(loaded, { apis: [], diagnostics: [] }, checks);
  return found.map(({ at, message }) => `${at?.pointer} ${message}`);
}
