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
import { checkFence } from './lease.ts';
import { removeFiles } from '../storage/files.ts';
import type { OutboxDatabase } from '../storage/outbox-database.ts';
import { readMeta, type Session, writeMeta } from '../storage/meta.ts';
import { readUpload, writeUpload } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';

/** A sender at work: who it sends for, to which kind of server, and the fence that its writes are checked with. */
export interface Sender {
  readonly environment: Environment;
  readonly fence: number;
  readonly session: Session;
  readonly server: Capabilities;
  /** The files that travel before their changes, as they were when this turn began. */
  readonly travel: Travel | undefined;
  /** True from when on no further change is to be begun. */
  readonly stops: () => boolean;
}

/** Runs `work` in one transaction over the whole outbox, if this sender is still the one. Throws FencedOffError otherwise. */
export async function underFence<T>(
  { environment, fence }: Pick<Sender, 'environment' | 'fence'>,
  work: () => Promise<T>,
): Promise<T> {
  const { outbox } = environment;
  return transact(outbox, 'rw', [outbox.entries, outbox.files, outbox.identities, outbox.meta], async () => {
    // side by side, which saves a round trip to the database: where the fence has fallen, all that was written here is undone
    const [result] = await Promise.all([work(), checkFence(environment, fence)]);
    return result;
  });
}

/** What is to be done about a change before it is sent, found out without writing anything. */
export type Decision =
  /** Everything is known that has to be: it may go out like this. */
  { readonly do: 'send'; readonly ready: OutboxEntry } | Finding;

/** What was found out about a change. `about` is the entry as it is known by now, or another one. */
export type Finding = (
  | { readonly do: 'finish'; readonly receipt: Receipt; readonly follower?: Follower | undefined }
  | { readonly do: 'report'; readonly event: LifeEvent }
  /** The server has not all of the files, named by their hashes, that it was thought to have. */
  | { readonly do: 'restage'; readonly missing: readonly string[] }
  /** An attempt ended without a confirmation. */
  | { readonly do: 'settle'; readonly outcome: Outcome }
  /** Something that had to be known first could not be found out: the change was not attempted. */
  | { readonly do: 'postpone'; readonly outcome: Outcome }
) & { readonly about?: OutboxEntry };

/** Writes down what was found out about an entry, if nobody has changed it since it was read. The one writer of results. */
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
 * The change is confirmed. In one transaction: the receipt, the local id's server id, what follows for the later changes of the
 * record, the bytes of its files gone, the queue's pause over.
 */
async function finish(sender: Sender, entry: OutboxEntry, { receipt, follower }: Finding & { do: 'finish' }) {
  const { environment } = sender;
  await underFence(sender, async () => {
    const stored = await environment.outbox.entries.get(entry.sequence);
    if (entry.state !== 'sending' && !isAsRead(stored, entry)) return;
    // of one that was discarded on its way nothing goes on
    await confirm(environment, entry, receipt, stored && follower);
    await endPause(sender);
  });
}

/** The change waits until its files have travelled once more. */
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

/** What the server holds, or holds no more, is not the file: from the first byte on, once at once and then ever later. */
export function begunAnew({ environment }: Pick<Sender, 'environment'>, upload: Upload, message: string): Upload {
  const { failures, triedAt } = upload;
  const restarts = upload.restarts + 1;
  const anew: Upload = { ...chosen(upload), offset: 0, failures, restarts, triedAt, message };
  if (restarts === 1) return anew;
  return { ...anew, notBefore: environment.now() + backoff(restarts - 1, environment.random()) };
}

/** What stays of an upload whatever becomes of it: which file it is, and what somebody has decided about it. */
export function chosen({
  sha256,
  size,
  halted,
  anyway,
}: Upload): Pick<Upload, 'sha256' | 'size' | 'halted' | 'anyway'> {
  return { sha256, size, ...(halted && { halted }), ...(anyway && { anyway }) };
}

/** A change that is confirmed. */
export interface Confirmation {
  readonly entry: OutboxEntry;
  readonly receipt: Receipt;
  /** The change of its record before it, in the same request. */
  readonly after?: OutboxEntry;
}

/** Changes on their way are confirmed, in one transaction. What follows another one learns of its confirmation first. */
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

/** A change on its way as it is stored by now; as it was read where it was discarded since. */
export async function asStored(outbox: OutboxDatabase, read: OutboxEntry): Promise<OutboxEntry> {
  const stored = await outbox.entries.get(read.sequence);
  return stored?.state === 'sending' ? stored : read;
}

/** A good answer ends the queue's pause, unless it is in force: then another request, under way at the same time, was told to wait. */
async function endPause({ environment }: Sender): Promise<void> {
  const { outbox, now } = environment;
  const pause = await readMeta(outbox, 'pause');
  if (pause !== undefined && !isPaused(pause, now())) await writeMeta(outbox, 'pause', undefined);
}

/** The same happened to changes on their way, in one transaction. */
export async function reportAll(sender: Sender, entries: readonly OutboxEntry[], event: LifeEvent): Promise<void> {
  await underFence(sender, async () => {
    await Promise.all(entries.map((entry) => replace(sender, entry, event)));
  });
}

/** An attempt of several changes ended without a confirmation, in one transaction. */
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

/** Only a server that knows keys says that a change is being carried out: what it is has to be asked again. */
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

/** Something went wrong that nobody foresaw. The change is tried again later; the others go on. */
export async function deferAfterError(sender: Sender, entry: OutboxEntry, failure: unknown): Promise<void> {
  const { outbox } = sender.environment;
  const message = failure instanceof Error ? failure.message : String(failure);
  await underFence(sender, async () => {
    const current = await outbox.entries.get(entry.sequence);
    if (current !== undefined) {
      await outbox.entries.put(apply(current, { event: 'crashed', ...momentOf(sender), message }));
    }
  });
}

/** A link that fails is for the queue to wait for; what the server says of the change itself is kept with it. */
function preflightEvent(outcome: Outcome, moment: Moment): LifeEvent | undefined {
  if (outcome.kind === 'refused') return { event: 'held', reason: outcome.reason };
  if (outcome.kind !== 'uncertain' || outcome.status === undefined) return undefined;
  return { event: 'preflight-failed', ...moment, status: outcome.status, message: outcome.message };
}

function momentOf({ environment }: Sender): Moment {
  return { now: environment.now(), random: environment.random() };
}

/**
 * A change that was discarded while it was on its way does not come back. What was found out about one that was not on its way is not
 * laid over what it has become since: another save was merged into it, it was repaired or decided.
 */
async function replace({ environment }: Sender, read: OutboxEntry, event: LifeEvent): Promise<void> {
  const { outbox } = environment;
  const current = await outbox.entries.get(read.sequence);
  if (current === undefined || (current.state !== 'sending' && !isUnedited(current, read))) return;
  const entry = withoutDiscardedIfUnsent(apply({ ...read, ...discardedOf(current) }, event));
  const { idempotencyKey } = current;
  const isExportedSince = isExported(current) && !isExported(read);
  await outbox.entries.put(isExportedSince ? { ...apply(entry, { event: 'export' }), idempotencyKey } : entry);
  await removeFiles(outbox, droppedFiles(current, entry));
}

/** What was discarded before a change, of which nobody knows whether it has arrived behind it. */
export function discardedOf({ discarded }: OutboxEntry): Pick<OutboxEntry, 'discarded'> {
  return discarded === undefined ? {} : { discarded };
}

function withoutDiscardedIfUnsent(entry: OutboxEntry): OutboxEntry {
  return entry.discarded === undefined || isDeliveryUnknown(entry) ? entry : withoutDiscarded(entry);
}

/** Files that a change brought and does not bring any more, since they are on the server already. */
export function droppedFiles(before: OutboxEntry, after: OutboxEntry): readonly FileReference[] {
  const kept = new Set(filesOf(after).map(({ id }) => id));
  return filesOf(before).filter(({ id }) => !kept.has(id));
}

/** True when nobody has repaired, decided, merged, exported or discarded an entry since it was read. */
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
 * A sign-in pause is for the session that was refused: where someone has signed in again meanwhile, the answer is an old one's. A large
 * body that was cut says little of the link, which has just carried the question before it: it waits by itself.
 */
export async function pauseFor(
  { environment, session }: Pick<Sender, 'environment' | 'session'>,
  outcome: Outcome,
  isLarge: boolean,
): Promise<void> {
  const { outbox, now, random } = environment;
  const current = await readMeta(outbox, 'session');
  if (outcome.kind === 'signed-out' && current?.token !== session.token) return;
  const before = await readMeta(outbox, 'pause');
  const pause = pauseAfter(isLarge ? undefined : before, outcome, now(), random());
  // of what another request was told that was under way at the same time
  if (!isUpheld(before, outcome, pause, now())) await writeMeta(outbox, 'pause', pause);
}
