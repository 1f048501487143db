/** Document text as identifiers: total, stable, Unicode kept. Which of two equal ones yields is decided in `names.ts`. */

const maxLength = 100;

// ECMA-262 reserved words in module code, and what a module or a type position cannot name.
const reservedValues: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'this throw true try typeof undefined var void while with yield NaN Infinity globalThis ' +
    // A module namespace or a grouped object with these members would behave like something else.
    'then constructor prototype name length caller toString valueOf hasOwnProperty'
  ).split(' '),
);

const reservedTypes: ReadonlySet<string> = new Set(
  'any unknown never void null undefined string number boolean bigint symbol object true false this typeof keyof infer is asserts unique readonly'.split(
    ' ',
  ),
);

/** 32-bit FNV-1a in base 36: short, stable, needs no library. Only for telling cut names apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The runs of identifier characters in a text. `$` marks names of our own and never comes out of a document. */
function words(text: string): string[] {
  // Nearly all names are ASCII, where the same is found without tables.
  if (asciiPattern.test(text)) return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return text
    .normalize('NFC')
    .split(/[^\p{ID_Continue}]+|_+|[\u200c\u200d]/u)
    .filter((word) => word !== '');
}

const asciiPattern = /^[\x00-\x7f]*$/;

function upperFirst(word: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0);
  return word === '' ? '' : first.toUpperCase() + word.slice(first.length);
}

/** `HTTPServer` → `httpServer`, `GET` → `get`, `Pet` → `pet`. */
function lowerFirst(word: string): string {
  const run = /^\p{Lu}+/u.exec(word)?.[0] ?? '';
  if (run.length === word.length || run.length < 2) return run.toLowerCase() + word.slice(run.length);
  return run.slice(0, -1).toLowerCase() + word.slice(run.length - 1);
}

function finish(name: string, reserved: ReadonlySet<string>): string {
  let result = name;
  if (result.length > maxLength) result = `${[...result].slice(0, maxLength - 8).join('')}${shortHash(name)}`;
  if (result !== '' && !/^(?:[A-Za-z]|\p{ID_Start})/u.test(result)) result = `_${result}`;
  return reserved.has(result) ? `${result}_` : result;
}

/** A type's name: `simple-user` → `SimpleUser`; one that is PascalCase already stays as it is. Empty where the text has no usable character. */
export function pascalCase(text: string): string {
  return finish(words(text).map(upperFirst).join(''), reservedTypes);
}

/** A function's name: `list.Items` → `listItems`. Empty where the text has no usable character. */
export function camelCase(text: string): string {
  const [first = '', ...rest] = words(text);
  return finish(lowerFirst(first) + rest.map(upperFirst).join(''), reservedValues);
}

// Letters of other scripts that look like Latin ones (a part of Unicode TR 39's confusables: the lower and upper case letters).
const lookalikes = new Map(
  [...'аеорсухіјѕԁһӏԛԝАВЕКМНОРСТУХІЈЅαονρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'].map((letter, index) => [
    letter,
    'aeopcyxijsdhlqwABEKMHOPCTYXIJSaovpuABEZHIKMNOPTYX'[index] ?? letter,
  ]),
);

/** Two names with the same skeleton look the same to a reader. */
export function skeleton(name: string): string {
  if (asciiPattern.test(name)) return name;
  return [...name].map((letter) => lookalikes.get(letter) ?? letter).join('');
}

/** Whether a name that the user chose can stand where it is wanted. */
export function isUsable(name: string, space: 'type' | 'value'): boolean {
  return !(space === 'type' ? reservedTypes : reservedValues).has(name) && !reservedValues.has(name);
}
