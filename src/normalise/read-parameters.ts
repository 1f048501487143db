/** Parameters of a path item and its operation (OpenAPI, Parameter Object), by the styles of each place. */
import { type Address, childAddress, quote } from '../diagnostics.js';
import type { Parameter, ParameterPlace, PathTemplate } from '../ir/api.js';
import type { JsonValue } from '../ir/schema.js';
import type { Members } from './json.js';
import { isToken } from './media-types.js';
import { readContent } from './read-content.js';
import type { Reading } from './reading.js';

const places: ReadonlySet<string> = new Set(['path', 'query', 'header', 'cookie']);

const styles: Readonly<Record<ParameterPlace, readonly Parameter['style'][]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/** OpenAPI, Parameter Object: header parameters of these names are ignored, other parts of the description say them. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** The operation's parameters, those of the path item first; an operation's own replaces the path item's of the same name and place. */
export function readParameters(
  reading: Reading,
  item: Members,
  operation: Members,
  path: PathTemplate,
  at: Address,
): readonly Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const owner of [item, operation]) {
    const local = new Map<string, Address>();
    for (const [index, value] of (owner.array('parameters') ?? []).entries()) {
      const parameter = readParameter(reading, value, childAddress(owner.at, 'parameters', index));
      if (!parameter) continue;
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      const key = `${parameter.in} ${name}`;
      const twin = local.get(key);
      if (twin) {
        reading.report.report(
          'parameter-duplicate',
          `the ${parameter.in} parameter ${quote(parameter.name)} is declared twice`,
          parameter.at,
          [{ message: 'the first declaration', at: twin }],
        );
      }
      local.set(key, parameter.at);
      byKey.set(key, parameter);
    }
  }
  return bindPath(reading, [...byKey.values()], path, at);
}

function bindPath(
  reading: Reading,
  parameters: readonly Parameter[],
  path: PathTemplate,
  at: Address,
): readonly Parameter[] {
  const bound = new Set(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name));
  const variables = new Set(path.parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])));
  for (const name of variables) {
    if (!bound.has(name)) {
      reading.report.report(
        'path-parameter-unbound',
        `no parameter binds {${quote(name).slice(1, -1)}} of the path ${quote(path.text)}`,
        at,
      );
    }
  }
  return parameters.filter((parameter) => {
    const used = parameter.in !== 'path' || variables.has(parameter.name);
    if (!used)
      reading.report.report(
        'path-parameter-unused',
        `the path has no {${quote(parameter.name).slice(1, -1)}}`,
        parameter.at,
      );
    return used;
  });
}

function readParameter(reading: Reading, value: JsonValue, at: Address): Parameter | undefined {
  const found = reading.follow(value, at);
  if (!found) return undefined;
  const members = reading.members(found);
  const name = members.string('name');
  const place = members.string('in');
  if (name === undefined || place === undefined) {
    reading.report.report('keyword-missing', 'a parameter needs "name" and "in"', found.at);
    return undefined;
  }
  if (place === 'querystring') {
    reading.report.report('not-yet-parameter', '"in": "querystring" is not supported by this version', found.at);
    return undefined;
  }
  if (!isPlace(place)) {
    reading.report.report(
      'type-mismatch',
      `"in" must be "path", "query", "header" or "cookie", not ${quote(place)}`,
      childAddress(found.at, 'in'),
    );
    return undefined;
  }
  if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) return undefined;
  if ((place === 'header' || place === 'cookie') && !isToken(name)) {
    reading.report.report('header-name-invalid', `${quote(name)} is not an HTTP token`, found.at);
    return undefined;
  }
  return finishParameter(reading, members, name, place);
}

function isPlace(text: string): text is ParameterPlace {
  return places.has(text);
}

function finishParameter(reading: Reading, members: Members, name: string, place: ParameterPlace): Parameter {
  const { at } = members;
  const written = members.string('style');
  const style = styles[place].find((known) => known === written) ?? defaultStyle(place);
  if (written !== undefined && written !== style) {
    reading.report.report(
      'type-mismatch',
      `${quote(written)} is not a style of ${place} parameters`,
      childAddress(at, 'style'),
    );
  }
  const explode = members.boolean('explode') ?? (style === 'form' || style === 'cookie');
  const content = readContent(reading, members)[0];
  const schemaValue = members.raw('schema');
  const schema = schemaValue === undefined ? undefined : reading.schema(childAddress(at, 'schema'), schemaValue);
  const supported = isSupported(
    place,
    style,
    explode,
    content !== undefined,
    members.boolean('allowReserved') ?? false,
  );
  if (!supported) {
    reading.report.report(
      'not-yet-parameter',
      `the ${place} parameter ${quote(name)} has a form that is neither written nor read yet`,
      at,
    );
  }
  return {
    name,
    in: place,
    required: place === 'path' || (members.boolean('required') ?? false),
    deprecated: members.boolean('deprecated') ?? false,
    docs: reading.docs(members),
    at,
    ...(schema !== undefined && { schema }),
    ...(content && { content }),
    style,
    explode,
    allowReserved: members.boolean('allowReserved') ?? false,
    supported,
  };
}

function defaultStyle(place: ParameterPlace): Parameter['style'] {
  return place === 'query' || place === 'cookie' ? 'form' : 'simple';
}

/** The default styles of path, query, header and cookie; everything else is reported. */
function isSupported(
  place: ParameterPlace,
  style: Parameter['style'],
  explode: boolean,
  hasContent: boolean,
  allowReserved: boolean,
): boolean {
  if (hasContent || allowReserved) return false;
  return style === defaultStyle(place) && explode === (style === 'form');
}
