/** How the second pass explains the members of an object: a line of the runtime for each, and for each object inside. */
import { type Code, code, joinCode, literal } from '../../encode.js';
import { objectVariable, type Shared } from './expressions.js';
import {
  type InnerObject,
  innerObject,
  type MemberCalls,
  memberCall,
  type PlainMember,
  plainMember,
} from './plain-members.js';
import type { Block, Subject, UnitKey } from './program.js';
import type { StatementView } from './statement-text.js';
import { pathCode, run, when } from './statement-views.js';
import type { UnitNames } from './unit-calls.js';

/** What is needed of the function that is being made. */
interface Surroundings {
  block(block: Block, findings: Code): readonly StatementView[];
  /** A place in the document. */
  place(at: string): Code;
  /** Declares a variable on top of the function. */
  local(name: Code, type: Code): void;
  readonly isShared: boolean;
  readonly namesOf: (unit: UnitKey) => UnitNames;
  readonly shared: Shared;
}

interface Explained {
  readonly views: readonly StatementView[];
  /** How many statements are explained by these. */
  readonly count: number;
}

export class MemberExplanations {
  readonly #around: Surroundings;
  /** The places of objects inside, by findings and variable. */
  readonly #given = new Map<string, { readonly place: Code; readonly schema: string }>();
  #count = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** The statements of a block from `start` on, as far as they are of such members; `places` are those that the block names. */
  explain(block: Block, start: number, places: Map<string, Code>, findings: Code): Explained | undefined {
    const members = this.#plainMembers(block, start);
    if (members.length > 0) return { views: this.#explain(members, places, findings), count: members.length };
    const statement = block[start];
    const inner = statement && innerObject(statement);
    return inner && { views: this.#innerObject(inner, places, findings), count: 1 };
  }

  /** The plain members of one object, by one schema, that follow each other from `start` on. */
  #plainMembers(block: Block, start: number): readonly PlainMember[] {
    const members: PlainMember[] = [];
    let schema: string | undefined;
    for (let index = start; index < block.length; index++) {
      const statement = block[index];
      const member = statement && plainMember(statement, this.#around.isShared, this.#around.namesOf);
      if (member === undefined || (member.schema !== undefined && schema !== undefined && member.schema !== schema))
        break;
      schema ??= member.schema;
      members.push(member);
    }
    return members;
  }

  /** The members of an object that is described in its place are explained where it is one. */
  #innerObject(inner: InnerObject, places: Map<string, Code>, findings: Code): readonly StatementView[] {
    const { member, object, body } = inner;
    const around = this.#placeOf(object, inner.schema, places, findings, true);
    const place = code`place${member.level}`;
    this.#around.local(place, this.#around.shared.use('member-issues', 'Place'));
    const key = `${findings} ${objectVariable(member)}`;
    this.#given.set(key, { place, schema: inner.own });
    const opened = body.every(
      (entry) => plainMember(entry, this.#around.isShared, this.#around.namesOf) ?? innerObject(entry),
    );
    if (!opened) this.#around.local(objectVariable(member), this.#around.shared.use('checks', 'Members'));
    const open = opened ? [] : [run(code`${objectVariable(member)} = ${place}.object`)];
    const statements = [...open, ...this.#around.block(body, findings)];
    this.#given.delete(key);
    const made = this.#around.shared.use('member-issues', inner.required ? 'requiredObject' : 'optionalObject');
    const condition = code`${place} !== ${this.#around.shared.use('member-issues', 'nowhere')}`;
    return [
      ...around.views,
      run(code`${place} = ${made}(${around.place}, ${literal(inner.name)})`),
      when(condition, statements),
    ];
  }

  /** What stands for an object whose members are explained; a name where it is used `again`. */
  #placeOf(
    object: Subject,
    schema: string | undefined,
    places: Map<string, Code>,
    findings: Code,
    again: boolean,
  ): { readonly place: Code; readonly views: readonly StatementView[] } {
    const given = this.#given.get(`${findings} ${objectVariable(object)}`);
    if (given !== undefined && (schema ?? given.schema) === given.schema) return { place: given.place, views: [] };
    const parts = [findings, pathCode(object.path), this.#around.place(schema ?? ''), objectVariable(object)];
    const made = code`${this.#around.shared.use('member-issues', 'place')}(${joinCode(parts, ', ')})`;
    const known = places.get(made);
    if (known !== undefined || !again) return { place: known ?? made, views: [] };
    const here = this.#freshPlace();
    places.set(made, here);
    return { place: here, views: [run(code`const ${here} = ${made}`)] };
  }

  #explain(members: readonly PlainMember[], places: Map<string, Code>, findings: Code): readonly StatementView[] {
    const [first] = members;
    if (first === undefined) return [];
    const schema = members.find((member) => member.schema !== undefined)?.schema;
    const calls: MemberCalls = {
      use: (name) => this.#around.shared.use('member-issues', name),
      unit: (key) => this.#around.namesOf(key),
    };
    const { place, views } = this.#placeOf(first.object, schema, places, findings, members.length > 1);
    return [...views, ...members.map((member) => run(memberCall(member, place, calls)))];
  }

  #freshPlace(): Code {
    this.#count += 1;
    return this.#count === 1 ? code`here` : code`here${this.#count}`;
  }
}
