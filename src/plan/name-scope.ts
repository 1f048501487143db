/**
 * One scope of names. Claims are gathered first and settled together, by rank and by address, so that the order of a
 * document never decides who keeps a name.
 */
import { type Address, type Collector, quote } from '../diagnostics.js';
import type { Identifier } from '../encode.js';
import { skeleton } from './identifiers.js';

export interface Claim {
  /** The names that would do, best first. Empty ones are passed over. */
  readonly candidates: readonly string[];
  /** What decides between equal claims: an address, the same in every order of the document. */
  readonly tiebreak: string;
  /** The document's own spelling; a claim that keeps it goes before one that had to change it. */
  readonly spelling?: string;
  readonly space: 'type' | 'value';
  /** Where a changed name is reported; none for names that nobody chose. */
  readonly at?: Address;
  readonly give: (name: Identifier) => void;
}

export class NameScope {
  /** Every given name as it stands, types and values alike: `export *` merges both. */
  readonly #exact = new Set<string>();
  /** The names by what they are when folded to one case, within types and within values: names differ by more than case. */
  readonly #folded = { type: new Map<string, string>(), value: new Map<string, string>() };
  readonly #skeletons = new Map<string, string>();
  readonly #report: Collector;

  constructor(report: Collector) {
    this.#report = report;
  }

  /** Gives a name to each claim; later calls yield to earlier ones. */
  settle(claims: readonly Claim[]): void {
    const kept = ({ spelling, candidates }: Claim): boolean => spelling !== undefined && spelling === candidates[0];
    const byAddress = (left: Claim, right: Claim): number => compare(left.tiebreak, right.tiebreak);
    for (const claim of claims.filter(kept).sort(byAddress)) this.#give(claim);
    for (const claim of claims.filter((claim) => !kept(claim)).sort(byAddress)) this.#give(claim);
  }

  #give(claim: Claim): void {
    const [first] = claim.candidates;
    if (first !== undefined && first !== '' && this.#isFree(first, claim.space)) {
      this.#take(first, claim);
      claim.give(first as Identifier);
      return;
    }
    const usable = claim.candidates.filter((candidate) => candidate !== '');
    const wanted = usable[0] ?? (claim.space === 'type' ? 'Unnamed' : 'unnamed');
    let name = usable.find((candidate) => this.#isFree(candidate, claim.space));
    for (let number = 2; name === undefined; number++) {
      const numbered = `${usable.at(-1) ?? wanted}${number}`;
      if (this.#isFree(numbered, claim.space)) name = numbered;
    }
    this.#take(name, claim);
    if (claim.at && name !== wanted) {
      const taken = this.#exact.has(wanted) ? wanted : (this.#folded[claim.space].get(wanted.toLowerCase()) ?? wanted);
      this.#report.report(
        'name-changed',
        `${quote(claim.spelling ?? wanted)} is named ${quote(name)}, because ${quote(taken)} is taken`,
        claim.at,
      );
    }
    claim.give(name as Identifier);
  }

  #isFree(name: string, space: Claim['space']): boolean {
    return !this.#exact.has(name) && !this.#folded[space].has(name.toLowerCase());
  }

  #take(name: string, claim: Claim): void {
    this.#exact.add(name);
    this.#folded[claim.space].set(name.toLowerCase(), name);
    if (!claim.at) return;
    const twin = this.#skeletons.get(skeleton(name));
    if (twin !== undefined && twin !== name)
      this.#report.report('name-lookalike', `${quote(name)} looks like ${quote(twin)}`, claim.at);
    this.#skeletons.set(skeleton(name), name);
  }
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
