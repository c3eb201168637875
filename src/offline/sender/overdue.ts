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

/** True when a change could be sent and nothing was for `patience` milliseconds: whoever should send is not there. */
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
 * True when a change that a slow link carries for longer than a worker lives was begun and has not arrived: its last attempt was
 * interrupted, or is on for `patience` milliseconds, perhaps by a worker that is gone. A page that is open has more time.
 */
export async function isLongInterrupted({ outbox, now }: Environment, patience: number): Promise<boolean> {
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const session = await readMeta(outbox, 'session');
    // what is long on its way goes in pieces there, and every worker brings it further
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
