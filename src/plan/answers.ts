/** The answers of an operation, one per status and media type: decided once for the types and for the client's literals. */
import type { Identifier } from '../encode.js';
import type { Header, MediaType, Operation, Response, Status } from '../ir/api.js';
import type { Names } from './target.js';

export interface PlannedAnswer {
  readonly name: Identifier;
  readonly status: Status;
  readonly response: Response;
  readonly headers: readonly Header[];
  /** Absent where the answer declares no content, or cannot have any. */
  readonly media?: MediaType;
  /** The name of the union of the stream's events. */
  readonly event?: Identifier;
  /** `both`: a `default` where no success is declared stands for successes and failures. */
  readonly outcome: 'success' | 'failure' | 'both';
  /** What the statuses of a range or a default do not include, because it is declared on its own. */
  readonly except: readonly Status[];
}

/** Statuses whose messages have no content (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5), whatever a document says. */
const withoutContent: ReadonlySet<number> = new Set([204, 205, 304]);

export function plannedAnswers(operation: Operation, names: Names): readonly PlannedAnswer[] {
  const { responses } = operation;
  const given = names.operationOf(operation);
  const declaresSuccess = responses.some(({ status }) => isSuccess(status));
  const answers: PlannedAnswer[] = [];
  for (const [index, response] of responses.entries()) {
    const { status, content, headers } = response;
    const outcome = outcomeOf(status, declaresSuccess);
    const except = status.kind === 'exact' ? nothing : statusesInside(status, responses);
    const empty = operation.method === 'HEAD' || (status.kind === 'exact' && withoutContent.has(status.code));
    if (empty || content.length === 0) {
      const name = given.answerOf(index, content.length === 0 ? undefined : 0);
      answers.push({ name, status, response, headers, outcome, except });
      continue;
    }
    for (const [position, media] of content.entries()) {
      const name = given.answerOf(index, position);
      const event = media.stream && given.eventOf(index, position);
      const answer = { name, status, response, headers, outcome, except, media };
      answers.push(event === undefined ? answer : { ...answer, event });
    }
  }
  return answers;
}

const nothing: readonly Status[] = [];

/** The statuses that are declared on their own, though a range or a default would include them. */
function statusesInside(outer: Status, responses: readonly Response[]): readonly Status[] {
  return responses.map(({ status }) => status).filter((inner) => isInside(inner, outer));
}

function isSuccess(status: Status): boolean {
  return status.kind === 'range'
    ? status.hundred === 2
    : status.kind === 'exact' && Math.floor(status.code / 100) === 2;
}

function outcomeOf(status: Status, declaresSuccess: boolean): PlannedAnswer['outcome'] {
  if (status.kind === 'default') return declaresSuccess ? 'failure' : 'both';
  return isSuccess(status) ? 'success' : 'failure';
}

/** Whether `inner` takes statuses away from `outer`: an exact one from its range, both from `default`. */
function isInside(inner: Status, outer: Status): boolean {
  if (outer.kind === 'default') return inner.kind !== 'default';
  return outer.kind === 'range' && inner.kind === 'exact' && Math.floor(inner.code / 100) === outer.hundred;
}

/** The media types of successes that a caller can choose from: only where there are several, and none of them is a range. */
export function acceptable(answers: readonly PlannedAnswer[]): readonly string[] {
  const successes = answers.filter(({ outcome }) => outcome !== 'failure');
  const types = [...new Set(successes.flatMap(({ media }) => media?.essence ?? []))];
  return types.length < 2 || types.some((type) => type.includes('*')) ? [] : types;
}
