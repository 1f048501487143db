/** Operations as declarations: what they take, by place, and what they answer. */
import type { Address } from '../../diagnostics.js';
import type { MediaType, Operation, Response } from '../../ir/api.js';
import type { DeclarationId, FunctionDeclaration } from '../../ir/declaration-graph.js';
import { type DeclarationWriter, inOrder, type PropertyPlace, rootId, stepText } from './declaration-writer.js';
import type { DeclaredName, DeclaredNames } from './declared-names.js';
import type { View, Views } from './views.js';

export class FunctionDeclarations {
  readonly #views: Views;
  readonly #names: DeclaredNames;
  readonly #writer: DeclarationWriter;

  constructor(views: Views, names: DeclaredNames, writer: DeclarationWriter) {
    this.#views = views;
    this.#names = names;
    this.#writer = writer;
  }

  declare(operation: Operation): void {
    const name = this.#names.methods.get(operation.id);
    if (name === undefined) throw new Error(`no name was given to ${operation.id}`);
    const id = `(resource) ${name.resource} > (method) ${name.name}`;
    const { returns, responseChildren } = this.#answer(operation, name);
    this.#writer.add(id, {
      kind: 'HttpDeclFunction',
      oasRef: this.#writer.oasRef(operation.at),
      deprecated: operation.deprecated,
      ident: name.name,
      qualified: `${name.resource}.${name.name}`,
      ...(returns !== undefined && { returns }),
      paramsChildren: this.#parameters(operation, id),
      bodyParamsChildren: this.#bodies(operation, id),
      responseChildren,
    } satisfies FunctionDeclaration);
  }

  #parameters({ parameters }: Operation, id: DeclarationId): FunctionDeclaration['paramsChildren'] {
    const children: Record<string, DeclarationId[]> = { path: [], query: [], header: [] };
    const taken = new Set<string>();
    for (const parameter of parameters) {
      const { name, in: place, required, docs, deprecated, at, schema, content } = parameter;
      // Two parameters of one name in different places are two.
      let step = stepText(name);
      while (taken.has(step)) step = `${place}.${step}`;
      taken.add(step);
      const location = place === 'querystring' ? 'query' : place;
      const list = children[location] ?? [];
      children[location] = list;
      list.push(
        this.#writer.property({
          id: `${id} > (params) default > (param) ${step} > (schema)`,
          key: name,
          part: schema ?? content?.schema ?? unknownAt(at),
          required,
          location,
          at,
          deprecated,
          ...(docs.description !== undefined && { description: docs.description }),
        }),
      );
    }
    return children;
  }

  /** The members of a body stand beside each other like parameters; a body that is no object is one of them. */
  #bodies({ body }: Operation, id: DeclarationId): FunctionDeclaration['bodyParamsChildren'] {
    const entries = (body?.content ?? []).map((media, index) => {
      const place = (key: string): DeclarationId => `${id} > (params) ${index} > (param) ${stepText(key)} > (schema)`;
      const whole: PropertyPlace = {
        id: place('body'),
        key: 'body',
        part: media.schema ?? media.itemSchema ?? bytesOf(media),
        required: body?.required === true,
        location: 'body',
      };
      const members = this.#members(media)?.map(
        ({ name, schema, required }): PropertyPlace => ({
          id: place(name),
          key: name,
          part: schema,
          required,
          location: 'body',
        }),
      );
      return [media.text, (members ?? [whole]).map((member) => this.#writer.property(member))] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Where the body is an object, its members in the order in which they are printed. */
  #members({ schema }: MediaType): ObjectView['properties'] | undefined {
    const view = schema === undefined ? undefined : this.#views.end(this.#views.use(schema));
    return view?.kind === 'object' && view.properties.length > 0 ? inOrder(view.properties) : undefined;
  }

  /** Of several good answers the first one tells the type; what stands inline gets a name. */
  #answer({ responses }: Operation, method: DeclaredName): Answer {
    const response = responses.find(isGood) ?? responses.find(({ status }) => status.kind === 'default');
    const media = response?.content.find(({ kind }) => kind === 'json') ?? response?.content[0];
    if (media === undefined) return { responseChildren: [] };
    const part = media.schema ?? media.itemSchema;
    if (part === undefined) return { returns: this.#writer.type(bytesOf(media)), responseChildren: [] };
    const view = this.#views.use(part);
    if (view.kind === 'reference')
      return { returns: this.#writer.orNull(part), responseChildren: this.#writer.childIds(view, '') };
    const name = this.#names.response(method);
    return { returns: this.#writer.declareAs(name, view), responseChildren: this.#writer.childIds(view, rootId(name)) };
  }
}

type Answer = Pick<FunctionDeclaration, 'returns' | 'responseChildren'>;

type ObjectView = Extract<View, { readonly kind: 'object' }>;

function isGood({ status }: Response): boolean {
  return status.kind === 'exact'
    ? status.code >= 200 && status.code < 300
    : status.kind === 'range' && status.hundred === 2;
}

function bytesOf({ at, essence }: MediaType): View {
  return { at, docs: {}, constraints: {}, nullable: false, kind: 'binary', contentType: [essence] };
}

function unknownAt(at: Address): View {
  return { at, docs: {}, constraints: {}, nullable: false, kind: 'scalar', name: 'unknown' };
}
