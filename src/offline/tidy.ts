import { readMeta, writeMeta } from './meta.ts';
import { type OutboxDatabase, transact } from './outbox-db.ts';

const DAY = 24 * 60 * 60_000;
/** How long a receipt is kept, in milliseconds. */
const RECEIPTS_KEPT = 30 * DAY;

/** Removes receipts that are older than 30 days. Looks once a day; a clock that was set back does no harm. */
export async function tidy(outbox: OutboxDatabase, now: number): Promise<void> {
  await transact(outbox, 'rw', [outbox.entries, outbox.meta], async () => {
    const last = await readMeta(outbox, 'tidied');
    if (last !== undefined && now >= last && now - last < DAY) return;
    const done = await outbox.entries.where('state').equals('done').toArray();
    const old = done.filter(({ receipt }) => receipt !== undefined && now - receipt.at > RECEIPTS_KEPT);
    await outbox.entries.bulkDelete(old.map(({ sequence }) => sequence));
    await writeMeta(outbox, 'tidied', now);
  });
}
