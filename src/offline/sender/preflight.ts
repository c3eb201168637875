import { confirmedKey, isOwnConflict } from '../../domain/outbox/conflict.ts';
import { mayBeDelivered } from '../../domain/outbox/delivery.ts';
import { afterConfirmed } from '../../domain/outbox/rebase.ts';
import { type Base, type OutboxEntry, recordKey } from '../../domain/outbox/vocabulary.ts';
import { transact } from '../storage/transactions.ts';
import { readTheirs } from './reading.ts';
import { type Comparable, reconcile } from './reconcile.ts';
import type { Decision, Finding, Sender } from './sender.ts';

/** Rebases a change onto the server's record: it is ready to send, gone or in conflict. Throws ReadFault. */
export async function compareWithServer(sender: Sender, entry: OutboxEntry, change: Comparable): Promise<Decision> {
  const compared = await readTheirs(sender, await withBase(sender, entry, change));
  if (compared === undefined) return gone(sender, entry);
  const { theirs } = compared;
  const result = reconcile(entry, compared.change, theirs);
  if (result.kind === 'gone') return gone(sender, entry);
  if (result.kind === 'conflict') return conflict(sender, entry, theirs);
  const merged = [...new Set([...(entry.merged ?? []), ...result.merged])];
  const rebased = { ...entry, change: result.change, merged };
  // a change that was certainly not applied may change its payload, and gets a new key
  return {
    do: 'send',
    ready: mayBeDelivered(entry) ? rebased : { ...rebased, idempotencyKey: sender.environment.uuid() },
  };
}

/** A deletion without a base counts as made on the record as this device has last changed it. */
async function withBase(sender: Sender, entry: OutboxEntry, change: Comparable): Promise<Comparable> {
  if (change.op !== 'delete' || change.base !== undefined) return change;
  const done = (await confirmed(sender)).filter((other) => other.administrator === entry.administrator);
  const last = done.findLast((other) => 'values' in other.change && confirmedKey(other) === recordKey(change));
  if (last === undefined) return change;
  const base = 'base' in last.change ? last.change.base : undefined;
  const based = { ...entry, change: base === undefined ? change : { ...change, base } };
  return afterConfirmed(based, last, last.receipt ?? {}).change as Comparable;
}

async function confirmed({ environment: { outbox } }: Sender): Promise<OutboxEntry[]> {
  return transact(outbox, 'r', [outbox.entries], () => outbox.entries.where('state').equals('done').toArray());
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
export async function conflict(sender: Sender, about: OutboxEntry, theirs: Base): Promise<Finding> {
  const own = isOwnConflict(about, theirs, await confirmed(sender)) ? { own: true as const } : {};
  const foundAt = sender.environment.now();
  return { do: 'report', about, event: { event: 'conflict', found: { theirs, foundAt, ...own } } };
}
