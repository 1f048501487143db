/** The formats that validators check, and where their checks are; others stay annotations (JSON Schema validation, section 7.2.1). */

/** The modules of the runtime that check formats, each with the ones that it imports. */
const modules = {
  formats: [],
  'format-email': ['formats'],
  'format-hostname': ['punycode'],
  'format-idn-email': ['format-email', 'format-hostname', 'formats', 'punycode'],
  'format-json-pointer': [],
  'format-regex': [],
  'format-uri': ['formats'],
  'format-uri-template': [],
} as const;

export type FormatModule = keyof typeof modules;

export interface FormatCheck {
  readonly name: string;
  readonly module: FormatModule;
}

function check(name: string, module: FormatModule = 'formats'): FormatCheck {
  return { name, module };
}

export const textFormats: ReadonlyMap<string, FormatCheck> = new Map([
  ['date-time', check('isDateTime')],
  ['date', check('isDate')],
  ['time', check('isTime')],
  ['duration', check('isDuration')],
  ['email', check('isEmail', 'format-email')],
  ['idn-email', check('isIdnEmail', 'format-idn-email')],
  ['hostname', check('isHostname', 'format-hostname')],
  ['idn-hostname', check('isIdnHostname', 'format-hostname')],
  ['uuid', check('isUuid')],
  ['uri', check('isUri', 'format-uri')],
  ['uri-reference', check('isUriReference', 'format-uri')],
  ['iri', check('isIri', 'format-uri')],
  ['iri-reference', check('isIriReference', 'format-uri')],
  ['uri-template', check('isUriTemplate', 'format-uri-template')],
  ['json-pointer', check('isJsonPointer', 'format-json-pointer')],
  ['relative-json-pointer', check('isRelativeJsonPointer', 'format-json-pointer')],
  ['regex', check('isRegex', 'format-regex')],
  ['ipv4', check('isIpv4')],
  ['ipv6', check('isIpv6')],
  ['byte', check('isBase64')],
]);

export const numberFormats: ReadonlyMap<string, FormatCheck> = new Map([
  ['int32', check('isInt32')],
  ['int64', check('isInt64')],
]);

/** The functions of the runtime whose names start as those of validators do: `isDate` tells dates, and the values of a schema `Date`. */
export const namedAsValidators: readonly string[] = [
  ...[...textFormats.values(), ...numberFormats.values()].map(({ name }) => name),
  'isEncoded',
];

/** The files of the runtime that these modules are, themselves and by their imports. */
export function formatFiles(used: readonly string[]): readonly string[] {
  const named = Object.entries(modules).filter(([module]) => used.includes(module));
  return [...new Set(named.flatMap(([module, imports]) => [module, ...imports]))].sort();
}
