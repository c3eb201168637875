import type { LifeEvent, Moment } from '../../domain/outbox/events.ts';
import { apply, eventOf } from '../../domain/outbox/lifecycle.ts';
import { isExported } from '../../domain/outbox/delivery.ts';
import { pauseAfter } from '../../domain/outbox/pause.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import type { OutboxEntry, Outcome } from '../../domain/outbox/vocabulary.ts';
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
  await underFence(sender, async () => {
    await replace(sender, apply(entry, eventOf(outcome, momentOf(sender))));
    await pauseFor(sender, outcome, filesOf(entry).length > 0);
  });
}

/** Something that had to be known first could not be found out: the change was not attempted. */
export async function postpone(sender: Sender, entry: OutboxEntry, outcome: Outcome): Promise<void> {
  await underFence(sender, async () => {
    const event = preflightEvent(outcome, momentOf(sender));
    if (event !== undefined) await replace(sender, apply(entry, event));
    await pauseFor(sender, outcome, false);
  });
}

/** Something happened to a change. What an event of this sender's finds out is kept only if it is still the one. */
export async function report(sender: Sender, entry: OutboxEntry, event: LifeEvent): Promise<void> {
  await underFence(sender, () => replace(sender, apply(entry, event)));
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
 * A change that was discarded while it was on its way does not come back. One that was not on its way yet, and that another
 * save was merged into meanwhile, has another key: what was found out about the old payload is not laid over the new one.
 */
async function replace({ environment }: Sender, entry: OutboxEntry): Promise<void> {
  const { entries } = environment.outbox;
  const current = await entries.get(entry.sequence);
  if (current === undefined) return;
  if (current.state !== 'sending' && current.idempotencyKey !== entry.idempotencyKey) return;
  // it may have been exported meanwhile
  const { idempotencyKey } = current;
  await entries.put(isExported(current) ? { ...apply(entry, { event: 'export' }), idempotencyKey } : entry);
}

/** True when nobody has repaired, decided, merged, exported or discarded an entry since it was read. */
export function isAsRead(stored: OutboxEntry | undefined, read: OutboxEntry): boolean {
  return (
    stored?.state === read.state &&
    stored.idempotencyKey === read.idempotencyKey &&
    stored.attempts === read.attempts &&
    isExported(stored) === isExported(read)
  );
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
