import { apply } from '../../domain/outbox/lifecycle.ts';
import { filesOf } from '../../domain/outbox/vocabulary.ts';
import { afterConfirmed } from '../../domain/outbox/rebase.ts';
import type { OutboxEntry, Outcome, Receipt } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { removeFiles } from '../storage/files.ts';
import { unfinishedOf } from '../storage/outbox-database.ts';

/** What a confirmed change brought: the receipt, and the version the record now has. */
export interface Confirmation {
  readonly receipt: Receipt;
  readonly version?: string;
}

/** What a server's success confirms. `at` is in epoch milliseconds. */
export function confirmationOf(outcome: Outcome & { kind: 'done' }, at: number): Confirmation {
  const { message, serverId, version, duplicates } = outcome;
  const twins = duplicates === undefined ? {} : { twins: duplicates };
  return {
    receipt: { at, message, ...(serverId === undefined ? {} : { serverId }), ...twins },
    ...(version === undefined ? {} : { version }),
  };
}

/**
 * Everything that a confirmation means, together: the receipt, the local id's server id, what follows for later changes of
 * the record, the bytes of its files gone. Joins the transaction it is called in, which has to span the whole outbox.
 */
export async function confirm(
  { outbox }: Environment,
  entry: OutboxEntry,
  { receipt, version }: Confirmation,
): Promise<void> {
  const { change } = entry;
  const { serverId } = receipt;
  const identity =
    change.op === 'create' && serverId !== undefined
      ? { resource: change.resource, localId: change.recordId, serverId }
      : undefined;
  // requests that need not wait for one another go to the database together
  const [unfinished] = await Promise.all([
    unfinishedOf(outbox, change),
    outbox.entries.put(
      apply(entry, { event: 'delivered', receipt: { ...receipt, ...(version === undefined ? {} : { version }) } }),
    ),
    removeFiles(outbox, filesOf(entry)),
    identity && outbox.identities.put(identity),
  ]);
  const later = unfinished.filter(({ sequence }) => sequence > entry.sequence);
  const followed = later.map((other) => afterConfirmed(other, entry, { serverId, version }));
  if (followed.length > 0) await outbox.entries.bulkPut(followed);
}
