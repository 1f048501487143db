/** With `--layout tags`, which file an operation is written to: that of its first tag. */
import type { Api, Operation, OutgoingRequest } from '../ir/api.js';

export interface TagFile {
  /** The name without folder and ending: `pet-store`. */
  readonly name: string;
  readonly operations: readonly Operation[];
  /** Webhooks and callbacks. */
  readonly outgoing: readonly OutgoingRequest[];
}

/** Where operations go that have no tag. */
const untagged = 'default';

/** Names that Windows keeps for devices. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The files in the order of their names. Equal names are told apart by the tags' own order of characters, not the document's. */
export function tagFiles({ operations, outgoing }: Api): readonly TagFile[] {
  const byTag = new Map<string, { readonly operations: Operation[]; readonly outgoing: OutgoingRequest[] }>();
  const fileOf = ({ tags }: Operation | OutgoingRequest): { operations: Operation[]; outgoing: OutgoingRequest[] } => {
    const tag = tags[0] ?? untagged;
    const known = byTag.get(tag) ?? { operations: [], outgoing: [] };
    byTag.set(tag, known);
    return known;
  };
  for (const operation of operations) fileOf(operation).operations.push(operation);
  for (const request of outgoing) if (request.body !== undefined) fileOf(request).outgoing.push(request);
  const taken = new Set<string>();
  const files = [...byTag]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([tag, own]): TagFile => {
      const wanted = fileName(tag);
      let name = wanted;
      for (let number = 2; taken.has(name); number++) name = `${wanted}-${number}`;
      taken.add(name);
      return { name, ...own };
    });
  return files.sort((left, right) => (left.name < right.name ? -1 : 1));
}

const longestName = 60;

/** `PetStore`, `pet_store` and `Pet Store` are `pet-store`. One case, so that no file system mixes two up. */
function fileName(tag: string): string {
  const words = tag
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    // A letter that file systems and archives may spell in another way is its number: 日 is u65e5.
    .replace(/[^\0-\x7f]/gu, (letter) =>
      /[\p{L}\p{N}]/u.test(letter) ? `u${letter.codePointAt(0)?.toString(16)}` : ' ',
    )
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const name = [...words.join('-').toLowerCase()].slice(0, longestName).join('').replace(/-$/, '');
  if (name === '') return 'tag';
  return devices.test(name) ? `tag-${name}` : name;
}
