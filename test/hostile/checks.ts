/** Every assertion that a case of the generator may carry. One that is not here fails its case. */
import type { HostileCase } from './cases.js';
import { ourWords } from './cases.js';
import type { Json } from './expand.js';
import { type Inspection, inspect } from './inspect.js';
import type { Outcome } from './outcome.js';

export interface Evidence {
  readonly hostile: HostileCase;
  readonly outcome: Outcome;
  readonly inspected: ReadonlyMap<string, Inspection>;
}

/** Gives one sentence per thing that is wrong. */
type Check = (evidence: Evidence, wanted: Json) => readonly string[];

export function evidenceOf(hostile: HostileCase, outcome: Outcome): Evidence {
  const sources = [...outcome.files].filter(([path]) => path.endsWith('.ts'));
  return { hostile, outcome, inspected: new Map(sources.map(([path, text]) => [path, inspect(path, text)])) };
}

/** All that the process said. */
function words({ outcome }: Evidence): string {
  return outcome.child.stdout + outcome.child.stderr;
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) throw new Error('not a list of texts');
  return value.map(String);
}

const severityLine = /^error\[([a-z-]+)\]/gm;

/** A refusal is clean where the user is told, nothing is written, and the process ends by itself. */
function refusal(evidence: Evidence): readonly string[] {
  const { child, outputUntouched, files } = evidence.outcome;
  const problems: string[] = [];
  if (child.exit !== 1) problems.push(`the exit code is ${child.exit}`);
  if (!/^error\[/m.test(child.stderr)) problems.push('no diagnostic says what is wrong');
  if (!outputUntouched) problems.push(`something was written: ${[...files.keys()].slice(0, 3).join(', ')}`);
  return problems;
}

function success({ outcome }: Evidence): readonly string[] {
  const { child, files } = outcome;
  if (child.exit !== 0) {
    const said = child.stderr.split('\n').find((line) => line !== '') ?? 'nothing was said';
    return [`the exit code is ${child.exit}: ${said}`];
  }
  return [...files.keys()].some((path) => path.endsWith('.ts')) ? [] : ['nothing was generated'];
}

function either(evidence: Evidence): readonly string[] {
  return evidence.outcome.child.exit === 0 ? success(evidence) : refusal(evidence);
}

const generation: Check = (evidence, wanted) => {
  switch (wanted) {
    case 'ok':
      return success(evidence);
    case 'reject':
    case 'error':
      return refusal(evidence);
    case 'ok-or-clean-reject':
    case 'reject-or-safe':
      return either(evidence);
    default:
      return [`the runner does not know the generation ${JSON.stringify(wanted)}`];
  }
};

const parses: Check = ({ inspected }) => [...inspected.values()].flatMap(({ problems }) => problems);

const noIdentifier: Check = ({ inspected }, wanted) =>
  [...inspected].flatMap(([path, { identifiers }]) =>
    identifiers.has(String(wanted)) ? [`${path} has the identifier ${String(wanted)}`] : [],
  );

function codePoint(text: string): number {
  return Number.parseInt(text.replace(/^U\+/, ''), 16);
}

const noRawCodepoints: Check = ({ outcome }, wanted) => {
  const ranges = texts(wanted).map((range) => {
    const [first = '', last = first] = range.split('-');
    return [codePoint(first), codePoint(last)] as const;
  });
  const banned = (character: string): boolean =>
    ranges.some(([first, last]) => {
      const point = character.codePointAt(0) ?? 0;
      return point >= first && point <= last;
    });
  return [...outcome.files].flatMap(([path, text]) => {
    const found = [...text].find(banned);
    return found === undefined ? [] : [`${path} has a raw U+${found.codePointAt(0)?.toString(16).toUpperCase()}`];
  });
};

/** Each text is there in some file; in output without validators and types nothing could hold it. */
function present(kind: 'literals' | 'keys'): Check {
  return ({ inspected }, wanted) => {
    const found = new Set([...inspected.values()].flatMap((inspection) => [...inspection[kind]]));
    return texts(wanted)
      .filter((text) => !found.has(text))
      .map((text) => `none of the ${kind} is ${JSON.stringify(text)}`);
  };
}

/** In every file that can hold text of the document: the runtime is copied as it is. */
const noMatch: Check = ({ outcome }, wanted) =>
  texts(wanted).flatMap((pattern) =>
    [...outcome.files].flatMap(([path, text]) => {
      if (path.startsWith('runtime/')) return [];
      const found = new RegExp(pattern, 'm').exec(text)?.[0];
      return found === undefined ? [] : [`${path} has ${JSON.stringify(found)}, which matches ${pattern}`];
    }),
  );

const outputLacks: Check = (evidence, wanted) =>
  texts(wanted).flatMap((text) => [
    ...[...evidence.outcome.files].flatMap(([path, content]) =>
      content.includes(text) ? [`${path} holds ${JSON.stringify(text)}`] : [],
    ),
    ...(words(evidence).includes(text) ? [`the words of the process hold ${JSON.stringify(text)}`] : []),
  ]);

const logLacks: Check = (evidence, wanted) =>
  texts(wanted)
    .filter((text) => words(evidence).includes(text))
    .map((text) => `the process printed ${JSON.stringify(text)}`);

const diagnostic: Check = (evidence, wanted) => {
  const text = String(wanted).toLowerCase();
  const said = words(evidence).toLowerCase();
  const ours = ourWords.get(text);
  return said.includes(text) || (ours !== undefined && said.includes(ours)) ? [] : [`no diagnostic says "${text}"`];
};

const diagnosticsAtLeast: Check = (evidence, wanted) => {
  const count = [...words(evidence).matchAll(severityLine)].length;
  return count >= Number(wanted) ? [] : [`only ${count} errors are reported`];
};

const operations: Check = ({ inspected }, wanted) => {
  const functions = [...(inspected.get('client.ts')?.functions ?? [])];
  const names = new Set(functions.filter(([, parameter]) => parameter !== undefined).map(([name]) => name));
  names.delete('createClient');
  return names.size === Number(wanted) ? [] : [`the client has ${names.size} operations in place of ${String(wanted)}`];
};

const caseInsensitiveUniqueFiles: Check = ({ outcome }) => {
  const seen = new Map<string, string>();
  return [...outcome.files.keys()].flatMap((path) => {
    const twin = seen.get(path.toLowerCase());
    seen.set(path.toLowerCase(), path);
    return twin === undefined ? [] : [`${twin} and ${path} are one file on some disks`];
  });
};

const maxMs: Check = ({ outcome }, wanted) =>
  outcome.child.ms <= Number(wanted) * 3 ? [] : [`it took ${Math.round(outcome.child.ms)} ms`];

const maxRssMB: Check = ({ outcome }, wanted) => {
  const used = outcome.report?.maxRssMB;
  if (used === undefined) return ['the process did not end by itself'];
  return used <= Number(wanted) ? [] : [`it needed ${Math.round(used)} MB`];
};

const maxOutputBytes: Check = ({ outcome }, wanted) => {
  const bytes = [...outcome.files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes <= Number(wanted) ? [] : [`the output has ${bytes} bytes`];
};

const maxFileNameBytes: Check = ({ outcome }, wanted) =>
  [...outcome.files.keys()].flatMap((path) =>
    path.split('/').some((name) => Buffer.byteLength(name) > Number(wanted))
      ? [`a file name is too long: ${path}`]
      : [],
  );

const outsideUnchanged: Check = ({ outcome }) =>
  outcome.changedElsewhere.map((path) => `${path} was changed, outside the output folder`);

const noPollution: Check = ({ outcome }) => {
  if (!outcome.report) return ['the process did not end by itself'];
  return outcome.report.polluted || outcome.report.pwned ? ['a prototype or the global object was changed'] : [];
};

const noOutsideRead: Check = ({ outcome }) =>
  (outcome.report?.opened ?? ['(the process did not end by itself)'])
    .filter((path) => /hostname|share[/\\]x\.json|secret/.test(path) || path.startsWith('('))
    .map((path) => `${path} was opened`);

const noConnections: Check = ({ outcome: { report } }) => {
  if (!report) return ['the process did not end by itself'];
  return [...report.requests.map(({ url }) => url), ...report.connections, ...report.lookups].map(
    (place) => `a connection to ${place} was tried`,
  );
};

const noConnectionsTo: Check = ({ outcome }, wanted) =>
  texts(wanted).flatMap((host) =>
    (outcome.report?.requests ?? [])
      .filter(({ url }) => new URL(url).hostname === host)
      .map(({ url }) => `${url} was requested`),
  );

const requestLacks: Check = ({ outcome }, wanted) =>
  Object.entries(wanted as { [key: string]: Json }).flatMap(([url, names]) =>
    (outcome.report?.requests ?? [])
      .filter((request) => request.url === url)
      .flatMap(({ headers }) => texts(names).filter((name) => Object.hasOwn(headers, name.toLowerCase())))
      .map((name) => `${url} was sent the header ${name}`),
  );

/** No file of the output is read by a browser as a page or by a reader as Markdown; the manifest is JSON. */
const htmlSafe: Check = ({ outcome }) => [
  ...[...outcome.files.keys()].filter((path) => !/\.(?:ts|json)$/.test(path)).map((path) => `${path} is not code`),
  ...[...outcome.files].flatMap(([path, text]) =>
    path.endsWith('.json') && /<\/?script|javascript:/i.test(text) ? [`${path} holds text of the document`] : [],
  ),
];

/** Checks of one outcome. What needs more than one outcome, or the compilers, is in `run.ts` and `verdict.ts`. */
export const checks: ReadonlyMap<string, Check> = new Map([
  ['generation', generation],
  ['parses', parses],
  ['noIdentifier', noIdentifier],
  ['noRawCodepoints', noRawCodepoints],
  ['literals', present('literals')],
  ['keys', present('keys')],
  ['noMatch', noMatch],
  ['outputLacks', outputLacks],
  ['logLacks', logLacks],
  ['diagnostic', diagnostic],
  ['diagnosticsAtLeast', diagnosticsAtLeast],
  ['operations', operations],
  ['caseInsensitiveUniqueFiles', caseInsensitiveUniqueFiles],
  ['maxMs', maxMs],
  ['maxRssMB', maxRssMB],
  ['maxOutputBytes', maxOutputBytes],
  ['maxFileNameBytes', maxFileNameBytes],
  ['outsideUnchanged', outsideUnchanged],
  ['insideOutDir', outsideUnchanged],
  ['noPollution', noPollution],
  ['noOutsideRead', noOutsideRead],
  ['noConnections', noConnections],
  ['noConnectionsTo', noConnectionsTo],
  ['requestLacks', requestLacks],
  ['htmlSafe', htmlSafe],
]);

/** What every case demands, said or not: no crash, no stack trace, no hang. */
export function always({ outcome }: Evidence): readonly string[] {
  const { child } = outcome;
  const problems: string[] = [];
  if (child.timedOut) problems.push('it did not end within the time limit');
  if (child.exit === 70) problems.push(`it ended as a bug of ours: ${child.stderr.split('\n').slice(0, 3).join(' ')}`);
  if (child.exit === 2) problems.push(`it ended as wrong usage: ${child.stderr.split('\n')[0] ?? ''}`);
  if (/^\s+at .+:\d+:\d+\)?$/m.test(child.stderr) && child.exit !== 70) problems.push('it printed a stack trace');
  if (outcome.report?.pwned) problems.push('globalThis.__PWNED is set in the generator');
  return problems;
}
