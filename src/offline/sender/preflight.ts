import { isOwnConflict } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import type { Base, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { transact } from '../storage/transactions.ts';
import { readTheirs } from './reading.ts';
import { type Comparable, reconcile } from './reconcile.ts';
import type { Decision, Finding, Sender } from './sender.ts';

/** Rebases a change onto the server's record: it is ready to send, gone or in conflict. Throws ReadFault. */
export async function compareWithServer(sender: Sender, entry: OutboxEntry, change: Comparable): Promise<Decision> {
  const theirs = await readTheirs(sender, change);
  if (theirs === undefined) return gone(sender, entry);
  const result = reconcile(entry, change, theirs);
  if (result.kind === 'gone') return gone(sender, entry);
  if (result.kind === 'conflict') return conflict(sender, entry, theirs);
  const merged = [...new Set([...(entry.merged ?? []), ...result.merged])];
  const compared = { ...entry, change: result.change, merged };
  // a change that was certainly not applied may change its payload, and gets a new key
  return {
    do: 'send',
    ready: mayBeDelivered(entry) ? compared : { ...compared, idempotencyKey: sender.environment.uuid() },
  };
}

/** The finding for a deleted record: a delete of it is done, an edit of it needs attention. */
export function gone({ environment }: Sender, about: OutboxEntry): Finding {
  if (about.change.op === 'delete' || about.change.op === 'delete-image') {
    return { do: 'finish', about, receipt: { at: environment.now(), message: 'It had already been deleted.' } };
  }
  const reason = { code: 'gone', message: 'The record is no longer on the server.' } as const;
  return { do: 'report', about, event: { event: 'held', reason } };
}

/** The finding for a conflict. Marks conflicts with the administrator's own earlier changes, so that nobody else is blamed. */
export async function conflict({ environment }: Sender, about: OutboxEntry, theirs: Base): Promise<Finding> {
  const { outbox, now } = environment;
  const done = await transact(outbox, 'r', [outbox.entries], () =>
    outbox.entries.where('state').equals('done').toArray(),
  );
  const own = isOwnConflict(about, theirs, done) ? { own: true as const } : {};
  return { do: 'report', about, event: { event: 'conflict', facts: { theirs, foundAt: now(), ...own } } };
}
