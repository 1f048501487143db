/** Which functions of the runtime write a parameter: by its place, its style, and what its value can be. */
import type { Encoding, Parameter } from '../ir/api.js';
import type { RuntimeName } from './runtime-imports.js';

/** Of a path's variable `write` is absent where it is written as usual. */
export interface ParameterWriter {
  readonly write?: RuntimeName;
  /** What escapes text, where reserved characters are allowed. */
  readonly encoder?: RuntimeName;
}

/** `isList`: the value can be an array or an object. */
export function parameterWriter(parameter: Parameter, isList: boolean): ParameterWriter {
  const { in: place, content, allowReserved } = parameter;
  const json = content?.kind === 'json';
  const list = isList && content === undefined;
  switch (place) {
    case 'path': {
      const isPlain = !list && !json && !allowReserved && parameter.style === 'simple';
      const write = isPlain ? 'pathText' : json ? 'pathJson' : pathWriter(parameter, list);
      return { write, ...(allowReserved && { encoder: 'reservedInPath' }) };
    }
    case 'query':
      return {
        write: json ? 'jsonField' : queryWriter(parameter, list),
        ...(allowReserved && { encoder: 'reservedInQuery' }),
      };
    case 'querystring':
      return { write: json ? 'queryJson' : content?.kind === 'form' ? 'queryForm' : 'queryText' };
    case 'header':
      return { write: json ? 'headerJson' : list ? (parameter.explode ? 'headerExploded' : 'headerList') : 'header' };
    case 'cookie':
      return {
        write: json ? 'cookieJson' : cookieWriter(parameter, list),
        ...(allowReserved && parameter.style !== 'cookie' && { encoder: 'reservedInCookie' }),
      };
  }
}

/** How a member of a form is written that says a style; members that say none are written by their media types. */
export function fieldWriter({ style, explode, allowReserved }: Encoding, isList: boolean): ParameterWriter {
  if (style === undefined && explode === undefined && allowReserved === undefined) return {};
  const known = style ?? 'form';
  return {
    write: queryWriter({ style: known, explode: explode ?? known === 'form' }, isList),
    ...(allowReserved && { encoder: 'reservedInQuery' }),
  };
}

type Style = Pick<Parameter, 'style' | 'explode'>;

function pathWriter({ style, explode }: Style, isList: boolean): RuntimeName {
  const exploded = explode && isList;
  if (style === 'label') return exploded ? 'labelExploded' : 'label';
  if (style === 'matrix') return exploded ? 'matrixExploded' : 'matrix';
  return exploded ? 'simpleExploded' : 'simple';
}

/** The specification leaves open what the delimited styles are when they are exploded: as in `form`, there is no delimiter then. */
function queryWriter({ style, explode }: Style, isList: boolean): RuntimeName {
  if (!isList) return 'query';
  if (style === 'deepObject') return 'deepObject';
  if (explode) return 'queryList';
  return style === 'spaceDelimited' || style === 'pipeDelimited' ? style : 'queryJoined';
}

function cookieWriter({ style, explode }: Style, isList: boolean): RuntimeName {
  if (style === 'cookie') return explode || !isList ? 'cookieText' : 'cookieTextJoined';
  return isList ? (explode ? 'cookieList' : 'cookieJoined') : 'cookie';
}
