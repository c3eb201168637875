import { apply } from '../../domain/outbox/lifecycle.ts';
import { isExported, mayBeDelivered, rulingOut } from '../../domain/outbox/delivery.ts';
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
import { readMeta, writeMeta } from '../storage/meta.ts';
import { preparePlain } from './plain.ts';
import { ReadFault, readTheirs } from './reading.ts';
import { reconcile } from './reconcile.ts';
import { isServerThere } from './server-kind.ts';
import { pack, packAhead, type Parcel, send } from './send.ts';
import {
  type Decision,
  discardedOf,
  droppedFiles,
  type Finding,
  isAsRead,
  record,
  type Sender,
  underFence,
} from './sender.ts';
import { believed, needsComparing, prepareKeyed } from './keyed.ts';

/** A change of which everything is known that has to be before it is sent. */
export interface Prepared {
  /** The entry as it was read. */
  readonly planned: OutboxEntry;
  /** The entry as it is to be sent. */
  readonly ready: OutboxEntry;
  readonly parcel: Parcel;
}

/** An attempt that is committed: its request may go out. */
export interface Turn {
  readonly sending: OutboxEntry;
  readonly parcel: Parcel;
}

/** Whatever has to be known first, then the attempt is committed. Undefined when the change is not to be sent now. */
export async function openTurn(sender: Sender, entry: OutboxEntry): Promise<Turn | undefined> {
  const decision = await prepare(sender, entry);
  if (decision.do !== 'send') {
    await record(sender, entry, decision);
    return undefined;
  }
  const { ready } = decision;
  const parcel = await packedOr(sender, ready);
  if ('reason' in parcel) {
    // what was laid over the server's record is not kept
    const about = { ...ready, idempotencyKey: entry.idempotencyKey, ...discardedOf(entry) };
    await record(sender, about, { do: 'report', event: { event: 'held', reason: parcel.reason } });
    return undefined;
  }
  return underFence(sender, () => begin(sender, { planned: entry, ready, parcel }));
}

async function prepare(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  try {
    return await (sender.server.idempotencyKeys ? prepareKeyed(sender, entry) : preparePlain(sender, entry));
  } catch (failure) {
    if (failure instanceof ReadFault) return { do: 'postpone', outcome: failure.outcome };
    throw failure;
  }
}

/** A change that can be made ready while another one is under way. Undefined for one that needs more than its files. */
export async function prepareAhead(sender: Sender, entry: OutboxEntry): Promise<Prepared | undefined> {
  if (!sender.server.idempotencyKeys || mayBeDelivered(entry) || needsComparing(sender, entry)) return undefined;
  try {
    return {
      planned: entry,
      ready: entry,
      parcel: await packed(sender, entry, packAhead),
    };
  } catch {
    // its own turn will find out and say so
    return undefined;
  }
}

/**
 * Sends the request and keeps what its answer means. After a plain success the change that was made ready meanwhile gets
 * its turn in the same transaction: one flush to the disk for each change instead of two.
 */
export async function runTurn(
  sender: Sender,
  { sending, parcel }: Turn,
  ahead: Promise<Prepared | undefined>,
): Promise<Turn | undefined> {
  const { environment, session } = sender;
  const began = environment.now();
  const answer = await send(environment, parcel, session.token, sending.idempotencyKey);
  if (answer !== undefined) carriedInside(environment, bytesIn(parcel), environment.now() - began);
  const decision = await meaningOf(sender, sending, answer);
  if (decision.do !== 'finish' || decision.follower !== undefined) {
    await record(sender, sending, decision);
    return undefined;
  }
  const upcoming = sender.stops() ? undefined : await ahead;
  return underFence(sender, async () => {
    // the next change is of another record, so neither needs to wait for the other
    const [turn] = await Promise.all([
      upcoming && begin(sender, upcoming),
      confirm(environment, sending, decision.receipt),
      writeMeta(environment.outbox, 'pause', undefined),
    ]);
    return turn;
  });
}

/**
 * Commits the attempt before its request goes out. Undefined when the change or the session is not the same any more. Joins
 * the transaction it is called in.
 */
async function begin(sender: Sender, { planned, ready, parcel }: Prepared): Promise<Turn | undefined> {
  const { environment, session } = sender;
  const { outbox, now } = environment;
  const [current, signedIn] = await Promise.all([outbox.entries.get(planned.sequence), readMeta(outbox, 'session')]);
  if (current === undefined || !isAsRead(current, planned) || signedIn?.token !== session.token) return undefined;
  const sending = apply(ready, { event: 'attempt', now: now(), timesOutAt: now() + parcel.timeout });
  await Promise.all([
    outbox.entries.put(sending),
    removeFiles(outbox, droppedFiles(current, sending)),
    writeMeta(outbox, 'lastAttempt', now()),
  ]);
  return { sending, parcel };
}

/** What an answer, or its absence, means for the change that was sent. */
export async function meaningOf(sender: Sender, sending: OutboxEntry, answer: Answer | undefined): Promise<Finding> {
  if (isProxyRefusal(answer) && (await isServerThere(sender))) {
    return { do: 'report', event: { event: 'held', reason: proxyRefused(answer?.status ?? 0) } };
  }
  if (answer?.status === NOT_TRIED) return { do: 'report', event: { event: 'not-tried' } };
  const missing = missingAt(answer);
  if (missing !== undefined) return { do: 'restage', missing };
  const answered = classify(sending.change.op, answer);
  if (answered.kind === 'refused' && answered.keyKnown) return keyReused(sender, sending);
  const outcome = await believed(sender, sending, answered);
  if (outcome.kind === 'conflict') return answerConflict(sender, sending, outcome);
  if (outcome.kind !== 'done') return { do: 'settle', outcome };
  // a server with keys answers without an id only where the row is gone again
  if (sending.change.op === 'create' && outcome.serverId === undefined && !sender.server.idempotencyKeys) {
    return { do: 'report', event: { event: 'accepted', message: outcome.message } };
  }
  const receipt = receiptOf(outcome, sender.environment.now());
  if (sender.server.idempotencyKeys) return { do: 'finish', receipt };
  if (isCreate(sending)) return { do: 'finish', receipt, follower: plainFollower(sending) };
  const rest = sending.change.op === 'update' ? afterFirstPart(sending.change) : undefined;
  if (rest === undefined) return { do: 'finish', receipt };
  return {
    do: 'report',
    event: { event: 'rebased', change: rest, idempotencyKey: keyFor(sender, sending), merged: [] },
  };
}

/** The payload is another one now: it gets a key of its own, unless a copy goes by this one. */
function keyFor({ environment }: Sender, sending: OutboxEntry): string {
  return isExported(sending) ? sending.idempotencyKey : environment.uuid();
}

/** In a batch: what has to come first did not. */
const NOT_TRIED = 424;

/** Hashes of files that the change names and the server does not have. Undefined where that is not what it says. */
function missingAt(answer: Answer | undefined): readonly string[] | undefined {
  if (answer?.status !== 409 || typeof answer.body !== 'object' || answer.body === null) return undefined;
  const { code, missing } = answer.body as { readonly code?: unknown; readonly missing?: unknown };
  return code === STAGE_AGAIN && Array.isArray(missing) ? missing.map(String) : undefined;
}

function bytesIn({ files }: Parcel): number {
  return files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/** A change's turn comes when the files that travel before it are there. */
async function packed(sender: Sender, entry: OutboxEntry, how: typeof pack): Promise<Parcel> {
  const { environment, server, travel } = sender;
  const sent = server.idempotencyKeys ? entry.change : firstPart(entry.change);
  return how(environment, requestOf(sent), travellingFiles(entry, travel));
}

/** The request with its bytes, or why it cannot be made. Throws what tells nothing of the change: storage that does not answer. */
async function packedOr(sender: Sender, entry: OutboxEntry): Promise<Parcel | { readonly reason: Reason }> {
  const { change } = entry;
  try {
    return await packed(sender, entry, pack);
  } catch (failure) {
    const code = failure instanceof FileLostError ? 'file-lost' : 'gone';
    // without its bytes or its record it cannot go; whatever else is wrong tells nothing of it
    if (code === 'gone' && (change.op === 'create' || !isLocalId(change.recordId))) throw failure;
    return { reason: { code, message: (failure as Error).message } };
  }
}

/** The record has changed on the server (412): look, and go on by itself where no field was changed on both sides. */
async function answerConflict(sender: Sender, sending: OutboxEntry, outcome: Outcome): Promise<Finding> {
  const { change } = sending;
  if (!('base' in change)) return { do: 'settle', outcome };
  // the answer was definite
  const certain: OutboxEntry = { ...sending, delivery: rulingOut(sending.delivery, 'attempt') };
  try {
    const theirs = await readTheirs(sender, change);
    if (theirs === undefined) return gone(sender, certain);
    const result = reconcile(certain, change, theirs);
    if (result.kind === 'gone') return gone(sender, certain);
    if (result.kind === 'conflict') return await conflict(sender, certain, theirs);
    const { change: laidOver, merged } = result;
    const idempotencyKey = keyFor(sender, sending);
    return { do: 'report', event: { event: 'rebased', change: laidOver, idempotencyKey, merged } };
  } catch (failure) {
    if (failure instanceof ReadFault) return { do: 'settle', outcome: failure.outcome };
    throw failure;
  }
}
