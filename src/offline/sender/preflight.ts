import { mayHaveArrived } from '../../domain/outbox/scheduler.ts';
import type { OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { isOwnConflict } from '../../domain/outbox/conflict.ts';
import { transact } from '../storage/transactions.ts';
import { readTheirs } from './reading.ts';
import { type Comparable, reconcile } from './reconcile.ts';
import { finish, giveBack, postpone, put, type Sender } from './sender.ts';

/** Reads what the server holds. Undefined when the change is not to be sent now: gone, in conflict, or the read failed. */
export async function compareWithServer(
  sender: Sender,
  entry: OutboxEntry,
  change: Comparable,
): Promise<OutboxEntry | undefined> {
  const { environment } = sender;
  const reading = await readTheirs(sender, change);
  if (reading.kind === 'fault') return void (await postpone(sender, entry, reading.outcome));
  if (reading.kind === 'gone') return void (await isGone(sender, entry));
  const result = reconcile(entry, change, reading.value, environment.now());
  if (result.kind === 'gone') return void (await isGone(sender, entry));
  if (result.kind === 'conflict') return void (await putConflict(sender, result.entry));
  const compared = withMerged(result.entry, result.merged);
  // what is not in doubt was never carried out: the payload may change, and gets a key of its own
  return mayHaveArrived(entry) ? compared : { ...compared, idempotencyKey: environment.uuid() };
}

/** What is gone needs no deleting; an edit of it needs the administrator. */
export async function isGone(sender: Sender, entry: OutboxEntry): Promise<void> {
  if (entry.change.op === 'delete' || entry.change.op === 'delete-image') {
    const receipt = { at: sender.environment.now(), message: 'It was already gone.' };
    return finish(sender, entry, { receipt });
  }
  return giveBack(sender, entry, { code: 'gone', message: 'The record is no longer on the server.' });
}

/** Notes for the receipt which fields were kept as they were on the server. */
export function withMerged(entry: OutboxEntry, fields: readonly string[]): OutboxEntry {
  if (fields.length === 0) return entry;
  return { ...entry, merged: [...new Set([...(entry.merged ?? []), ...fields])] };
}

/** Keeps a conflict, and whether it is one with the administrator's own earlier changes: then nobody else is to be spoken of. */
export async function putConflict(sender: Sender, entry: OutboxEntry): Promise<void> {
  const { outbox } = sender.environment;
  const { conflict } = entry;
  const done = await transact(outbox, 'r', [outbox.entries], () =>
    outbox.entries.where('state').equals('done').toArray(),
  );
  const isOwn = conflict !== undefined && isOwnConflict(entry, conflict.theirs, done);
  await put(sender, isOwn ? { ...entry, conflict: { ...conflict, own: true } } : entry);
}
