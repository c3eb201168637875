import { isExported } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import type { Step } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { afterDiscarded } from '../../domain/outbox/rebase.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { removeFiles } from '../storage/files.ts';
import { type Sender, underFence } from './sender.ts';

/**
 * Settles a delete that is due. Earlier changes of the record that were certainly never applied leave the queue with their files.
 * If the record never reached the server, that completes the delete. Otherwise the delete goes out now and counts as attempted:
 * it can no longer be undone, because the earlier changes would not come back.
 */
export async function settleDelete(
  sender: Pick<Sender, 'environment' | 'fence'>,
  { moot, deletion, neverSent }: Step & { do: 'settle' },
): Promise<void> {
  const { outbox, now } = sender.environment;
  await underFence(sender, async () => {
    const planned = [...moot, deletion];
    const stored = await outbox.entries.bulkGet(planned.map(({ sequence }) => sequence));
    if (stored.some((entry, index) => !isAsPlanned(entry, planned[index]))) return;
    await outbox.entries.bulkDelete(moot.map(({ sequence }) => sequence));
    await removeFiles(outbox, moot.flatMap(filesOf));
    const receipt = { at: now(), message: 'It was deleted before it was sent.' };
    const { change } = moot.reduceRight(afterDiscarded, deletion);
    await outbox.entries.put(
      apply(deletion, neverSent ? { event: 'delivered', receipt } : { event: 'moot', change, tookAlong: moot.length }),
    );
  });
}

/** True if the entry has been neither merged into nor exported since the step was planned. */
function isAsPlanned(stored: OutboxEntry | undefined, planned: OutboxEntry | undefined): boolean {
  if (stored === undefined || planned === undefined) return stored === planned;
  return stored.idempotencyKey === planned.idempotencyKey && isExported(stored) === isExported(planned);
}
