import { confirmed } from '../domain/outbox/advance.ts';
import type { Step } from '../domain/outbox/order.ts';
import { filesOf } from '../domain/outbox/overlay.ts';
import { afterDiscarded } from '../domain/outbox/rebase.ts';
import type { Environment } from './environment.ts';
import { removeFiles } from './files.ts';
import { underFence } from './sender.ts';

/**
 * A delete's time has come. What was made of the record before and surely never carried out leaves the queue with its
 * files; of a record that never reached the server, the delete is done with that.
 */
export async function settleDelete(
  environment: Environment,
  fence: number,
  { moot, deletion, neverSent }: Step & { do: 'settle' },
): Promise<void> {
  const { outbox, now } = environment;
  await underFence({ environment, fence }, async () => {
    const planned = [...moot, deletion];
    const stored = await outbox.entries.bulkGet(planned.map(({ sequence }) => sequence));
    if (stored.some((entry, index) => entry?.idempotencyKey !== planned[index]?.idempotencyKey)) return;
    await outbox.entries.bulkDelete(moot.map(({ sequence }) => sequence));
    await removeFiles(outbox, moot.flatMap(filesOf));
    const receipt = { at: now(), message: 'It was removed before it was ever sent.' };
    await outbox.entries.put(neverSent ? confirmed(deletion, receipt) : moot.reduceRight(afterDiscarded, deletion));
  });
}
