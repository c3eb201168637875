import { apply } from '../../domain/outbox/lifecycle.ts';
import { isDeliveryUnknown, isExported, mayBeDelivered, rulingOut } from '../../domain/outbox/delivery.ts';
import { classify, isProxyRefusal, proxyRefused } from '../../domain/outbox/classify.ts';
import { requestOf } from '../../domain/protocol/requests.ts';
import type { Change, FileReference, OutboxEntry, Outcome } from '../../domain/outbox/vocabulary.ts';
import { isValue } from '../../domain/fields.ts';
import { resourceOf } from '../../domain/resources/index.ts';
import { SITE_META } from '../../domain/site-meta.ts';
import { compareWithServer, conflictWith, isGone } from './preflight.ts';
import { confirm, confirmationOf } from '../outbox/confirm.ts';
import { prepareByReading } from './contract-only.ts';
import { FileLostError } from '../storage/errors.ts';
import { hadArrived } from './key-reuse.ts';
import { removeFiles } from '../storage/files.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { readTheirs } from './reading.ts';
import { learnNewId } from './read-back.ts';
import { reconcile } from './reconcile.ts';
import { isServerThere } from './server-kind.ts';
import { pack, packAhead, type Parcel, send } from './send.ts';
import { isAsRead, report, type Sender, settle, underFence } from './sender.ts';
import { toldByKey } from './lookup-by-key.ts';

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
  const ready = sender.server.idempotencyKeys
    ? await prepareByVersion(sender, entry)
    : await prepareByReading(sender, entry);
  if (ready === undefined) return undefined;
  const parcel = await packed(sender, entry, ready);
  return parcel && underFence(sender, () => begin(sender, { planned: entry, ready, parcel }));
}

/** A change that can be made ready while another one is under way. Undefined for one that needs more than its files. */
export async function prepareAhead(sender: Sender, entry: OutboxEntry): Promise<Prepared | undefined> {
  if (!sender.server.idempotencyKeys || mayBeDelivered(entry) || needsComparing(sender, entry)) return undefined;
  try {
    return { planned: entry, ready: entry, parcel: await packAhead(sender.environment, requestOf(entry.change)) };
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
  const answer = await send(environment, parcel, session.token, sending.idempotencyKey);
  if (isProxyRefusal(answer) && (await isServerThere(sender))) {
    return void (await report(sender, sending, { event: 'held', reason: proxyRefused(answer?.status ?? 0) }));
  }
  const outcome = classify(sending.change.op, answer);
  if (outcome.kind === 'conflict') return void (await answerConflict(sender, sending, outcome));
  if (outcome.kind === 'refused' && outcome.keyKnown) return void (await hadArrived(sender, sending));
  if (outcome.kind !== 'done') return void (await settle(sender, sending, outcome));
  // a server with keys answers without an id only where the row is gone again
  if (sending.change.op === 'create' && outcome.serverId === undefined && !sender.server.idempotencyKeys) {
    return void (await learnNewId(sender, sending, outcome.message));
  }
  const confirmation = confirmationOf(outcome, environment.now());
  const upcoming = sender.stops() ? undefined : await ahead;
  return underFence(sender, async () => {
    // the next change is of another record, so neither needs to wait for the other
    const [turn] = await Promise.all([
      upcoming && begin(sender, upcoming),
      confirm(environment, sending, confirmation),
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

/** What is in doubt is asked for by its key; a base without a version (seen on another kind of server) is compared here; else the server compares. */
async function prepareByVersion(sender: Sender, entry: OutboxEntry): Promise<OutboxEntry | undefined> {
  if (await toldByKey(sender, entry)) return undefined;
  const { change } = entry;
  return needsComparing(sender, entry) && 'base' in change ? compareWithServer(sender, entry, change) : entry;
}

function needsComparing({ server }: Sender, entry: OutboxEntry): boolean {
  const { change } = entry;
  if (!server.versions || (isDeliveryUnknown(entry) && !isExported(entry))) return false;
  return 'base' in change && change.base !== undefined && (change.base.version === undefined || lacksField(change));
}

/** Made by a form of an older app, which did not know a field that the record has by now: what it holds stays. */
function lacksField(change: Change): boolean {
  if (change.op !== 'update' && change.op !== 'save-settings') return false;
  const { fields } = change.op === 'update' ? resourceOf(change.resource) : SITE_META;
  return fields.some((field) => isValue(field) && change.values[field.name] === undefined);
}

async function packed(sender: Sender, planned: OutboxEntry, ready: OutboxEntry): Promise<Parcel | undefined> {
  try {
    return await pack(sender.environment, requestOf(ready.change));
  } catch (failure) {
    const code = failure instanceof FileLostError ? 'file-lost' : 'gone';
    const message = failure instanceof Error ? failure.message : 'It cannot be sent.';
    const asPlanned = { ...ready, idempotencyKey: planned.idempotencyKey };
    await report(sender, asPlanned, { event: 'held', reason: { code, message } });
    return undefined;
  }
}

/** The record has changed on the server (412): look, and go on by itself where no field was changed on both sides. */
async function answerConflict(sender: Sender, sending: OutboxEntry, outcome: Outcome): Promise<void> {
  const { change } = sending;
  if (!('base' in change)) return settle(sender, sending, outcome);
  // the answer was definite
  const certain: OutboxEntry = { ...sending, delivery: rulingOut(sending.delivery, 'attempt') };
  const reading = await readTheirs(sender, change);
  if (reading.kind === 'fault') return settle(sender, sending, reading.outcome);
  if (reading.kind === 'gone') return isGone(sender, certain);
  const result = reconcile(certain, change, reading.value);
  if (result.kind === 'gone') return isGone(sender, certain);
  if (result.kind === 'conflict') return report(sender, certain, await conflictWith(sender, certain, reading.value));
  // the payload is another one now: it gets a key of its own, unless a copy goes by this one
  const idempotencyKey = isExported(sending) ? sending.idempotencyKey : sender.environment.uuid();
  return report(sender, sending, { event: 'rebased', change: result.change, idempotencyKey, merged: result.merged });
}

/** Files that were found on the server already need not be kept. */
function droppedFiles(before: OutboxEntry, after: OutboxEntry): readonly FileReference[] {
  const kept = new Set('files' in after.change ? after.change.files.map(({ id }) => id) : []);
  return 'files' in before.change ? before.change.files.filter(({ id }) => !kept.has(id)) : [];
}
