import { isValue } from '../../domain/fields.ts';
import { classify, FOREIGN, isServers } from '../../domain/outbox/classify.ts';
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
 * Prepares a change for this repository's server. Looks up unknown deliveries by idempotency key. Compares here only a base
 * without a version (from another kind of server); otherwise the server compares. Throws ReadFault.
 */
export async function prepareKeyed(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  const told = await lookUp(sender, entry);
  if (told !== undefined) return told;
  const ready = withoutDiscarded(entry);
  const { change } = ready;
  if (!needsComparing(sender, ready) || change.op === 'create') return { do: 'send', ready };
  const decision = await compareWithServer(sender, ready, change);
  // discarded changes are part of what tells this entry from one edited meanwhile
  return decision.do === 'send' ? decision : { ...decision, about: { ...ready, ...discardedOf(entry) } };
}

/**
 * Looks up a change with files by its key after a lost answer, before its megabytes go out again. Returns undefined if it has to
 * be sent (again). A change without files is as small as the question: it is resent if its payload and version still stand.
 */
async function lookUp(sender: Sender, entry: OutboxEntry): Promise<Finding | undefined> {
  if (!sender.server.changesByKey || !isAnsweredByKey(entry)) return undefined;
  const isSmall = filesOf(entry).length === 0 && entry.discarded === undefined;
  if (isSmall && !needsComparing(sender, entry)) return undefined;
  return meaningByKey(sender, entry, await answerTo(sender, entry));
}

/** Interprets the lookup of a change whose delivery is unknown. Undefined if it has to be sent (again). */
export function meaningByKey(sender: Sender, entry: OutboxEntry, outcome: Outcome | undefined): Finding | undefined {
  if (outcome === undefined || isRefusal(outcome)) return undefined;
  if (outcome.kind === 'done') {
    if (entry.change.op === 'create' && outcome.serverId === undefined) return undefined;
    if (mayBePart(entry)) return undefined;
    return { do: 'finish', receipt: receiptOf(outcome, sender.environment.now(), sender.server) };
  }
  // in progress: only this change has to wait
  return { do: outcome.kind === 'busy' && outcome.scope === 'entry' ? 'settle' : 'postpone', outcome };
}

/**
 * True if the answer may cover only the first files: the change was divided while the server was taken for one without keys. The
 * server itself recognises it when the whole change is sent again.
 */
function mayBePart({ change, baselineIds }: OutboxEntry): boolean {
  return firstPart(change) !== change && (change.op !== 'create' || baselineIds !== undefined);
}

/** The server's answer to the change. Undefined if it has applied none under that key. */
export async function answerTo(
  { environment, session }: Sender,
  { change, idempotencyKey }: OutboxEntry,
): Promise<Outcome | undefined> {
  const answer = await ask(environment, `${CHANGES_PATH}/${idempotencyKey}`, session.token);
  return isServers(answer) && answer.status === 404 ? undefined : classify(change.op, answer);
}

/**
 * Decides whether to believe a refusal. While delivery is unknown, the refusal may come from a proxy although the first request is
 * still in progress. It is believed only if the server does not know the key; otherwise the change keeps waiting under its key.
 */
export async function believed(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<Outcome> {
  if (!isRefusal(outcome) || !sender.server.changesByKey || !isDeliveryUnknown(entry)) return outcome;
  const told = await answerTo(sender, entry);
  return told === undefined || isRefusal(told) ? outcome : waiting(told);
}

/** A lookup by key that neither confirms nor denies. */
export const CANNOT_TELL: Outcome = {
  kind: 'uncertain',
  status: 500,
  message: 'The server cannot tell whether this was saved.',
};

/** Keeps everything as it was after an answer that reveals nothing: the next attempt asks again. */
export function waiting(outcome: Outcome): Outcome {
  return isDefinite(outcome) ? CANNOT_TELL : outcome;
}

/** True for an answer about the change itself, as opposed to the link or the sign-in. */
export function isDefinite(outcome: Outcome): boolean {
  return outcome.kind === 'done' || isRefusal(outcome);
}

/** True if the server said that it has not applied the change. */
function isRefusal({ kind }: Outcome): boolean {
  return kind === 'refused' || kind === 'conflict';
}

/** The server's answers to several changes, by key: those it has applied or is applying. Or the fault that kept them unknown. */
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
    // a bare 409 means in progress
    const inFlight: Outcome = {
      kind: 'busy',
      scope: 'entry',
      mayBeDone: true,
      message: 'The server is still working on it.',
    };
    if (status !== 404)
      outcomes.set(idempotencyKey, status === 409 && body === undefined ? inFlight : classify(change.op, one));
  }
  return { outcomes };
}

/** A lookup that was not understood says nothing about the changes. */
function aboutAll(outcome: Outcome): Outcome {
  return isDefinite(outcome) ? FOREIGN : outcome;
}

/** True if a change is rebased onto the server's record before it is sent. */
export function needsComparing({ server }: Sender, entry: OutboxEntry): boolean {
  const { change } = entry;
  if (change.op === 'delete' && change.base === undefined) return true;
  if (!server.versions || !('base' in change) || change.base === undefined) return false;
  const isUnversioned = change.base.version === undefined;
  // with unknown delivery the payload stays as it was, and its version detects edits by others; a change that followed another has no version
  if (isDeliveryUnknown(entry) && !isExported(entry)) {
    return isUnversioned && server.changesByKey && isAnsweredByKey(entry);
  }
  return isUnversioned || lacksField(change);
}

/** True for a change from an older form that did not know a field the record now has: the server's value stays. */
export function lacksField(change: Change): boolean {
  if (change.op !== 'update') return false;
  return resourceOf(change.resource).fields.some((field) => isValue(field) && change.values[field.name] === undefined);
}
