import { isOwnConflict } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { LifeEvent } from '../../domain/outbox/events.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { transact } from '../storage/transactions.ts';
import { readTheirs } from './reading.ts';
import { type Comparable, reconcile } from './reconcile.ts';
import { finish, postpone, report, type Sender } from './sender.ts';

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
  const result = reconcile(entry, change, reading.value);
  if (result.kind === 'gone') return void (await isGone(sender, entry));
  if (result.kind === 'conflict') {
    return void (await report(sender, entry, await conflictWith(sender, entry, reading.value)));
  }
  const merged = [...new Set([...(entry.merged ?? []), ...result.merged])];
  const compared = { ...entry, change: result.change, merged };
  // what is not in doubt was never carried out: the payload may change, and gets a key of its own
  return mayBeDelivered(entry) ? compared : { ...compared, idempotencyKey: environment.uuid() };
}

/** What is gone needs no deleting; an edit of it needs the administrator. */
export async function isGone(sender: Sender, entry: OutboxEntry): Promise<void> {
  if (entry.change.op === 'delete' || entry.change.op === 'delete-image') {
    const receipt = { at: sender.environment.now(), message: 'It was already gone.' };
    return finish(sender, entry, { receipt });
  }
  const reason = { code: 'gone', message: 'The record is no longer on the server.' } as const;
  return report(sender, entry, { event: 'held', reason });
}

/** A conflict, and whether it is one with the administrator's own earlier changes: then nobody else is to be spoken of. */
export async function conflictWith({ environment }: Sender, entry: OutboxEntry, theirs: Base): Promise<LifeEvent> {
  const { outbox, now } = environment;
  const done = await transact(outbox, 'r', [outbox.entries], () =>
    outbox.entries.where('state').equals('done').toArray(),
  );
  const own = isOwnConflict(entry, theirs, done) ? { own: true as const } : {};
  return { event: 'conflict', facts: { theirs, foundAt: now(), ...own } };
}
