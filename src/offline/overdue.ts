import { next } from '../domain/outbox/order.ts';
import type { Environment } from './environment.ts';
import { readMeta } from './meta.ts';
import { transact, unfinished } from './outbox-db.ts';

/** True when a change could be sent and nothing was for `patience` milliseconds: whoever should send is not there. */
export async function isWorkOverdue({ outbox, now }: Environment, patience: number): Promise<boolean> {
  return transact(outbox, 'r', [outbox.entries, outbox.meta], async () => {
    const entries = await unfinished(outbox);
    const pause = await readMeta(outbox, 'pause');
    const session = await readMeta(outbox, 'session');
    const lastAttempt = (await readMeta(outbox, 'lastAttempt')) ?? 0;
    const step = next({ entries, pause, administrator: session?.administrator }, now());
    return step.do === 'send' && now() - Math.max(lastAttempt, step.entry.createdAt) >= patience;
  });
}
