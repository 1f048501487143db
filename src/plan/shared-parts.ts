/** Answers, parameters and bodies that stand in `components` and that some operation refers to: each has a name of its own. */
import { type Address, pointerSteps } from '../diagnostics.js';
import type { Api, Body, Parameter, Response } from '../ir/api.js';

export interface SharedPart<T> {
  readonly name: string;
  readonly part: T;
}

/** The parts of one section, by their address. */
type Section<T> = ReadonlyMap<string, SharedPart<T>>;

export class SharedParts {
  readonly responses: Section<Response>;
  readonly parameters: Section<Parameter>;
  readonly requestBodies: Section<Body>;

  constructor({ operations }: Api) {
    this.responses = sectionOf(
      'responses',
      operations.flatMap(({ responses }) => responses),
    );
    this.parameters = sectionOf(
      'parameters',
      operations.flatMap(({ parameters }) => parameters),
    );
    this.requestBodies = sectionOf(
      'requestBodies',
      operations.flatMap(({ body }) => body ?? []),
    );
  }

  get size(): number {
    return this.responses.size + this.parameters.size + this.requestBodies.size;
  }
}

export function addressKey({ document, pointer }: Address): string {
  return `${document}#${pointer}`;
}

/** Where documents use a name twice, the first of them by name keeps it; what stands in the others is printed in place. */
function sectionOf<T extends { readonly at: Address }>(section: string, parts: readonly T[]): Section<T> {
  const found = new Map<string, SharedPart<T>>();
  for (const part of parts) {
    const [components, own, name, ...below] = pointerSteps(part.at.pointer);
    if (components !== 'components' || own !== section || name === undefined || below.length > 0) continue;
    found.set(addressKey(part.at), { name, part });
  }
  const names = new Set<string>();
  const sorted = [...found].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(sorted.filter(([, { name }]) => !names.has(name) && names.add(name)));
}
