/**
 * The only place that names things. Gathers everything that needs a name, then settles it rank by rank in one scope:
 * what the document names itself, what references lead to, operations, inline schemas by their context, and last what is
 * derived from those (`PetWrite`, `isPet`, `GetPetInput`). A later rank yields to an earlier one.
 */
import type { Collector } from '../diagnostics.js';
import { pointerSteps, quote } from '../diagnostics.js';
import type { Identifier } from '../encode.js';
import type { Api, Operation, OutgoingRequest, Response } from '../ir/api.js';
import { isPureReference } from '../ir/resolve.js';
import type { SchemaId } from '../ir/schema.js';
import { adoptedNames, listedName } from './adopted-names.js';
import { datedSchemas } from './dated-schemas.js';
import { camelCase, isUsable, pascalCase } from './identifiers.js';
import {
  type InlineSchema,
  inlineSchemas,
  largeParts,
  mediaSuffix,
  payloadSchemas,
  receivedSchemas,
  statusSuffix,
} from './inline-schemas.js';
import { type Claim, NameScope } from './name-scope.js';
import { requestSchemas, writableSchemas } from './request-schemas.js';
import {
  type CodecEntry,
  type CodecNames,
  type Direction,
  type Names,
  type OperationNames,
  plainModes,
  type TypeEntry,
  type TypeModes,
  type ValidatorEntry,
  type ValidatorForms,
  type ValidatorNames,
} from './target.js';

export function planNames(
  api: Api,
  pins: ReadonlyMap<string, string>,
  report: Collector,
  modes: TypeModes = plainModes,
  handlesOutgoing = false,
): Names {
  checkPins(api, pins, report);
  return new NamePlanner(api, pins, report, modes, handlesOutgoing).plan();
}

/** The configuration is trusted, but a misspelt or impossible name is a fault of its own, never silence or broken code. */
function checkPins(api: Api, pins: ReadonlyMap<string, string>, report: Collector): void {
  const components = new Set(api.components.map(({ name }) => name));
  const operations = new Set(api.operations.map(({ operationId }) => operationId));
  for (const [key, name] of pins) {
    if (!components.has(key) && !operations.has(key)) {
      report.report('pin-unusable', `names: there is no component and no operationId ${quote(key)}`);
    } else if (!isUsable(name, operations.has(key) ? 'value' : 'type')) {
      report.report('pin-unusable', `names: ${quote(name)} is reserved`);
    }
  }
}

class NamePlanner {
  readonly #api: Api;
  readonly #pins: ReadonlyMap<string, string>;
  readonly #scope: NameScope;
  readonly #modes: TypeModes;
  /** Webhooks and callbacks are operations of the output, too: everything in them is checked. */
  readonly #handlesOutgoing: boolean;
  readonly #requests: ReadonlySet<SchemaId>;
  /** Schemas that have no type of their own, but the one of another. */
  readonly #adopted: ReadonlyMap<SchemaId, SchemaId>;
  readonly #types = new Map<SchemaId, Identifier>();
  readonly #writeTypes = new Map<SchemaId, Identifier>();
  /** Keyed by direction and schema. */
  readonly #wireTypes = { read: new Map<SchemaId, Identifier>(), write: new Map<SchemaId, Identifier>() };
  readonly #codecs = new Map<SchemaId, CodecNames>();
  readonly #dated: ReadonlySet<SchemaId>;
  readonly #operations = new Map<string, OperationNames>();
  readonly #functions = new Map<string, Identifier>();
  readonly #payloads = new Map<string, Identifier>();
  readonly #validators = { read: new Map<SchemaId, ValidatorNames>(), write: new Map<SchemaId, ValidatorNames>() };
  /** Names of validators whose schema has no type name, such as a query parameter's. */
  readonly #validatorBases: { readonly schema: SchemaId; readonly direction: Direction; readonly base: string }[] = [];

  constructor(
    api: Api,
    pins: ReadonlyMap<string, string>,
    report: Collector,
    modes: TypeModes,
    handlesOutgoing: boolean,
  ) {
    this.#api = api;
    this.#handlesOutgoing = handlesOutgoing;
    this.#modes = modes;
    this.#pins = pins;
    this.#adopted = adoptedNames(api);
    this.#scope = new NameScope(report);
    this.#requests = requestSchemas(api);
    this.#dated = modes.dates === 'Date' ? datedSchemas(api) : new Set();
  }

  plan(): Names {
    this.#nameComponents();
    this.#nameReferenced();
    this.#nameFunctions();
    this.#nameInline();
    this.#nameWriteViews();
    const codecs = this.#dated.size > 0 ? this.#nameCodecs() : [];
    this.#nameOperations();
    const validators = this.#nameValidators();
    return {
      typeOf: (schema, direction) => this.#typeOf(schema, direction),
      validatorOf: (schema, direction) => this.#validatorOf(schema, direction),
      validators,
      types: this.#typeEntries(),
      requests: this.#requests,
      dated: this.#dated,
      wireOf: (schema, direction) => this.#wireOf(schema, direction),
      codecOf: (schema) => this.#codecs.get(this.#meant(schema)),
      codecs,
      operationOf: (operation) => this.#operationNames(operation),
      payloadOf: ({ id }) => this.#payloads.get(id),
    };
  }

  #meant(schema: SchemaId): SchemaId {
    return this.#adopted.get(schema) ?? schema;
  }

  #typeOf(given: SchemaId, direction: Direction): Identifier | undefined {
    const schema = this.#meant(given);
    return (direction === 'write' ? this.#writeTypes.get(schema) : undefined) ?? this.#types.get(schema);
  }

  #typeClaim(schema: SchemaId, candidates: readonly string[], rest: Partial<Claim> = {}): Claim {
    return { candidates, tiebreak: schema, space: 'type', ...rest, give: (name) => void this.#types.set(schema, name) };
  }

  #nameComponents(): void {
    this.#scope.settle(
      this.#api.components.map(({ name, schema }) => {
        const at = this.#api.schemas.get(schema)?.at;
        const pinned = this.#pins.get(name);
        return this.#typeClaim(this.#meant(schema), [pinned ?? pascalCase(name)], {
          spelling: pinned ?? name,
          ...(at && { at }),
        });
      }),
    );
  }

  /** What a `$ref` leads to outside the components: named by the last steps of its address, or by its file. */
  #nameReferenced(): void {
    const claims: Claim[] = [];
    for (const schema of this.#api.referenced) {
      const at = this.#api.schemas.get(schema)?.at;
      if (this.#types.has(this.#meant(schema)) || !at) continue;
      const file = pascalCase((at.document.split('/').at(-1) ?? '').split('.')[0] ?? '');
      const steps = telling(pointerSteps(at.pointer)).map(pascalCase);
      const last = steps.at(-1) ?? file;
      const candidates = [last, steps.slice(-2).join(''), steps.join(''), `${last}From${file}`];
      // A list of named schemas in another file: its author chose the name.
      claims.push(
        this.#typeClaim(
          schema,
          candidates,
          listedName(this.#api.schemas.get(schema)) !== undefined ? { spelling: last, at } : {},
        ),
      );
    }
    this.#scope.settle(claims);
  }

  #nameFunctions(): void {
    this.#scope.settle(
      this.#api.operations.map((operation) => {
        const { operationId, id, at } = operation;
        const pinned = operationId === undefined ? undefined : this.#pins.get(operationId);
        const place = camelCase(`${operation.method.toLowerCase()} ${placeWords(operation)}`);
        return {
          candidates: [pinned ?? camelCase(operationId ?? ''), place],
          tiebreak: id,
          space: 'value' as const,
          ...(operationId === undefined ? {} : { spelling: pinned ?? operationId, at }),
          give: (name: Identifier) => void this.#functions.set(id, name),
        };
      }),
    );
  }

  #baseOf(operation: Operation): string {
    return pascalCase(this.#functions.get(operation.id) ?? '');
  }

  /** Bodies, answers and events that stand inline, then large objects inside anything that has a name. */
  #nameInline(): void {
    const found = [
      ...this.#api.operations.flatMap((operation) => this.#inlineOf(operation)),
      ...this.#api.outgoing.flatMap((request) => {
        const base = outgoingBase(request);
        return this.#handlesOutgoing
          ? receivedSchemas(this.#api, request, base)
          : payloadSchemas(this.#api, request, base);
      }),
    ];
    // A schema that two media types share is named by the first.
    const first = new Map<SchemaId, InlineSchema>();
    for (const entry of found)
      if (entry.wantsType && !this.#types.has(entry.schema) && !first.has(entry.schema)) first.set(entry.schema, entry);
    const named = [...first.values()];
    this.#scope.settle(named.map((entry) => this.#typeClaim(entry.schema, [entry.name])));
    for (const entry of found)
      this.#validatorBases.push({ schema: entry.schema, direction: entry.direction, base: entry.name });
    this.#nameNested();
  }

  #inlineOf(operation: Operation): InlineSchema[] {
    return inlineSchemas(this.#api, operation, this.#baseOf(operation));
  }

  /** Large inline objects get the name of what holds them and of the way to them. Breadth first: owners before parts. */
  #nameNested(): void {
    const seen = new Set<SchemaId>(this.#types.keys());
    let owners = [...this.#types].map(([schema, name]) => ({ schema, name: name as string }));
    while (owners.length > 0) {
      const claims: Claim[] = [];
      const next: { schema: SchemaId; name: string }[] = [];
      for (const owner of owners) {
        for (const part of largeParts(this.#api, owner.schema, this.#modes.enums === 'const')) {
          if (seen.has(part.schema)) continue;
          seen.add(part.schema);
          const wanted = pascalCase(`${owner.name} ${part.way}`);
          const claim = this.#typeClaim(part.schema, [wanted, `${wanted}Value`]);
          claims.push({
            ...claim,
            give: (name) => {
              claim.give(name);
              next.push({ schema: part.schema, name });
            },
          });
        }
      }
      this.#scope.settle(claims);
      owners = next;
    }
  }

  #nameWriteViews(): void {
    const claims: Claim[] = [];
    if (this.#api.directional.size === 0) return;
    const writable = writableSchemas(this.#api, this.#requests);
    for (const [schema, name] of this.#types) {
      if (!writable.has(schema)) continue;
      claims.push({
        candidates: [`${name}Write`, `${name}WriteView`],
        tiebreak: schema,
        space: 'type',
        give: (given) => void this.#writeTypes.set(schema, given),
      });
    }
    this.#scope.settle(claims);
  }

  #wireOf(given: SchemaId, direction: Direction): Identifier | undefined {
    const schema = this.#meant(given);
    const write = direction === 'write' && this.#writeTypes.has(schema);
    return this.#wireTypes[write ? 'write' : 'read'].get(schema) ?? this.#typeOf(schema, direction);
  }

  /** What travels, and the way between: one codec for both directions of a schema, and functions for each. */
  #nameCodecs(): readonly CodecEntry[] {
    const claims: Claim[] = [];
    const entries = this.#typeEntries()
      .filter(({ schema }) => this.#dated.has(schema))
      .map(({ schema, direction, name }) => {
        const entry: { -readonly [K in keyof CodecEntry]: CodecEntry[K] } = Object.create(null);
        const tiebreak = `${schema} ${direction}`;
        const claim = (member: 'wire' | 'decode' | 'encode', space: Claim['space'], ...candidates: string[]): void => {
          const give = (given: Identifier): void => {
            entry[member] = given;
          };
          claims.push({ candidates, tiebreak, space, give });
        };
        claim('wire', 'type', `${name}Wire`, `${name}OnWire`);
        claim('decode', 'value', `decode${name}`, `decode${name}Wire`);
        claim('encode', 'value', `encode${name}`, `encode${name}Wire`);
        if (direction === 'read') {
          const give = (codec: Identifier): void => void this.#codecs.set(schema, { codec });
          claims.push({ candidates: [`${name}Codec`, `${name}WireCodec`], tiebreak, space: 'value', give });
        }
        return { entry, schema, direction, name };
      });
    this.#scope.settle(claims);
    return entries.map(({ entry, schema, direction, name }) => {
      this.#wireTypes[direction].set(schema, entry.wire);
      return { ...entry, schema, type: name, codec: found(this.#codecs, schema).codec };
    });
  }

  #nameOperations(): void {
    const claims: Claim[] = [];
    for (const operation of this.#api.operations) {
      const base = this.#baseOf(operation);
      const given = new Map<string, Identifier>();
      for (const suffix of operationSuffixes(operation)) {
        claims.push({
          candidates: [`${base}${suffix}`, `${base}Operation${suffix}`],
          tiebreak: `${operation.id} ${suffix}`,
          space: 'type',
          give: (name) => void given.set(suffix, name),
        });
      }
      const name = (suffix: string): Identifier => found(given, suffix);
      this.#operations.set(operation.id, operationNames(operation, found(this.#functions, operation.id), name));
    }
    for (const request of this.#api.outgoing) {
      if (!request.body) continue;
      const base = outgoingBase(request);
      claims.push({
        candidates: [`${base}Payload`, `${base}${pascalCase(request.method.toLowerCase())}Payload`],
        tiebreak: request.id,
        space: 'type',
        give: (name) => void this.#payloads.set(request.id, name),
      });
    }
    this.#scope.settle(claims);
  }

  #operationNames(operation: Operation): OperationNames {
    return found(this.#operations, operation.id);
  }

  #nameValidators(): readonly ValidatorEntry[] {
    const entries: (Omit<ValidatorEntry, 'names'> & { readonly base: string })[] = [];
    const known = new Set<string>();
    const add = (schema: SchemaId, direction: Direction, type: Identifier | undefined, base: string): void => {
      const key = `${direction} ${schema}`;
      if (known.has(key)) return;
      known.add(key);
      entries.push({ schema, direction, type, base });
    };
    for (const { schema, direction, name } of this.#typeEntries()) {
      const wire = this.#wireTypes[direction].get(schema) ?? name;
      add(schema, direction, wire, wire);
    }
    for (const { schema, direction, base } of this.#validatorBases) {
      const needed = this.#api.directional.has(schema) ? direction : 'read';
      if (!this.#types.has(schema) && !isPureReference(this.#api.schemas.get(schema)))
        add(schema, needed, undefined, base);
    }
    const claims: Claim[] = [];
    const named = entries.map(({ base, schema, direction, type }) => {
      const claim = (wanted: string, give: (name: Identifier) => void): void => {
        claims.push({ candidates: [wanted], tiebreak: `${schema} ${direction}`, space: 'value', give });
      };
      const names: { validate: Identifier; forms?: Record<keyof ValidatorForms, Identifier> } = Object.create(null);
      claim(`validate${base}`, (name) => {
        names.validate = name;
      });
      if (type !== undefined) {
        const forms: Record<keyof ValidatorForms, Identifier> = Object.create(null);
        const wanted = { is: `is${base}`, assert: `assert${base}`, schema: `${base}Schema` };
        for (const form of ['is', 'assert', 'schema'] as const) {
          claim(wanted[form], (name) => {
            forms[form] = name;
          });
        }
        names.forms = forms;
      }
      this.#validators[direction].set(schema, names);
      return { schema, direction, type, names };
    });
    this.#scope.settle(claims);
    return named;
  }

  #validatorOf(schema: SchemaId, direction: Direction): ValidatorNames | undefined {
    let current = schema;
    for (;;) {
      const names =
        (direction === 'write' ? this.#validators.write.get(current) : undefined) ?? this.#validators.read.get(current);
      if (names) return names;
      const node = this.#api.schemas.get(current);
      if (!isPureReference(node)) return undefined;
      current = node.ref;
    }
  }

  #typeEntries(): readonly TypeEntry[] {
    return [...this.#types].flatMap(([schema, name]): readonly TypeEntry[] => {
      const write = this.#writeTypes.get(schema);
      const read: TypeEntry = { schema, direction: 'read', name };
      return write === undefined ? [read] : [read, { schema, direction: 'write', name: write }];
    });
  }
}

function found<K>(map: ReadonlyMap<K, Identifier>, key: K): Identifier;
function found<K, V>(map: ReadonlyMap<K, V>, key: K): V;
function found<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`no name was planned for ${String(key)}`);
  return value;
}

/** The steps of a pointer that say something to a reader. */
const structural: ReadonlySet<string> = new Set(
  'components schemas definitions $defs properties items allOf anyOf oneOf prefixItems additionalProperties paths content schema responses requestBodies parameters headers'.split(
    ' ',
  ),
);

function telling(steps: readonly string[]): string[] {
  return steps.filter((step) => !structural.has(step));
}

export function outgoingBase({ operationId, name, origin }: OutgoingRequest): string {
  return pascalCase(operationId ?? `${name} ${origin}`);
}

function placeWords(operation: Operation): string {
  return operation.path.parts.map((part) => (part.kind === 'literal' ? part.text : ` By ${part.name} `)).join('');
}

/** What an operation is called: its function, and the types that end in a suffix. */
export function operationNames(
  { responses }: Operation,
  handler: Identifier,
  name: (suffix: string) => Identifier,
): OperationNames {
  return {
    function: handler,
    get input() {
      return name('Input');
    },
    get result() {
      return name('Result');
    },
    get replies() {
      return name('Replies');
    },
    get request() {
      return name('Request');
    },
    answerOf: (response, content) => name(answerSuffix(responses, response, content)),
    eventOf: (response, content) => name(`${answerSuffix(responses, response, content)}Event`),
  };
}

export function answerSuffix(responses: readonly Response[], response: number, content: number | undefined): string {
  const answer = responses[response];
  if (!answer) throw new Error('no such response');
  const media = content === undefined || answer.content.length < 2 ? undefined : answer.content[content];
  return `${statusSuffix(answer.status)}${media ? mediaSuffix(media, answer.content) : ''}`;
}

/** Everything that is derived from an operation's name. */
export function operationSuffixes(operation: Pick<Operation, 'responses'>): readonly string[] {
  const suffixes = new Set(['Input', 'Result', 'Replies', 'Request']);
  operation.responses.forEach((response, index) => {
    if (response.content.length === 0) suffixes.add(answerSuffix(operation.responses, index, undefined));
    response.content.forEach((media, position) => {
      const suffix = answerSuffix(operation.responses, index, position);
      suffixes.add(suffix);
      if (media.stream) suffixes.add(`${suffix}Event`);
    });
  });
  return [...suffixes];
}
