/** Answers that are forms, and how their members are read. */
import { type Code, code, joinCode, literal } from '../encode.js';
import type { Api, Encoding, MediaType } from '../ir/api.js';
import type { Shape } from '../ir/shape.js';
import { FormFields, isJsonType, isStyled } from './form-fields.js';
import type { RuntimeName } from './runtime-imports.js';
import { alternatives, flatten, kindList, scalarOf } from './scalar-kinds.js';

/** Whether an answer of this type is read as a form. Parts of other multipart types have no names. */
export function isReadForm({ kind, essence, stream }: MediaType): boolean {
  return !stream && (kind === 'form' || essence === 'multipart/form-data');
}

/** Whether the schema describes what a program has of the form: not where there are files in it. */
export function isCheckedForm(api: Api, media: MediaType): boolean {
  return isReadForm(media) && (media.kind === 'form' || new FormFields(api).of(media).every(({ isFile }) => !isFile));
}

/** The reader, with what it is to know of the members. */
export function formReaderText(api: Api, forms: FormFields, media: MediaType, use: (name: RuntimeName) => Code): Code {
  const encodings = new Map(media.encoding.map(({ name, encoding }) => [name, encoding]));
  const files = new Map(forms.of(media).map((field) => [field.name, field]));
  const objects = (media.schema === undefined ? [] : alternatives(api, media.schema)).filter(
    (part) => part.kind === 'object',
  );
  const shapes = new Map<string, Shape[]>();
  for (const { name, shape } of objects.flatMap(({ properties }) => properties))
    shapes.set(name, [...(shapes.get(name) ?? []), shape]);
  const others = objects.flatMap(({ additional }) => (additional ? [additional] : []));
  const rest = others.length === 0 ? [] : valueMembers(api, others, {}, undefined);
  // A member that is one text need not be listed, unless others are told by not being listed.
  const isListed =
    media.kind === 'multipart' || rest.length > 0 || [...encodings.values()].some((encoding) => isExploded(encoding));
  const members = [...shapes].map(([name, all]) => {
    const field = files.get(name);
    if (field?.isFile) return record(name, [code`file: true`, ...(field.isArray ? [code`list: true`] : [])]);
    return record(name, valueMembers(api, all, encodings.get(name) ?? {}, field?.type), isListed);
  });
  const list = code`[${joinCode(
    members.flatMap((member) => member ?? []),
    ', ',
  )}]`;
  const reader = use(media.kind === 'form' ? 'formReader' : 'multipartReader');
  return rest.length === 0 ? code`${reader}(${list})` : code`${reader}(${list}, { ${joinCode(rest, ', ')} })`;
}

function record(name: string, members: readonly Code[], isNeeded = false): Code | undefined {
  if (members.length === 0 && !isNeeded) return undefined;
  return code`{ ${joinCode([code`name: ${literal(name)}`, ...members], ', ')} }`;
}

/** Whether an object is written by the names of its own properties: `a=1&b=2` (OpenAPI, style `form` with `explode`). */
function isExploded(encoding: Partial<Encoding>): boolean {
  const { style = 'form', explode = style === 'form' } = encoding;
  return isStyled(encoding) && style === 'form' && explode;
}

const containers: ReadonlySet<Shape['kind']> = new Set(['object', 'array', 'tuple']);

function valueMembers(
  api: Api,
  shapes: readonly Shape[],
  encoding: Partial<Encoding>,
  type: string | undefined,
): readonly Code[] {
  const { style, explode = (style ?? 'form') === 'form', allowReserved } = encoding;
  const parts = shapes.flatMap((shape) => flatten(api, shape));
  const isStyled = style !== undefined || allowReserved !== undefined || !explode;
  if (isStyled && style === 'deepObject') return [code`deep: true`, ...deepMembers(api, parts, 0)];
  const items = parts.flatMap(itemsOf).flatMap((item) => flatten(api, item));
  const isList = parts.some(({ kind }) => kind === 'array' || kind === 'tuple');
  const isObject = parts.some(({ kind }) => kind === 'object');
  if (isStyled && !explode && (isList || isObject)) {
    const split = code`split: ${literal(style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',')}`;
    return [split, ...(isList ? [code`list: true`, ...kinds(items)] : [objectMembers(api, parts, 0)])];
  }
  if (isExploded(encoding) && isObject && !isList)
    return [code`spread: true`, code`json: true`, spreadMembers(api, parts)];
  // With a media type of its own an array is one text of JSON.
  if (isJsonType(type)) return [code`json: true`, ...(isList ? [code`list: true`] : [])];
  const values = isList ? items : parts;
  const isJson = values.length > 0 && values.every(({ kind }) => containers.has(kind) || kind === 'null');
  return [
    ...(isJson ? [code`json: true`] : kinds(values)),
    ...(isList ? [code`list: true`] : []),
    ...(isList && values.some(({ kind }) => kind === 'array' || kind === 'tuple') ? [code`nested: true`] : []),
  ];
}

function kinds(values: readonly Shape[]): readonly Code[] {
  const found = new Set(values.flatMap(scalarOf));
  return [...found].every((kind) => kind === 'string') ? [] : [code`kinds: ${kindList(found)}`];
}

function itemsOf(shape: Shape): readonly Shape[] {
  if (shape.kind === 'array') return [shape.items];
  return shape.kind === 'tuple' ? [...shape.items, ...(shape.rest ? [shape.rest] : [])] : [];
}

/** Schemas may contain themselves; what is deeper is text. */
const deepest = 4;

function deepMembers(api: Api, parts: readonly Shape[], depth: number): readonly Code[] {
  if (depth >= deepest) return [];
  const items = parts.flatMap(itemsOf).flatMap((item) => flatten(api, item));
  if (items.length > 0) return [code`list: true`, ...deepMembers(api, items, depth + 1)];
  return parts.some(({ kind }) => kind === 'object') ? [objectMembers(api, parts, depth)] : kinds(parts);
}

function objectMembers(api: Api, parts: readonly Shape[], depth: number): Code {
  const properties = parts.flatMap((part) => (part.kind === 'object' ? part.properties : []));
  const members = properties.flatMap(
    ({ name, shape }) => record(name, deepMembers(api, flatten(api, shape), depth + 1)) ?? [],
  );
  return code`members: [${joinCode(members, ', ')}]`;
}

/** All of them, texts too: a name that is not listed is a member of the form itself. */
function spreadMembers(api: Api, parts: readonly Shape[]): Code {
  const properties = parts.flatMap((part) => (part.kind === 'object' ? part.properties : []));
  const members = properties.flatMap(
    ({ name, shape }) => record(name, valueMembers(api, [shape], {}, undefined), true) ?? [],
  );
  return code`members: [${joinCode(members, ', ')}]`;
}

/** The runtime files that reading forms needs, where an answer is one. */
export function formFiles({ operations }: Api): readonly string[] {
  const forms = operations
    .flatMap(({ responses }) => responses.flatMap(({ content }) => content))
    .filter((media) => isReadForm(media));
  const readers = new Set(forms.map(({ kind }) => (kind === 'form' ? 'read-form.ts' : 'read-multipart.ts')));
  return readers.size === 0 ? [] : ['form-members.ts', 'scalar-text.ts', ...readers];
}
