import { isValue } from '../../domain/fields.ts';
import { classify, isServers } from '../../domain/outbox/classify.ts';
import { isAnsweredByKey, isDeliveryUnknown, isExported } from '../../domain/outbox/delivery.ts';
import { type Change, filesOf, type OutboxEntry, type Outcome } from '../../domain/outbox/vocabulary.ts';
import type { AnswersByKey } from '../../domain/protocol/batch.ts';
import { CHANGES_PATH } from '../../domain/protocol/capabilities.ts';
import { firstPart } from '../../domain/protocol/parts.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { receiptOf } from '../outbox/confirm.ts';
import { withoutDiscarded } from '../../domain/outbox/rebase.ts';
import { ask } from './http.ts';
import { compareWithServer } from './preflight.ts';
import { type Decision, discardedOf, type Finding, type Sender } from './sender.ts';

/**
 * The transport of this repository's server. What is in doubt is asked for by its key; a base without a version (seen on another kind of
 * server) is compared here; else the server compares. Throws ReadFault.
 */
export async function prepareKeyed(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  const told = await lookUp(sender, entry);
  if (told !== undefined) return told;
  const ready = withoutDiscarded(entry);
  const { change } = ready;
  if (!needsComparing(sender, ready) || !('base' in change)) return { do: 'send', ready };
  const decision = await compareWithServer(sender, ready, change);
  // what is written down is told from an entry that was edited meanwhile by what was discarded before it, too
  return decision.do === 'send' ? decision : { ...decision, about: { ...ready, ...discardedOf(entry) } };
}

/**
 * A change with files whose answer was lost is asked for by its key, before its megabytes go out once more. Undefined when it has to
 * be sent (again). What has no files is as small as the question, and simply sent again, if it is still the same and its version is known.
 */
async function lookUp(sender: Sender, entry: OutboxEntry): Promise<Finding | undefined> {
  if (!sender.server.changesByKey || !isAnsweredByKey(entry)) return undefined;
  const isSmall = filesOf(entry).length === 0 && entry.discarded === undefined;
  if (isSmall && !needsComparing(sender, entry)) return undefined;
  return meaningByKey(sender, entry, await answerTo(sender, entry));
}

/** What the answer under its key means for a change in doubt. Undefined when it has to be sent (again). */
export function meaningByKey(sender: Sender, entry: OutboxEntry, outcome: Outcome | undefined): Finding | undefined {
  if (outcome === undefined || isRefusal(outcome)) return undefined;
  if (outcome.kind === 'done') {
    if (entry.change.op === 'create' && outcome.serverId === undefined) return undefined;
    if (mayBePart(entry)) return undefined;
    return { do: 'finish', receipt: receiptOf(outcome, sender.environment.now()) };
  }
  // it is being carried out just now: that is for this change alone to wait for
  return { do: outcome.kind === 'busy' && outcome.scope === 'entry' ? 'settle' : 'postpone', outcome };
}

/**
 * True where the answer may be to the first files only: while the server was taken for one without keys, a change was divided. Sent again
 * as a whole, it is told apart by the server itself.
 */
function mayBePart({ change, baselineIds }: OutboxEntry): boolean {
  return firstPart(change) !== change && (change.op !== 'create' || baselineIds !== undefined);
}

/** What the server answered to the change. Undefined where it has carried out none under that key. */
export async function answerTo(
  { environment, session }: Sender,
  { change, idempotencyKey }: OutboxEntry,
): Promise<Outcome | undefined> {
  const answer = await ask(environment, `${CHANGES_PATH}/${idempotencyKey}`, session.token);
  return isServers(answer) && answer.status === 404 ? undefined : classify(change.op, answer);
}

/**
 * A refusal of a change in doubt may be that of something in between, while its first request is still being carried out: it is believed
 * where the server knows nothing of the key. Whatever else is known of it, the change goes on waiting under its key.
 */
export async function believed(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<Outcome> {
  if (!isRefusal(outcome) || !sender.server.changesByKey || !isDeliveryUnknown(entry)) return outcome;
  const told = await answerTo(sender, entry);
  return told === undefined || isRefusal(told) ? outcome : waiting(told);
}

/** What was asked for by its key is neither there nor not there. */
export const CANNOT_TELL: Outcome = {
  kind: 'uncertain',
  status: 500,
  message: 'The server cannot tell whether this was saved.',
};

/** What tells nothing of the record's state leaves everything as it was: the change's next turn asks again. */
export function waiting(outcome: Outcome): Outcome {
  return isDefinite(outcome) ? CANNOT_TELL : outcome;
}

/** True for an answer that is about a change itself, and never about the link or the sign-in. */
export function isDefinite(outcome: Outcome): boolean {
  return outcome.kind === 'done' || isRefusal(outcome);
}

/** True where the server said that it has not carried the change out. */
function isRefusal({ kind }: Outcome): boolean {
  return kind === 'refused' || kind === 'conflict';
}

/** What the server answered to several changes, by their keys: those that it has carried out, or is about to. Or why nobody knows. */
export async function answersTo(
  { environment, session }: Sender,
  entries: readonly OutboxEntry[],
): Promise<{ readonly outcomes: ReadonlyMap<string, Outcome> } | { readonly fault: Outcome }> {
  const keys = entries.map(({ idempotencyKey }) => idempotencyKey);
  const answer = await ask(environment, `${CHANGES_PATH}?keys=${keys.join(',')}`, session.token);
  const told =
    isServers(answer) && answer.status === 200 ? (answer.body as Partial<AnswersByKey> | undefined) : undefined;
  if (told?.answers === undefined) return { fault: aboutAll(classify('update', answer)) };
  const outcomes = new Map<string, Outcome>();
  for (const { change, idempotencyKey } of entries) {
    const { status, body } = told.answers[idempotencyKey] ?? { status: 404 };
    const one = { status, body, redirected: false, json: true };
    // a 409 without words: it is being carried out
    const inFlight: Outcome = {
      kind: 'busy',
      scope: 'entry',
      mayBeDone: true,
      message: 'The server is still working on it.',
    };
    if (status !== 404) outcomes.set(idempotencyKey, status === 409 ? inFlight : classify(change.op, one));
  }
  return { outcomes };
}

/** A question that was not understood tells nothing of the changes. */
function aboutAll(outcome: Outcome): Outcome {
  return isDefinite(outcome)
    ? { kind: 'unreachable', message: 'The server did not say whether they were saved.' }
    : outcome;
}

/** True when a change is laid over what the server holds before it is sent. */
export function needsComparing({ server }: Sender, entry: OutboxEntry): boolean {
  const { change } = entry;
  if (!server.versions || !('base' in change) || change.base === undefined) return false;
  const isUnversioned = change.base.version === undefined;
  // what is in doubt goes out as it was, and its version tells whether somebody else came before it: one that followed another has none
  if (isDeliveryUnknown(entry) && !isExported(entry)) {
    return isUnversioned && server.changesByKey && isAnsweredByKey(entry);
  }
  return isUnversioned || lacksField(change);
}

/** Made by a form of an older app, which did not know a field that the record has by now: what it holds stays. */
export function lacksField(change: Change): boolean {
  if (change.op !== 'update') return false;
  return resourceOf(change.resource).fields.some((field) => isValue(field) && change.values[field.name] === undefined);
}
