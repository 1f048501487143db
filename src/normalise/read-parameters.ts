/** Parameters of a path item and its operation (OpenAPI, Parameter Object), by the styles of each place. */
import { type Address, childAddress, quote } from '../diagnostics.js';
import type { Parameter, ParameterPlace, PathTemplate } from '../ir/api.js';
import { own } from '../json-object.js';
import type { Located } from './follow.js';
import { extensionsOf, type Members } from './json.js';
import { isToken } from './media-types.js';
import type { PathItem } from './path-item.js';
import { readContent } from './read-content.js';
import { readExamples } from './read-details.js';
import type { Reading } from './reading.js';

const places: ReadonlySet<string> = new Set(['path', 'query', 'querystring', 'header', 'cookie']);

const styles: Readonly<Record<ParameterPlace, readonly Parameter['style'][]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  querystring: ['form'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/** OpenAPI, Parameter Object: header parameters of these names are ignored, other parts of the description say them. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** The operation's parameters, those of the path item first; an operation's own replaces the path item's of the same name and place. */
export function readParameters(
  reading: Reading,
  item: PathItem,
  operation: Members,
  path: PathTemplate | undefined,
): readonly Parameter[] {
  const byKey = new Map<string, Parameter>();
  let mayBind = false;
  for (const owner of [item.owner('parameters'), operation]) {
    const local = new Map<string, Address>();
    for (const { value, at } of (owner?.has('parameters') && reading.list(owner, 'parameters')) || []) {
      const found = reading.follow(value, at);
      const parameter = found && reading.once(parameterOf, found, at);
      if (!parameter) {
        mayBind ||= found === undefined || !['query', 'header', 'cookie'].includes(String(own(found.value, 'in')));
        continue;
      }
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      const key = `${parameter.in} ${parameter.in === 'querystring' ? '' : name}`;
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
  const parameters = [...byKey.values()];
  reportTwoQueries(reading, parameters);
  return path ? bindPath(reading, parameters, path, operation.at, mayBind) : parameters;
}

/** The whole query as one value leaves no room for parameters of it (OpenAPI 3.2, Parameter Object). */
function reportTwoQueries(reading: Reading, parameters: readonly Parameter[]): void {
  const whole = parameters.find((parameter) => parameter.in === 'querystring');
  const part = whole && parameters.find((parameter) => parameter.in === 'query');
  if (!whole || !part) return;
  reading.report.report(
    'parameter-duplicate',
    `the query is described as a whole by ${quote(whole.name)} and in part by ${quote(part.name)}`,
    part.at,
    [{ message: 'the description of the whole', at: whole.at }],
  );
}

/** `mayBind`: a parameter could not be read, which has been reported, and may be the one that a variable lacks. */
function bindPath(
  reading: Reading,
  parameters: readonly Parameter[],
  path: PathTemplate,
  at: Address,
  mayBind: boolean,
): readonly Parameter[] {
  const bound = new Set(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name));
  const variables = new Set(path.parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])));
  for (const name of variables) {
    if (!bound.has(name) && !mayBind) {
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

function parameterOf(reading: Reading, found: Located): Parameter | undefined {
  const members = reading.members(found);
  const name = members.string('name');
  const place = members.string('in');
  if (name === undefined || place === undefined) {
    reading.report.report('keyword-missing', 'a parameter needs "name" and "in"', found.at);
    return undefined;
  }
  if (!isPlace(place)) {
    reading.report.report(
      'type-mismatch',
      `"in" must be "path", "query", "querystring", "header" or "cookie", not ${quote(place)}`,
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
  const schema = reading.schemaOf(members, 'schema');
  if (place === 'querystring' && !content)
    reading.report.report('keyword-missing', 'a parameter in the place "querystring" needs "content"', at);
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
    allowEmptyValue: members.boolean('allowEmptyValue') ?? false,
    examples: readExamples(reading, members),
    extensions: extensionsOf(members.object),
  };
}

function defaultStyle(place: ParameterPlace): Parameter['style'] {
  return place === 'query' || place === 'querystring' || place === 'cookie' ? 'form' : 'simple';
}
