import { apply } from '../../domain/outbox/lifecycle.ts';
import { adding, isAnsweredByKey, isExported, mayBeDelivered, rulingOut } from '../../domain/outbox/delivery.ts';
import { type Answer, classify, isProxyRefusal, proxyRefused } from '../../domain/outbox/classify.ts';
import { afterFirstPart, firstPart } from '../../domain/protocol/parts.ts';
import { STAGE_AGAIN } from '../../domain/protocol/staging.ts';
import { requestOf } from '../../domain/protocol/requests.ts';
import { travellingFiles } from '../../domain/outbox/uploads.ts';
import { isLocalId, type OutboxEntry, type Outcome, type Reason } from '../../domain/outbox/vocabulary.ts';
import { conflict, gone } from './preflight.ts';
import { confirm, isCreate, plainFollower, receiptOf } from '../outbox/confirm.ts';
import { carriedInside } from './link.ts';
import { FileLostError } from '../storage/errors.ts';
import { keyReused } from './key-reuse.ts';
import { removeFiles } from '../storage/files.ts';
import { writeMeta } from '../storage/meta.ts';
import { preparePlain } from './plain.ts';
import { ReadFault, readTheirs } from './reading.ts';
import { reconcile } from './reconcile.ts';
import { isServerThere } from './server-kind.ts';
import { steady } from '../storage/steady.ts';
import { prepareRequest, prepareRequestAhead, type PreparedRequest, send } from './send.ts';
import {
  assertMayLeave,
  type Decision,
  discardedOf,
  droppedFiles,
  type Finding,
  isAsRead,
  isSignedIn,
  momentOf,
  record,
  type Sender,
  underFence,
} from './sender.ts';
import { answerTo, believed, isDefinite, meaningByKey, needsComparing, prepareKeyed } from './keyed.ts';

/** A change that is ready to be sent. */
export interface ReadyChange {
  /** The entry as it was read. */
  readonly planned: OutboxEntry;
  /** The entry as it is to be sent. */
  readonly ready: OutboxEntry;
  readonly prepared: PreparedRequest;
}

/** A committed attempt: its request may go out. */
export interface Attempt {
  readonly sending: OutboxEntry;
  readonly prepared: PreparedRequest;
}

/** Prepares a change and commits its attempt. Returns undefined if the change must not be sent now. */
export async function openAttempt(sender: Sender, entry: OutboxEntry): Promise<Attempt | undefined> {
  const decision = await prepare(sender, entry);
  if (decision.do !== 'send') {
    await record(sender, entry, decision);
    return undefined;
  }
  const { ready } = decision;
  const prepared = await requestOrReason(sender, ready);
  if ('reason' in prepared) {
    // the rebase onto the server's record is dropped: it is made again at the next attempt
    const about = { ...ready, idempotencyKey: entry.idempotencyKey, ...discardedOf(entry) };
    await record(sender, about, { do: 'report', event: { event: 'held', reason: prepared.reason } });
    return undefined;
  }
  return underFence(sender, () => begin(sender, { planned: entry, ready, prepared }));
}

/** Finds out what a change needs before it is sent, without writing anything. */
export async function prepare(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  try {
    return await (sender.server.idempotencyKeys ? prepareKeyed(sender, entry) : preparePlain(sender, entry));
  } catch (failure) {
    if (failure instanceof ReadFault) return { do: 'postpone', outcome: failure.outcome };
    throw failure;
  }
}

/** Prepares a change while another one is in flight. Returns undefined if it needs more than its files. */
export async function prepareAhead(sender: Sender, entry: OutboxEntry): Promise<ReadyChange | undefined> {
  if (!sender.server.idempotencyKeys || mayBeDelivered(entry) || needsComparing(sender, entry)) return undefined;
  try {
    return {
      planned: entry,
      ready: entry,
      prepared: await requestFor(sender, entry, prepareRequestAhead),
    };
  } catch {
    // its own attempt reports the error
    return undefined;
  }
}

/**
 * Sends the request and records the outcome. After a plain success, the next prepared change is committed in the same
 * transaction: one flush to disk per change instead of two.
 */
export async function runAttempt(
  sender: Sender,
  { sending, prepared }: Attempt,
  ahead: Promise<ReadyChange | undefined>,
): Promise<Attempt | undefined> {
  const { environment, session } = sender;
  const began = steady(environment);
  const mayGo = () => assertMayLeave(sender, sending);
  const answer = await send(environment, prepared, session.token, sending.idempotencyKey, mayGo, sending.again);
  if (answer !== undefined) carriedInside(environment, bytesIn(prepared), steady(environment) - began);
  const decision = await meaningOf(sender, sending, answer);
  if (decision.do !== 'finish' || decision.follower !== undefined) {
    await record(sender, sending, decision);
    return undefined;
  }
  const upcoming = sender.stops() ? undefined : await ahead;
  return underFence(sender, async () => {
    // the next change belongs to another record, so neither waits for the other
    const [attempt] = await Promise.all([
      upcoming && begin(sender, upcoming),
      confirm(environment, sending, decision.receipt),
      writeMeta(environment.outbox, 'pause', undefined),
    ]);
    return attempt;
  });
}

/**
 * Commits the attempt before its request goes out. Returns undefined if the change or the session has changed since.
 * Joins the caller's transaction.
 */
async function begin(sender: Sender, { planned, ready, prepared }: ReadyChange): Promise<Attempt | undefined> {
  const { environment } = sender;
  const { outbox, now } = environment;
  const began = steady(environment);
  const [current, signedIn] = await Promise.all([outbox.entries.get(planned.sequence), isSignedIn(sender)]);
  if (current === undefined || !isAsRead(current, planned) || !signedIn) return undefined;
  const sending = apply(ready, { event: 'attempt', now: began, timesOutAt: began + prepared.timeout });
  await Promise.all([
    outbox.entries.put(sending),
    removeFiles(outbox, droppedFiles(current, sending)),
    writeMeta(outbox, 'lastAttempt', now()),
  ]);
  return { sending, prepared };
}

/** Interprets the answer to a change, or its absence. */
export async function meaningOf(sender: Sender, sending: OutboxEntry, answer: Answer | undefined): Promise<Finding> {
  if (isProxyRefusal(answer) && (await isServerThere(sender))) return blocked(sender, sending, answer.status);
  if (answer?.status === NOT_TRIED) return { do: 'report', event: { event: 'not-tried' } };
  const missing = missingAt(answer);
  if (missing !== undefined) return { do: 'restage', missing };
  const answered = classify(sending.change.op, answer);
  if (answered.kind === 'refused' && answered.keyKnown) return keyReused(sender, sending);
  const outcome = await believed(sender, sending, answered);
  if (outcome.kind === 'conflict') return answerConflict(sender, sending, outcome);
  if (outcome.kind !== 'done') return { do: 'settle', outcome };
  // a server with idempotency keys omits the id only if the row has been deleted again
  if (sending.change.op === 'create' && outcome.serverId === undefined && !sender.server.idempotencyKeys) {
    return { do: 'report', event: { event: 'accepted', message: outcome.message } };
  }
  const receipt = receiptOf(outcome, sender.environment.now(), sender.server);
  if (sender.server.idempotencyKeys) return { do: 'finish', receipt };
  if (isCreate(sending)) return { do: 'finish', receipt, follower: plainFollower(sending) };
  const rest = sending.change.op === 'update' ? afterFirstPart(sending.change) : undefined;
  if (rest === undefined) return { do: 'finish', receipt };
  return {
    do: 'report',
    event: { event: 'rebased', change: rest, idempotencyKey: keyFor(sender, sending), merged: [] },
  };
}

/**
 * Something in between has answered in place of the server, which may have executed the change. The server is asked by key.
 * Another kind of server is read back before the change is sent again.
 */
async function blocked(sender: Sender, sending: OutboxEntry, status: number): Promise<Finding> {
  const about: OutboxEntry = { ...sending, delivery: adding(sending.delivery, 'attempt') };
  const held = { do: 'report', event: { event: 'held', reason: proxyRefused(status) } } as const;
  if (!sender.server.changesByKey || !isAnsweredByKey(about)) return { ...held, about };
  const told = await answerTo(sender, about);
  if (told === undefined) return held;
  if (!isDefinite(told)) return { do: 'settle', outcome: told };
  return meaningByKey(sender, about, told) ?? { ...held, about };
}

/** A changed payload gets a new idempotency key, unless an exported copy uses the current one. */
function keyFor({ environment }: Sender, sending: OutboxEntry): string {
  return isExported(sending) ? sending.idempotencyKey : environment.uuid();
}

/** Batch status: a change that must come first was not applied. */
const NOT_TRIED = 424;

/** The hashes of named files that the server lacks. Undefined if the answer says something else. */
function missingAt(answer: Answer | undefined): readonly string[] | undefined {
  if (answer?.status !== 409 || typeof answer.body !== 'object' || answer.body === null) return undefined;
  const { code, missing } = answer.body as { readonly code?: unknown; readonly missing?: unknown };
  return code === STAGE_AGAIN && Array.isArray(missing) ? missing.map(String) : undefined;
}

function bytesIn({ files }: PreparedRequest): number {
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** The request of a change. Staged files travel ahead and are only named in it. */
async function requestFor(sender: Sender, entry: OutboxEntry, how: typeof prepareRequest): Promise<PreparedRequest> {
  const { environment, server, travel } = sender;
  const sent = server.idempotencyKeys ? entry.change : firstPart(entry.change);
  return how(environment, requestOf(sent), travellingFiles(entry, travel));
}

/** The request with its bytes, or the reason it cannot be made. Throws errors that say nothing about the change, such as stalled storage. */
async function requestOrReason(
  sender: Sender,
  entry: OutboxEntry,
): Promise<PreparedRequest | { readonly reason: Reason }> {
  const { change } = entry;
  try {
    return await requestFor(sender, entry, prepareRequest);
  } catch (failure) {
    const code = failure instanceof FileLostError ? 'file-lost' : 'gone';
    // only lost bytes or a missing record condemn the change; any other error says nothing about it
    if (code === 'gone' && (change.op === 'create' || !isLocalId(change.recordId))) throw failure;
    return { reason: { code, message: (failure as Error).message } };
  }
}

/** The record has changed on the server (412). Reads it, and rebases the change unless both sides edited the same field. */
async function answerConflict(sender: Sender, sending: OutboxEntry, outcome: Outcome): Promise<Finding> {
  const { change } = sending;
  if (!('base' in change)) return { do: 'settle', outcome };
  // a 412 is definite: this attempt was not applied
  const certain: OutboxEntry = { ...sending, delivery: rulingOut(sending.delivery, 'attempt') };
  try {
    const compared = await readTheirs(sender, change);
    if (compared === undefined) return gone(sender, certain);
    const result = reconcile(certain, compared.change, compared.theirs);
    if (result.kind === 'gone') return gone(sender, certain);
    if (result.kind === 'conflict') return await conflict(sender, certain, compared.theirs);
    const { change: laidOver, merged } = result;
    const idempotencyKey = keyFor(sender, sending);
    const pause = momentOf(sender);
    return { do: 'report', event: { event: 'rebased', change: laidOver, idempotencyKey, merged, pause } };
  } catch (failure) {
    if (failure instanceof ReadFault) return { do: 'settle', outcome: failure.outcome };
    throw failure;
  }
}
