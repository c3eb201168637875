import { isExported } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import type { Step } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { afterDiscarded } from '../../domain/outbox/rebase.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { removeFiles } from '../storage/files.ts';
import { type Sender, underFence } from './sender.ts';

/**
 * A delete's time has come. What was made of the record before and surely never carried out leaves the queue with its
 * files; of a record that never reached the server, the delete is done with that. Any other goes out now, and counts as tried
 * from here on: it cannot be undone any more, since what came before it would not come back.
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

/** Nothing was merged into it, and no copy of it was carried off, since the step was planned. */
function isAsPlanned(stored: OutboxEntry | undefined, planned: OutboxEntry | undefined): boolean {
  if (stored === undefined || planned === undefined) return stored === planned;
  return stored.idempotencyKey === planned.idempotencyKey && isExported(stored) === isExported(planned);
}
