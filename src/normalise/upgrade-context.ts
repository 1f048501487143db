/** What the parts of an upgrade share. */
import { type Address, type Collector, childAddress, quote } from '../diagnostics.js';
import type { JsonValue } from '../ir/schema.js';
import type { JsonObject } from '../json-object.js';
import type { Sources } from '../load/sources.js';
import { followReferences, sectionOf } from './follow.js';
import { extensionsOf, Members } from './json.js';
import { isMediaType } from './media-types.js';
import type { Origins } from './origins.js';

/** Maps whose `x-…` keys are extensions; in all others they are names, as in `headers`. */
const extensible: ReadonlySet<string> = new Set(['paths', 'responses']);

export class UpgradeContext {
  readonly report: Collector;
  readonly #sources: Sources;
  readonly #origins: Origins;

  constructor(sources: Sources, report: Collector, origins: Origins) {
    this.report = report;
    this.#sources = sources;
    this.#origins = origins;
  }

  /** An object of the upgraded description, which comes from this place. */
  made(value: JsonObject, at: Address): JsonObject {
    return this.#origins.note(value, at);
  }

  members(value: JsonObject, at: Address): Members {
    return new Members(value, at, this.report);
  }

  /** The members of the object at this place, through any chain of `$ref`. */
  follow(value: JsonValue | undefined, at: Address): Members | undefined {
    const found = followReferences(this.#sources, this.report, value, at);
    return found && this.members(found.value, found.at);
  }

  /** The entries of a map, each followed; what leads nowhere has been reported and is left out. */
  followMap(owner: Members, name: string): readonly (readonly [string, Members])[] {
    const section = sectionOf(this.#sources, this.report, owner, name);
    return Object.entries(section?.value ?? {}).flatMap(([key, value]) => {
      if (extensible.has(name) && key.startsWith('x-')) return [];
      const found = this.follow(value, childAddress(section?.at ?? owner.at, key));
      return found ? [[key, found] as const] : [];
    });
  }

  /** The media types of `consumes` or `produces`; `undefined` where the owner does not say. */
  mediaTypes(owner: Members, name: string): readonly string[] | undefined {
    return owner.strings(name)?.filter((text, index) => {
      if (isMediaType(text)) return true;
      const at = childAddress(owner.at, name, index);
      this.report.report('media-type-invalid', `${quote(text)} is not a media type`, at);
      return false;
    });
  }
}

/** The members of these names, where they are there, and the extensions. */
export function keep(members: Members, ...names: readonly string[]): JsonObject {
  return {
    ...extensionsOf(members.object),
    ...Object.fromEntries(
      names.flatMap((name) => {
        const value = members.raw(name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
