/** A pattern as steps that can be followed by all ways at the same time, in time that grows with the text and no faster. */
import { type PatternNode, readPattern } from './pattern-syntax.js';

/** As `runtime/slow-pattern.ts` reads it. */
export type LinearStep = string | number | readonly number[] | { readonly in: string };

/** What is repeated is written out; a pattern with more steps is none that anybody wants in code. */
const mostSteps = 2000;
const endless = 100_000;

class TooMany extends Error {}

/** Nothing where the pattern looks ahead or behind, or refers to what it has matched: then there is no such way. */
export function linearSteps(source: string): readonly LinearStep[] | undefined {
  const pattern = readPattern(source);
  if (pattern === undefined) return undefined;
  const writer = new StepWriter();
  try {
    writer.write(pattern.root);
  } catch (fault) {
    if (fault instanceof TooMany) return undefined;
    throw fault;
  }
  return writer.steps;
}

class StepWriter {
  readonly steps: (LinearStep | number[])[] = [];

  #add(step: LinearStep | number[]): void {
    if (this.steps.push(step) > mostSteps) throw new TooMany();
  }

  write(node: PatternNode): void {
    switch (node.kind) {
      case 'literal':
        this.#add(node.text);
        return;
      case 'character':
        this.#add({ in: node.matcher.source.slice('^(?:'.length, -')$'.length) });
        return;
      case 'start':
      case 'end':
        this.#add(node.kind === 'start' ? 0 : 1);
        return;
      case 'edge':
        this.#add(node.negated ? 3 : 2);
        return;
      case 'sequence':
        for (const part of node.parts) this.write(part);
        return;
      case 'choice':
        this.#choice(node.parts);
        return;
      case 'repeat':
        this.#repeat(node.part, node.min, node.max);
        return;
      case 'group':
        this.write(node.part);
        return;
      case 'look':
      case 'repetition':
        throw new TooMany();
    }
  }

  #choice(parts: readonly PatternNode[]): void {
    const fork: number[] = [];
    this.#add(fork);
    const ends: number[][] = [];
    for (const part of parts) {
      fork.push(this.steps.length);
      this.write(part);
      const end: number[] = [];
      ends.push(end);
      this.#add(end);
    }
    for (const end of ends) end.push(this.steps.length);
  }

  #repeat(part: PatternNode, min: number, max: number): void {
    for (let count = 0; count < min; count++) this.write(part);
    if (max >= endless) {
      const fork: number[] = [this.steps.length + 1];
      const start = this.steps.length;
      this.#add(fork);
      this.write(part);
      this.#add([start]);
      fork.push(this.steps.length);
      return;
    }
    const forks: number[][] = [];
    for (let count = min; count < max; count++) {
      const fork: number[] = [this.steps.length + 1];
      forks.push(fork);
      this.#add(fork);
      this.write(part);
    }
    for (const fork of forks) fork.push(this.steps.length);
  }
}
