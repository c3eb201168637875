import type { LifeEvent, Moment } from '../../domain/outbox/events.ts';
import { apply, eventOf } from '../../domain/outbox/lifecycle.ts';
import { isDeliveryUnknown, isExported } from '../../domain/outbox/delivery.ts';
import { withoutDiscarded } from '../../domain/outbox/rebase.ts';
import { isPaused, isUpheld, pauseAfter } from '../../domain/outbox/pause.ts';
import {
  type FileReference,
  filesOf,
  type OutboxEntry,
  type Outcome,
  type Receipt,
} from '../../domain/outbox/vocabulary.ts';
import { backoff } from '../../domain/outbox/backoff.ts';
import type { Travel, Upload } from '../../domain/outbox/uploads.ts';
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import type { Environment } from '../storage/environment.ts';
import { confirm, type Follower } from '../outbox/confirm.ts';
import { checkFence, FencedOffError } from './lease.ts';
import { removeFiles } from '../storage/files.ts';
import type { OutboxDatabase } from '../storage/outbox-database.ts';
import { readMeta, type Session, writeMeta } from '../storage/meta.ts';
import { isQuota } from '../storage/quota.ts';
import { readUpload, writeUpload } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';
import { noteAftermath, steady } from '../storage/steady.ts';

/** An active sender: its session, its server, and the fence that guards its writes. */
export interface Sender {
  readonly environment: Environment;
  readonly fence: number;
  readonly session: Session;
  readonly server: Capabilities;
  /** The staged files as of the latest snapshot of the queue. */
  readonly travel: Travel | undefined;
  /** True once no further change may start. */
  readonly stops: () => boolean;
}

/** Runs `work` in one transaction over the whole outbox. Throws FencedOffError, and rolls back, if another sender has taken over. */
export async function underFence<T>(
  { environment, fence }: Pick<Sender, 'environment' | 'fence'>,
  work: () => Promise<T>,
): Promise<T> {
  const { outbox } = environment;
  return transact(outbox, 'rw', [outbox.entries, outbox.files, outbox.identities, outbox.meta], async () => {
    // concurrently, which saves a round trip: a lost fence rolls back everything written here
    const [result] = await Promise.all([work(), checkFence(environment, fence)]);
    return result;
  });
}

/** A request that has not left this long after its attempt was committed was held up. Milliseconds. */
const HELD_UP = 5_000;

/**
 * Rejects if a request must not leave any more, because its device was frozen since the attempt was committed: another sender has
 * taken over, or the user has logged out.
 */
export async function assertMayLeave(sender: Sender, { lastAttemptAt = 0 }: OutboxEntry): Promise<void> {
  if (steady(sender.environment) - lastAttemptAt <= HELD_UP) return;
  await underFence(sender, async () => {
    if (!(await isSignedIn(sender))) throw new FencedOffError();
  });
}

/** True if the sender's session is still the current one. Joins the current transaction. */
export async function isSignedIn({ environment, session }: Pick<Sender, 'environment' | 'session'>): Promise<boolean> {
  return (await readMeta(environment.outbox, 'session'))?.token === session.token;
}

/** What to do with a change before it is sent. Decided without writing anything. */
export type Decision =
  /** It is ready to go out. */
  { readonly do: 'send'; readonly ready: OutboxEntry } | Finding;

/** What was learned about a change. `about` is the updated entry, or another entry that the finding concerns. */
export type Finding = (
  | { readonly do: 'finish'; readonly receipt: Receipt; readonly follower?: Follower | undefined }
  | { readonly do: 'report'; readonly event: LifeEvent }
  /** The server lacks files, named by their hashes, that were thought to be staged. */
  | { readonly do: 'restage'; readonly missing: readonly string[] }
  /** An attempt ended without a confirmation. */
  | { readonly do: 'settle'; readonly outcome: Outcome }
  /** A prerequisite could not be determined: the change was not attempted. */
  | { readonly do: 'postpone'; readonly outcome: Outcome }
) & { readonly about?: OutboxEntry };

/** Records a finding about an entry, unless the entry has changed since it was read. The only writer of results. */
export async function record(sender: Sender, entry: OutboxEntry, finding: Finding): Promise<void> {
  const about = finding.about ?? entry;
  switch (finding.do) {
    case 'finish':
      return finish(sender, about, finding);
    case 'report':
      return underFence(sender, () => replace(sender, about, finding.event));
    case 'restage':
      return restage(sender, about, finding.missing);
    case 'settle':
      return settle(sender, about, finding.outcome);
    case 'postpone':
      return postpone(sender, about, finding.outcome);
    default:
      return finding satisfies never;
  }
}

/**
 * Confirms a change. One transaction writes the receipt, maps the local id to the server's, updates later changes of the
 * record, removes the bytes of its files and ends the queue's pause.
 */
async function finish(sender: Sender, entry: OutboxEntry, { receipt, follower }: Finding & { do: 'finish' }) {
  const { environment } = sender;
  await underFence(sender, async () => {
    const stored = await environment.outbox.entries.get(entry.sequence);
    // done: an earlier run was committed before the connection was lost
    if (stored?.state === 'done' || (entry.state !== 'sending' && !isAsRead(stored, entry))) return;
    // a change discarded while in flight has no follower
    await confirm(environment, entry, receipt, stored && follower);
    await endPause(sender);
  });
}

/** Makes the change wait until its files have been staged again. */
async function restage(sender: Sender, entry: OutboxEntry, missing: readonly string[]): Promise<void> {
  const { environment, session } = sender;
  const { outbox, now } = environment;
  await underFence(sender, async () => {
    await replace(sender, entry, { event: 'not-tried' });
    for (const file of filesOf(entry).filter(({ sha256 }) => missing.includes(sha256))) {
      const upload = await readUpload(outbox, session.administrator, file);
      const anew = begunAnew(sender, upload, 'The server no longer had it. It will be sent again.');
      await writeUpload(outbox, session.administrator, { ...anew, triedAt: now() });
    }
  });
}

/** Restarts an upload from its first byte: the first time at once, then with growing backoff. */
export function begunAnew({ environment }: Pick<Sender, 'environment'>, upload: Upload, message: string): Upload {
  const { failures, triedAt } = upload;
  const restarts = upload.restarts + 1;
  const anew: Upload = { ...chosen(upload), offset: 0, failures, restarts, triedAt, message };
  if (restarts === 1) return anew;
  return { ...anew, notBefore: environment.now() + backoff(restarts - 1, environment.random()) };
}

/** The lasting part of an upload: the identity of its file, and what the administrator decided about it. */
export function chosen({
  sha256,
  size,
  halted,
  anyway,
}: Upload): Pick<Upload, 'sha256' | 'size' | 'halted' | 'anyway'> {
  return { sha256, size, ...(halted && { halted }), ...(anyway && { anyway }) };
}

/** A confirmed change. */
export interface Confirmation {
  readonly entry: OutboxEntry;
  readonly receipt: Receipt;
  /** The earlier change of its record in the same request. */
  readonly after?: OutboxEntry;
}

/** Confirms changes in flight, in one transaction. A change that follows another one learns of that confirmation first. */
export async function confirmAll(sender: Sender, confirmations: readonly Confirmation[]): Promise<void> {
  const { environment } = sender;
  const first = confirmations.filter(({ after }) => after === undefined);
  const later = confirmations.filter(({ after }) => after !== undefined);
  await underFence(sender, async () => {
    await Promise.all([...first.map(({ entry, receipt }) => confirm(environment, entry, receipt)), endPause(sender)]);
    for (const { entry, receipt } of later) {
      await confirm(environment, await asStored(environment.outbox, entry), receipt);
    }
  });
}

/** A change in flight as it is stored now, or as it was read if it has been discarded since. */
export async function asStored(outbox: OutboxDatabase, read: OutboxEntry): Promise<OutboxEntry> {
  const stored = await outbox.entries.get(read.sequence);
  return stored?.state === 'sending' ? stored : read;
}

/** A good answer ends the queue's pause, unless the pause is still in force: then a concurrent request was told to wait. */
async function endPause({ environment }: Sender): Promise<void> {
  const { outbox } = environment;
  const pause = await readMeta(outbox, 'pause');
  if (pause !== undefined && !isPaused(pause, steady(environment))) await writeMeta(outbox, 'pause', undefined);
}

/** Applies one event to several changes in flight, in one transaction. */
export async function reportAll(sender: Sender, entries: readonly OutboxEntry[], event: LifeEvent): Promise<void> {
  await underFence(sender, async () => {
    await Promise.all(entries.map((entry) => replace(sender, entry, event)));
  });
}

/** Ends an attempt of several changes without a confirmation, in one transaction. */
export async function settleAll(sender: Sender, entries: readonly OutboxEntry[], outcome: Outcome): Promise<void> {
  await underFence(sender, async () => {
    await Promise.all(entries.map((entry) => replace(sender, entry, eventOf(outcome, momentOf(sender)))));
    await pauseFor(sender, outcome, false);
  });
}

async function settle(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  await underFence(sender, async () => {
    await replace(sender, entry, eventOf(outcome, momentOf(sender)));
    await pauseFor(sender, outcome, filesOf(entry).length > 0);
    if (isTakenForAnother(sender.server, outcome))
      await writeMeta(sender.environment.outbox, 'capabilities', undefined);
  });
}

/** Only a server with idempotency keys reports a change in progress: its capabilities have to be asked for again. */
function isTakenForAnother({ idempotencyKeys }: Capabilities, outcome: Outcome): boolean {
  return !idempotencyKeys && outcome.kind === 'busy' && outcome.scope === 'entry';
}

async function postpone(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  await underFence(sender, async () => {
    const event = preflightEvent(outcome, momentOf(sender));
    if (event !== undefined) await replace(sender, entry, event);
    await pauseFor(sender, outcome, false);
  });
}

/** Defers a change after an unexpected error. The others continue. Rethrows an error that is not about the change. */
export async function deferAfterError(sender: Sender, entry: OutboxEntry, failure: unknown): Promise<void> {
  if (failure instanceof FencedOffError || isQuota(failure)) throw failure;
  const { outbox } = sender.environment;
  const message = failure instanceof Error ? failure.message : String(failure);
  await underFence(sender, async () => {
    const current = await outbox.entries.get(entry.sequence);
    if (current !== undefined) {
      await outbox.entries.put(apply(current, { event: 'crashed', ...momentOf(sender), message }));
    }
  });
}

/** A link fault pauses the queue; what the server says about the change itself is kept with the change. */
function preflightEvent(outcome: Outcome, moment: Moment): LifeEvent | undefined {
  if (outcome.kind === 'refused') return { event: 'held', reason: outcome.reason };
  if (outcome.kind !== 'uncertain' || outcome.status === undefined) return undefined;
  return { event: 'preflight-failed', ...moment, status: outcome.status, message: outcome.message };
}

/** Now, and a random number. */
export function momentOf({ environment }: Pick<Sender, 'environment'>): Moment {
  return { now: steady(environment), random: environment.random() };
}

/**
 * Applies an event to an entry. A change discarded while in flight does not come back. A finding about a change that was not
 * in flight never overwrites a later merge, repair or decision.
 */
async function replace(
  { environment }: Pick<Sender, 'environment'>,
  read: OutboxEntry,
  event: LifeEvent,
): Promise<void> {
  const { outbox } = environment;
  const current = await outbox.entries.get(read.sequence);
  if (current === undefined || (current.state !== 'sending' && !isUnedited(current, read))) return;
  const entry = withoutDiscardedIfUnsent(apply({ ...read, ...discardedOf(current) }, event));
  if (read.state === 'sending' && isDeliveryUnknown(entry)) noteAftermath(environment, entry);
  const { idempotencyKey } = current;
  const isExportedSince = isExported(current) && !isExported(read);
  await outbox.entries.put(isExportedSince ? { ...apply(entry, { event: 'export' }), idempotencyKey } : entry);
  await removeFiles(outbox, droppedFiles(current, entry));
}

/** Earlier discarded changes whose delivery is still unknown. */
export function discardedOf({ discarded }: OutboxEntry): Pick<OutboxEntry, 'discarded'> {
  return discarded === undefined ? {} : { discarded };
}

function withoutDiscardedIfUnsent(entry: OutboxEntry): OutboxEntry {
  return entry.discarded === undefined || isDeliveryUnknown(entry) ? entry : withoutDiscarded(entry);
}

/** Files that a change no longer brings because they are on the server already. */
export function droppedFiles(before: OutboxEntry, after: OutboxEntry): readonly FileReference[] {
  const kept = new Set(filesOf(after).map(({ id }) => id));
  return filesOf(before).filter(({ id }) => !kept.has(id));
}

/** True if an entry has not been repaired, decided, merged, exported or discarded since it was read. */
export function isAsRead(stored: OutboxEntry | undefined, read: OutboxEntry): boolean {
  return stored !== undefined && isUnedited(stored, read) && isExported(stored) === isExported(read);
}

function isUnedited(stored: OutboxEntry, read: OutboxEntry): boolean {
  return (
    stored.state === read.state &&
    stored.idempotencyKey === read.idempotencyKey &&
    stored.attempts === read.attempts &&
    stored.discarded?.length === read.discarded?.length
  );
}

/**
 * Pauses the queue as an outcome demands. A sign-in pause applies only to the session that was refused: after a new sign-in,
 * the answer is out of date. A large body that was cut says little about the link, so only its own change waits.
 */
export async function pauseFor(
  sender: Pick<Sender, 'environment' | 'session'>,
  outcome: Outcome,
  isLarge: boolean,
): Promise<void> {
  const { outbox } = sender.environment;
  const { now, random } = momentOf(sender);
  if (outcome.kind === 'signed-out' && !(await isSignedIn(sender))) return;
  const before = await readMeta(outbox, 'pause');
  const pause = pauseAfter(isLarge ? undefined : before, outcome, now, random);
  // a concurrent request may have been told to wait longer
  if (!isUpheld(before, outcome, pause, now)) await writeMeta(outbox, 'pause', pause);
}
