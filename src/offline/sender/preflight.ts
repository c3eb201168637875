import { isOwnConflict } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { transact } from '../storage/transactions.ts';
import { readTheirs } from './reading.ts';
import { type Comparable, reconcile } from './reconcile.ts';
import type { Decision, Finding, Sender } from './sender.ts';

/** Lays a change over what the server holds: it is to be sent like that, or gone, or in conflict. Throws ReadFault. */
export async function compareWithServer(sender: Sender, entry: OutboxEntry, change: Comparable): Promise<Decision> {
  const theirs = await readTheirs(sender, change);
  if (theirs === undefined) return gone(sender, entry);
  const result = reconcile(entry, change, theirs);
  if (result.kind === 'gone') return gone(sender, entry);
  if (result.kind === 'conflict') return conflict(sender, entry, theirs);
  const merged = [...new Set([...(entry.merged ?? []), ...result.merged])];
  const compared = { ...entry, change: result.change, merged };
  // what is not in doubt was never carried out: the payload may change, and gets a key of its own
  return {
    do: 'send',
    ready: mayBeDelivered(entry) ? compared : { ...compared, idempotencyKey: sender.environment.uuid() },
  };
}

/** What is gone needs no deleting; an edit of it needs the administrator. */
export function gone({ environment }: Sender, about: OutboxEntry): Finding {
  if (about.change.op === 'delete' || about.change.op === 'delete-image') {
    return { do: 'finish', about, receipt: { at: environment.now(), message: 'It had already been deleted.' } };
  }
  const reason = { code: 'gone', message: 'The record is no longer on the server.' } as const;
  return { do: 'report', about, event: { event: 'held', reason } };
}

/** A conflict, and whether it is one with the administrator's own earlier changes: then nobody else is to be spoken of. */
export async function conflict({ environment }: Sender, about: OutboxEntry, theirs: Base): Promise<Finding> {
  const { outbox, now } = environment;
  const done = await transact(outbox, 'r', [outbox.entries], () =>
    outbox.entries.where('state').equals('done').toArray(),
  );
  const own = isOwnConflict(about, theirs, done) ? { own: true as const } : {};
  return { do: 'report', about, event: { event: 'conflict', facts: { theirs, foundAt: now(), ...own } } };
}
