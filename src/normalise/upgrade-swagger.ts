/**
 * The upgrade of OpenAPI 2.0, at the door: builds the description that OpenAPI 3 would have written, for the readers that
 * know no versions. Schemas stay where they are; every object that is made here is noted with the place that it comes
 * from, so that diagnostics, documentation and the ids of schemas speak of the document as it was written.
 *
 * References to parameters, responses and path items are followed here, because what they lead to may become a body.
 */
import { type Collector, childAddress, type JsonPointer } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import { isObject, type JsonObject, own } from '../json-object.js';
import type { SourceDocument, Sources } from '../load/sources.js';
import type { Members } from './json.js';
import { isMediaType, mediaTypeKind } from './media-types.js';
import type { Origins } from './origins.js';
import { keep, UpgradeContext } from './upgrade-context.js';
import { upgradeSecuritySchemes, upgradeServers } from './upgrade-swagger-access.js';
import { type RequestParts, readRequestParts, upgradeBody, upgradeValue } from './upgrade-swagger-parameters.js';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;

/** The value of a description in the form of OpenAPI 3: the document's own, or what the upgrade makes of it. */
export function upgradeDescription(
  document: SourceDocument,
  sources: Sources,
  report: Collector,
  origins: Origins,
): JsonValue {
  const { value, kind, uri } = document;
  if (kind.kind !== 'openapi' || kind.version !== '2.0' || !isObject(value)) return value;
  const context = new UpgradeContext(sources, report, origins);
  const root = context.members(value, { document: uri, pointer: '' as JsonPointer });
  const operations = new OperationUpgrade(context, root);
  const servers = upgradeServers(context, root, root);
  return {
    ...keep(root, 'info', 'tags', 'externalDocs', 'security'),
    ...(servers && { servers }),
    paths: Object.fromEntries(
      context.followMap(root, 'paths').map(([path, item]) => [path, operations.upgradePathItem(item)]),
    ),
    components: { securitySchemes: upgradeSecuritySchemes(context, root) },
  };
}

class OperationUpgrade {
  readonly #context: UpgradeContext;
  readonly #root: Members;
  readonly #consumes: readonly string[] | undefined;
  readonly #produces: readonly string[] | undefined;

  constructor(context: UpgradeContext, root: Members) {
    this.#context = context;
    this.#root = root;
    this.#consumes = context.mediaTypes(root, 'consumes');
    this.#produces = context.mediaTypes(root, 'produces');
  }

  upgradePathItem(item: Members): JsonObject {
    const shared = readRequestParts(this.#context, item);
    const operations = methods.flatMap((method) => {
      const value = item.objectMember(method);
      const at = childAddress(item.at, method);
      return value ? [[method, this.#upgradeOperation(this.#context.members(value, at), shared)]] : [];
    });
    const made = { ...keep(item), parameters: shared.parameters, ...Object.fromEntries(operations) };
    return this.#context.made(made, item.at);
  }

  #upgradeOperation(operation: Members, shared: RequestParts): JsonObject {
    const parts = readRequestParts(this.#context, operation);
    const consumes = this.#context.mediaTypes(operation, 'consumes') ?? this.#consumes;
    const requestBody = upgradeBody(this.#context, shared, parts, consumes);
    const servers = operation.has('schemes') ? upgradeServers(this.#context, this.#root, operation) : undefined;
    return {
      ...keep(operation, 'tags', 'summary', 'description', 'externalDocs', 'operationId', 'deprecated', 'security'),
      parameters: parts.parameters,
      ...(requestBody && { requestBody }),
      ...(operation.has('responses') && { responses: this.#upgradeResponses(operation) }),
      ...(servers && { servers }),
    };
  }

  #upgradeResponses(operation: Members): JsonObject {
    const produces = this.#context.mediaTypes(operation, 'produces');
    return Object.fromEntries(
      this.#context
        .followMap(operation, 'responses')
        .map(([status, response]) => [status, this.#upgradeResponse(response, produces)]),
    );
  }

  #upgradeResponse(response: Members, produces: readonly string[] | undefined): JsonObject {
    const headers = this.#context
      .followMap(response, 'headers')
      .map(([name, header]) => [
        name,
        this.#context.made(
          { ...keep(header, 'description'), ...upgradeValue(this.#context, header, 'simple') },
          header.at,
        ),
      ]);
    const made = {
      ...keep(response, 'description'),
      headers: Object.fromEntries(headers),
      content: this.#upgradeContent(response, produces),
    };
    return this.#context.made(made, response.at);
  }

  #upgradeContent(response: Members, produces: readonly string[] | undefined): JsonObject {
    const examples = response.objectMember('examples') ?? {};
    const schema = response.raw('schema');
    const isFile = isObject(schema) && own(schema, 'type') === 'file';
    // Without a schema there is no content, but an example shows one all the same.
    const types = schema === undefined ? [] : isFile ? this.#fileTypes(produces) : this.#types(produces, examples);
    const shown = schema === undefined ? Object.keys(examples).filter(isMediaType) : [];
    return Object.fromEntries(
      [...types, ...shown].map((text) => {
        const example = Object.hasOwn(examples, text) ? examples[text] : undefined;
        const media = {
          ...(schema !== undefined && !isFile && { schema }),
          ...(example !== undefined && { example }),
        };
        return [text, this.#context.made(media, response.at)];
      }),
    );
  }

  #types(produces: readonly string[] | undefined, examples: JsonObject): readonly string[] {
    const declared = produces ?? this.#produces;
    if (declared !== undefined && declared.length > 0) return declared;
    const shown = Object.keys(examples).filter(isMediaType);
    return shown.length > 0 ? shown : ['application/json'];
  }

  /** What the root produces is said of the answers that are no files; only an operation's own JSON may be one. */
  #fileTypes(produces: readonly string[] | undefined): readonly string[] {
    const declared = produces ?? this.#produces?.filter((text) => mediaTypeKind(text) !== 'json') ?? [];
    return declared.length > 0 ? declared : ['application/octet-stream'];
  }
}
