import { isDeliveryUnknown } from '../../domain/outbox/delivery.ts';
import { isReadable, next } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { latestUntil } from '../../domain/outbox/watchdog.ts';
import type { Environment } from '../storage/environment.ts';
import { readMeta } from '../storage/meta.ts';
import { unfinished } from '../storage/outbox-database.ts';
import { readTravel } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';
import { AWAKE_FOR, timeoutOf } from './time-limits.ts';

/** True if a change has been ready for `patience` milliseconds and nothing was sent: the sender is missing. */
export async function isWorkOverdue(environment: Environment, patience: number): Promise<boolean> {
  const { outbox, now } = environment;
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const entries = await unfinished(outbox);
    const pause = await readMeta(outbox, 'pause');
    const session = await readMeta(outbox, 'session');
    const lastAttempt = await readMeta(outbox, 'lastAttempt');
    const travel = await readTravel(environment);
    const step = next({ entries, pause, administrator: session?.administrator, travel }, now());
    return (
      (step.do === 'send' || step.do === 'stage') &&
      now() - latestUntil(now(), [lastAttempt, step.entry.createdAt]) >= patience
    );
  });
}

/**
 * True if a change that takes longer than a worker lives has started and not arrived: its last attempt was interrupted, or has
 * been in flight for `patience` milliseconds, perhaps from a dead worker. An open page has more time.
 */
export async function isLongInterrupted({ outbox, now }: Environment, patience: number): Promise<boolean> {
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const session = await readMeta(outbox, 'session');
    // a server with staging receives large files in pieces, and every worker makes progress
    if ((await readMeta(outbox, 'capabilities'))?.told.staging !== undefined) return false;
    const begun = await outbox.entries.where('state').anyOf('sending', 'pending').toArray();
    return begun.some(
      (entry) =>
        entry.administrator === session?.administrator &&
        outlastsWorker(entry) &&
        (isDeliveryUnknown(entry) || isOnFor(entry, patience, now())),
    );
  });
}

function outlastsWorker(entry: OutboxEntry): boolean {
  if (!isReadable(entry)) return false;
  return timeoutOf(filesOf(entry).reduce((sum, { size }) => sum + size, 0)) > AWAKE_FOR;
}

function isOnFor({ state, lastAttemptAt }: OutboxEntry, patience: number, now: number): boolean {
  return state === 'sending' && now - latestUntil(now, [lastAttemptAt]) >= patience;
}
