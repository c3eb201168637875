import { RECEIPTS_KEPT } from '../../domain/limits.ts';
import { isReadable } from '../../domain/outbox/scheduler.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { readMeta, writeMeta } from '../storage/meta.ts';
import { keptWhole } from '../storage/kept-files.ts';
import { type OutboxDatabase, unfinished } from '../storage/outbox-database.ts';
import { forgetUploadsBut } from '../storage/uploads.ts';
import { transact } from '../storage/transactions.ts';

const DAY = 24 * 60 * 60_000;

/**
 * Removes receipts older than 30 days, but for kept changes, and files that belong to no pending or kept change. Runs at most once a day, and tolerates a
 * clock that was set back.
 */
export async function collectGarbage(outbox: OutboxDatabase, now: number): Promise<void> {
  const due = await transact(outbox, 'rw', [outbox.entries, outbox.meta], async () => {
    const last = await readMeta(outbox, 'tidied');
    if (last !== undefined && now >= last && now - last < DAY) return false;
    const done = await outbox.entries.where('state').equals('done').toArray();
    const old = done.filter(
      ({ receipt }) => receipt?.kept === undefined && receipt !== undefined && now - receipt.at > RECEIPTS_KEPT,
    );
    await outbox.entries.bulkDelete(old.map(({ sequence }) => sequence));
    await writeMeta(outbox, 'tidied', now);
    return true;
  });
  if (due) await removeOrphans(outbox);
}

/** A change and its files are written in one transaction, so files of a save in progress are never orphans. */
async function removeOrphans(outbox: OutboxDatabase): Promise<void> {
  await transact(outbox, 'rw', [outbox.entries, outbox.files, outbox.meta], async () => {
    const entries = await unfinished(outbox);
    // only a newer version of the app knows which files its own entries need
    if (!entries.every(isReadable)) return;
    const files = entries.flatMap(filesOf);
    await forgetUploadsBut(outbox, new Set(files.map(({ sha256 }) => sha256)));
    const kept = (await keptWhole(outbox)).flatMap(filesOf);
    const wanted = new Set([...files, ...kept].map(({ id }) => id));
    const stored = await outbox.files.toCollection().primaryKeys();
    await outbox.files.bulkDelete(stored.filter((id) => !wanted.has(id)));
  });
}
