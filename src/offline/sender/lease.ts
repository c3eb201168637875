import type { Environment } from '../storage/environment.ts';
import { type Lease, readMeta, writeMeta } from '../storage/meta.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import { transact } from '../storage/transactions.ts';

/**
 * One sender at a time: a Web Lock plus a lease in the database, because browsers have leaked locks. Every write of a result
 * checks the lease's fence, so a sender that was presumed dead and comes back changes nothing.
 */
const LOCK = 'voltdesk-sender';
const LEASE_LASTS = 30_000;
const RENEW_EVERY = 10_000;
/** How long to wait for the lock before the lease alone decides. Milliseconds. */
const LOCK_PATIENCE = 30_000;

/** How a sender acquires the lease: with the lock, in a browser without locks, or after waiting for the lock in vain. */
type Way = 'locked' | 'lockless' | 'unlocked';

/** Another sender has taken over, or the user has logged out: this one must not send or write its results. */
export class FencedOffError extends Error {
  override readonly name = 'FencedOffError';
}

/** Runs `work` as the only sender. Returns undefined if another sender is active. */
export async function asOnlySender<T>(
  environment: Environment,
  work: (fence: number) => Promise<T>,
): Promise<T | undefined> {
  const { locks, after } = environment;
  if (locks === undefined) return underLease(environment, 'lockless', work);
  const patience = new AbortController();
  const stopWaiting = after(LOCK_PATIENCE, () => patience.abort());
  let granted = false;
  try {
    return await locks.request(LOCK, { signal: patience.signal }, () => {
      granted = true;
      stopWaiting();
      return underLease(environment, 'locked', work);
    });
  } catch (failure) {
    if (granted || !patience.signal.aborted) throw failure;
    return underLease(environment, 'unlocked', work);
  }
}

/** Returns the lease. Throws FencedOffError unless this fence still holds. Joins the caller's transaction. */
export async function checkFence({ outbox, holder }: Environment, fence: number): Promise<Lease> {
  const lease = await readMeta(outbox, 'lease');
  if (lease?.fence !== fence || lease.holder !== holder) throw new FencedOffError();
  return lease;
}

async function underLease<T>(
  environment: Environment,
  way: Way,
  work: (fence: number) => Promise<T>,
): Promise<T | undefined> {
  const fence = await acquire(environment, way);
  if (fence === undefined) return undefined;
  const stopRenewing = keepRenewing(environment, fence);
  try {
    return await work(fence);
  } catch (failure) {
    if (failure instanceof FencedOffError) return undefined;
    throw failure;
  } finally {
    stopRenewing();
    await release(environment, fence);
  }
}

/** Takes the lease with a higher fence. The delivery of whatever the last holder was sending becomes unknown. */
async function acquire(environment: Environment, way: Way): Promise<number | undefined> {
  const { outbox, now, holder } = environment;
  return transact(outbox, 'rw', [outbox.meta, outbox.entries], async () => {
    const lease = await readMeta(outbox, 'lease');
    // a valid lease taken with the lock, while another sender holds the lock, belongs to a killed sender
    const takesOver = way === 'locked' && lease?.unlocked !== true;
    if (!takesOver && lease !== undefined && isOn(lease, now())) return undefined;
    const fence = (lease?.fence ?? 0) + 1;
    const unlocked = way === 'unlocked' ? { unlocked: true } : {};
    await writeMeta(outbox, 'lease', { fence, holder, expires: now() + LEASE_LASTS, ...unlocked });
    const interrupted = await outbox.entries.where('state').equals('sending').toArray();
    await outbox.entries.bulkPut(interrupted.filter(isReadable).map((entry) => apply(entry, { event: 'sender-lost' })));
    return fence;
  });
}

/** A lease that expires later than any lease lasts was written before the clock was set back. */
function isOn(lease: Lease, now: number): boolean {
  return now < lease.expires && lease.expires - now <= LEASE_LASTS;
}

function keepRenewing(environment: Environment, fence: number): () => void {
  const { outbox, now, after } = environment;
  let stopped = false;
  let stopTimer = () => {};
  const renew = async () => {
    try {
      await transact(outbox, 'rw', [outbox.meta], async () => {
        const lease = await checkFence(environment, fence);
        await writeMeta(outbox, 'lease', { ...lease, expires: now() + LEASE_LASTS });
      });
    } catch (failure) {
      // the next write finds out too; any other failure is harmless as long as a later renewal succeeds
      if (failure instanceof FencedOffError) return;
    }
    if (!stopped) schedule();
  };
  const schedule = () => {
    stopTimer = after(RENEW_EVERY, () => void renew());
  };
  schedule();
  return () => {
    stopped = true;
    stopTimer();
  };
}

/** Ends the lease at once. The fence stays, so it only ever grows. */
async function release({ outbox, holder }: Environment, fence: number): Promise<void> {
  await transact(outbox, 'rw', [outbox.meta], async () => {
    const lease = await readMeta(outbox, 'lease');
    if (lease?.fence === fence && lease.holder === holder) await writeMeta(outbox, 'lease', { ...lease, expires: 0 });
  }).catch(() => undefined);
}
