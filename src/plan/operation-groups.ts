/**
 * Operations as a tree: grouped by the first tag of each and by the parents of that tag, and named within their group.
 *
 * An operation is named like its function, without the words of its groups where something is left (`listPets` and
 * `petsList` are `list` in `pets`, one or many); a pinned name stays whole. Groups are named before operations. Where two
 * would have one name, the first by address keeps it, and the other has the name of its function.
 */
import type { Identifier } from '../encode.js';
import type { Operation } from '../ir/api.js';
import type { Tag } from '../ir/details.js';
import { camelCase, pascalCase } from './identifiers.js';
import { NameScope } from './name-scope.js';
import type { PlanContext } from './target.js';

export interface OperationGroup {
  /** The tags from the outermost to its own; none for the root. */
  readonly tags: readonly string[];
  /** What the document says of the tag. */
  readonly tag?: Tag;
  readonly groups: readonly { readonly key: Identifier; readonly group: OperationGroup }[];
  readonly operations: readonly { readonly key: Identifier; readonly operation: Operation }[];
  /** What pages through operations of the group: `paginateList`. */
  readonly paged: readonly { readonly key: Identifier; readonly operation: Operation }[];
  /** What follows links of their answers: `followCreateGet`, by the name of its function. */
  readonly linked: readonly { readonly key: Identifier; readonly name: Identifier }[];
}

/** A function that follows a link. */
export interface LinkName {
  readonly name: Identifier;
  /** The id of the operation whose answer has the link. */
  readonly from: string;
  /** The name of the link. */
  readonly link: string;
}

interface Draft {
  readonly tags: readonly string[];
  readonly groups: Map<string, Draft>;
  readonly operations: Operation[];
}

/** `paged`: the functions that page through operations, by the id of the operation. */
export function operationGroups(
  context: PlanContext,
  paged: ReadonlyMap<string, Identifier>,
  links: readonly LinkName[],
): OperationGroup {
  const known = new Map(context.api.tags.map((tag) => [tag.name, tag]));
  const root: Draft = { tags: [], groups: new Map(), operations: [] };
  for (const operation of context.api.operations) {
    let draft = root;
    for (const tag of tagChain(operation.tags[0], known)) {
      const next = draft.groups.get(tag) ?? { tags: [...draft.tags, tag], groups: new Map(), operations: [] };
      draft.groups.set(tag, next);
      draft = next;
    }
    draft.operations.push(operation);
  }
  return named(root, { context, known, paged, links });
}

/** A tag behind those that it is part of. */
export function tagChain(tag: string | undefined, known: ReadonlyMap<string, Tag>): readonly string[] {
  const chain: string[] = [];
  for (let name = tag; name !== undefined && !chain.includes(name); name = known.get(name)?.parent) chain.unshift(name);
  return chain;
}

interface Known {
  readonly context: PlanContext;
  readonly known: ReadonlyMap<string, Tag>;
  readonly paged: ReadonlyMap<string, Identifier>;
  readonly links: readonly LinkName[];
}

function named(draft: Draft, all: Known): OperationGroup {
  const { context, known } = all;
  const scope = new NameScope(context.report);
  const groups: { key: Identifier; group: OperationGroup }[] = [];
  scope.settle(
    [...draft.groups].map(([tag, below]) => ({
      candidates: [memberName(tag) || 'group'],
      tiebreak: tag,
      spelling: tag,
      space: 'value',
      give: (key) => void groups.push({ key, group: named(below, all) }),
    })),
  );
  const operations: { key: Identifier; operation: Operation }[] = [];
  scope.settle(
    draft.operations.map((operation) => {
      const whole = context.names.operationOf(operation).function;
      const isPinned = operation.operationId !== undefined && context.options.pins.has(operation.operationId);
      return {
        candidates: [isPinned ? whole : shortName(whole, draft.tags), whole],
        tiebreak: operation.id,
        ...(isPinned && { spelling: whole }),
        space: 'value',
        give: (key) => void operations.push({ key, operation }),
      };
    }),
  );
  const tag = known.get(draft.tags.at(-1) ?? '');
  return {
    tags: draft.tags,
    ...(tag && { tag }),
    groups: groups.sort(byKey),
    operations: operations.sort(byKey),
    paged: namedPaged(operations, all, scope).sort(byKey),
    linked: namedLinks(operations, all, scope).sort(byKey),
  };
}

/** Named behind all else: by the name that the operation has in the group. */
function namedPaged(
  operations: OperationGroup['operations'],
  { paged }: Known,
  scope: NameScope,
): { readonly key: Identifier; readonly operation: Operation }[] {
  const found: { key: Identifier; operation: Operation }[] = [];
  scope.settle(
    operations.flatMap(({ key, operation }) => {
      const whole = paged.get(operation.id);
      if (whole === undefined) return [];
      return {
        candidates: [`paginate${pascalCase(key)}`, whole],
        tiebreak: operation.id,
        space: 'value' as const,
        give: (name: Identifier) => void found.push({ key: name, operation }),
      };
    }),
  );
  return found;
}

/** Named last: by the name that the operation has in the group, and that of the link. */
function namedLinks(
  operations: OperationGroup['operations'],
  { links }: Known,
  scope: NameScope,
): { readonly key: Identifier; readonly name: Identifier }[] {
  const found: { key: Identifier; name: Identifier }[] = [];
  scope.settle(
    operations.flatMap(({ key, operation }) =>
      links
        .filter(({ from }) => from === operation.id)
        .map(({ name, link }) => ({
          candidates: [`follow${pascalCase(key)}${pascalCase(link)}`, name],
          tiebreak: name,
          space: 'value' as const,
          give: (member: Identifier) => void found.push({ key: member, name }),
        })),
    ),
  );
  return found;
}

function byKey(left: { readonly key: string }, right: { readonly key: string }): number {
  return left.key < right.key ? -1 : 1;
}

function shortName(name: string, tags: readonly string[]): string {
  let words = wordsOf(name);
  for (const tag of tags) {
    const group = wordsOf(memberName(tag)).map(singular);
    const stems = words.map(singular);
    const start = stems.findIndex((_, index) => group.every((word, offset) => stems[index + offset] === word));
    if (start >= 0 && group.length > 0 && group.length < words.length) {
      words = words.filter((_, index) => index < start || index >= start + group.length);
    }
  }
  return memberName(words.join(' '));
}

/** `listHTTPServers` → `list`, `HTTP`, `Servers`. */
function wordsOf(name: string): readonly string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+/gu) ?? [];
}

/** Enough of English to know `pets`, `boxes` and `categories` by `pet`, `box` and `category`. */
function singular(word: string): string {
  return word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}

/** What every object has, and what would make a promise of one. */
const inherited: ReadonlySet<string> = new Set(['constructor', 'then', 'toString', 'valueOf', 'hasOwnProperty']);

/** Unlike a function, a member may be called `delete`. */
function memberName(text: string): string {
  const name = camelCase(text);
  return name.endsWith('_') && !inherited.has(name.slice(0, -1)) ? name.slice(0, -1) : name;
}
