import { advance, pauseAfter, refuse, senderLost, without } from '../../domain/outbox/advance.ts';
import { backoff } from '../../domain/outbox/backoff.ts';
import { filesOf } from '../../domain/outbox/optimistic-view.ts';
import type { OutboxEntry, Outcome, Reason } from '../../domain/outbox/vocabulary.ts';
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import type { Environment } from '../storage/environment.ts';
import { confirm, type Confirmation } from '../outbox/confirm.ts';
import { checkFence } from './lease.ts';
import { readMeta, type Session, writeMeta } from '../storage/meta.ts';
import { transact } from '../storage/transactions.ts';

/** A sender at work: who it sends for, to which kind of server, and the fence that its writes are checked with. */
export interface Sender {
  readonly environment: Environment;
  readonly fence: number;
  readonly session: Session;
  readonly server: Capabilities;
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

/**
 * The change is confirmed. In one transaction: the receipt, the local id's server id, what follows for the later changes of the
 * record, the bytes of its files gone, the queue's pause over.
 */
export async function finish(sender: Sender, entry: OutboxEntry, confirmation: Confirmation): Promise<void> {
  const { environment } = sender;
  await underFence(sender, async () => {
    await confirm(environment, entry, confirmation);
    await writeMeta(environment.outbox, 'pause', undefined);
  });
}

/** An attempt ended without a confirmation: what its outcome makes of the entry and of the queue. */
export async function settle(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  const { now, random } = sender.environment;
  await underFence(sender, async () => {
    await replace(sender, advance(entry, outcome, now(), random()));
    await pauseFor(sender, outcome, filesOf(entry).length > 0);
  });
}

/** Something that had to be known first could not be found out: the change was not attempted. */
export async function postpone(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  const { now, random } = sender.environment;
  await underFence(sender, async () => {
    if (outcome.kind === 'uncertain' && outcome.status !== undefined) {
      const advanced = advance(entry, outcome, now(), random());
      const state = advanced.state === 'refused' ? 'refused' : entry.doubt ? 'uncertain' : 'waiting';
      await replace(sender, { ...undoubted(advanced, entry), state, lastAttemptAt: now() });
    } else if (outcome.kind === 'refused') {
      await replace(sender, undoubted(refuse(entry, outcome.reason), entry));
    }
    await pauseFor(sender, outcome, false);
  });
}

/** The change needs the administrator. What is in doubt stays in doubt. */
export async function giveBack(sender: Sender, entry: OutboxEntry, reason: Reason): Promise<void> {
  await put(sender, undoubted(refuse(entry, reason), entry));
}

/** Something went wrong that nobody foresaw. The change is tried again later; the others go on. */
export async function setAside(sender: Sender, entry: OutboxEntry, failure: unknown): Promise<void> {
  const { outbox, now, random } = sender.environment;
  const message = failure instanceof Error ? failure.message : String(failure);
  await underFence(sender, async () => {
    const current = await outbox.entries.get(entry.sequence);
    if (current === undefined || current.state === 'done') return;
    const lost = current.state === 'sending' ? senderLost(current) : current;
    const state = lost.doubt ? 'uncertain' : 'waiting';
    const notBefore = now() + backoff(Math.max(1, current.attempts), random());
    const reason: Reason = { code: 'server-error', message };
    await outbox.entries.put({ ...lost, state, lastAttemptAt: now(), notBefore, reason });
  });
}

/** Writes an entry as it is now, if this sender is still the one. */
export async function put(sender: Sender, entry: OutboxEntry): Promise<void> {
  await underFence(sender, () => replace(sender, entry));
}

/**
 * A change that was discarded while it was on its way does not come back. One that was not on its way yet, and that another
 * save was merged into meanwhile, has another key: what was found out about the old payload is not laid over the new one.
 */
async function replace({ environment }: Sender, entry: OutboxEntry): Promise<void> {
  const { entries } = environment.outbox;
  const current = await entries.get(entry.sequence);
  if (current === undefined) return;
  if (current.state !== 'sending' && current.idempotencyKey !== entry.idempotencyKey) return;
  // a copy of it may have been carried off meanwhile
  await entries.put(current.copied ? { ...entry, copied: true, idempotencyKey: current.idempotencyKey } : entry);
}

/** True when nobody has mended, decided, merged, carried off or discarded an entry since it was read. */
export function isAsRead(stored: OutboxEntry | undefined, read: OutboxEntry): boolean {
  return (
    stored?.state === read.state &&
    stored.idempotencyKey === read.idempotencyKey &&
    stored.attempts === read.attempts &&
    stored.copied === read.copied
  );
}

/** What was not asked of the server leaves the doubt as it was. */
function undoubted(entry: OutboxEntry, before: OutboxEntry): OutboxEntry {
  return before.doubt ? { ...entry, doubt: true } : without(entry, 'doubt');
}

/**
 * A sign-in pause is for the session that was refused: where someone has signed in again meanwhile, the answer is an old one's. A large
 * body that was cut says little of the link, which has just carried the question before it: it waits by itself.
 */
async function pauseFor({ environment, session }: Sender, outcome: Outcome, isLarge: boolean): Promise<void> {
  const { outbox, now, random } = environment;
  const current = await readMeta(outbox, 'session');
  if (outcome.kind === 'signed-out' && current?.token !== session.token) return;
  const before = isLarge ? undefined : await readMeta(outbox, 'pause');
  const pause = pauseAfter(before, outcome, now(), random());
  await writeMeta(outbox, 'pause', pause);
}
