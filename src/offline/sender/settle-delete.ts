import { LONGEST_WAIT } from '../../domain/outbox/backoff.ts';
import { isExported } from '../../domain/outbox/delivery.ts';
import { apply } from '../../domain/outbox/lifecycle.ts';
import type { Step } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { afterDiscarded } from '../../domain/outbox/rebase.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isCreate } from '../outbox/confirm.ts';
import { removeFiles } from '../storage/files.ts';
import { answerTo, meaningByKey } from './keyed.ts';
import { prepare } from './attempt.ts';
import { type Decision, record, type Sender, underFence } from './sender.ts';

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

/**
 * Settles a delete that is due, unless another device has sent an exported create of its record: that is looked for first. The
 * delete waits while it cannot be told. Throws ReadFault.
 */
export async function settleSurely(sender: Sender, step: Step & { do: 'settle' }): Promise<void> {
  const copied = step.moot.find((entry) => isCreate(entry) && isExported(entry));
  const decision = copied && (await deliveredElsewhere(sender, copied));
  if (copied === undefined || decision?.do === 'send') return settleDelete(sender, step);
  if (decision?.do === 'finish') return record(sender, copied, decision);
  if (decision?.do === 'postpone' || decision?.do === 'settle')
    await record(sender, step.deletion, { ...decision, do: 'postpone' });
  const until = sender.environment.now() + LONGEST_WAIT;
  await record(sender, step.deletion, { do: 'report', event: { event: 'read-back-later', until } });
}

/** What became of a copy of a create. `send`: it is not on the server. */
async function deliveredElsewhere(sender: Sender, entry: OutboxEntry): Promise<Decision> {
  if (!sender.server.changesByKey) return prepare(sender, entry);
  const told = await answerTo(sender, entry);
  return (told && meaningByKey(sender, entry, told)) ?? { do: 'send', ready: entry };
}

/** True if the entry has been neither merged into nor exported since the step was planned. */
function isAsPlanned(stored: OutboxEntry | undefined, planned: OutboxEntry | undefined): boolean {
  if (stored === undefined || planned === undefined) return stored === planned;
  return stored.idempotencyKey === planned.idempotencyKey && isExported(stored) === isExported(planned);
}
