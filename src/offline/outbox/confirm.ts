import { apply } from '../../domain/outbox/lifecycle.ts';
import { isExported } from '../../domain/outbox/delivery.ts';
import { afterConfirmed } from '../../domain/outbox/rebase.ts';
import { afterFirstPart } from '../../domain/protocol/parts.ts';
import {
  type CreateChange,
  type Delivery,
  filesOf,
  type OutboxEntry,
  type Outcome,
  type Receipt,
  type UpdateChange,
} from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { removeFiles } from '../storage/files.ts';
import { type OutboxDatabase, unfinishedOf } from '../storage/outbox-database.ts';
import { freshEntry } from './enqueue.ts';

/** An entry whose change is a create. */
export type CreateEntry = OutboxEntry & { readonly change: CreateChange };

/** What goes on directly behind a confirmed change as an edit of its own, with files that were the change's. */
export interface Follower {
  readonly change: UpdateChange;
  readonly delivery: Delivery;
}

/** True for an entry of a create. */
export function isCreate(entry: OutboxEntry): entry is CreateEntry {
  return entry.change.op === 'create';
}

/** The receipt of a server's success. `at` is in epoch milliseconds. */
export function receiptOf({ message, serverId, version, duplicates }: Outcome & { kind: 'done' }, at: number): Receipt {
  return {
    at,
    message,
    ...(serverId === undefined ? {} : { serverId }),
    ...(version === undefined ? {} : { version }),
    ...(duplicates === undefined ? {} : { duplicates }),
  };
}

/**
 * What was repaired of a create that had arrived as it was before: an edit of that, with the files that are still missing. Where nobody
 * knows what was sent first, every field is compared.
 */
export function repairsOf({ change, earlier }: CreateEntry, files: CreateChange['files']): UpdateChange {
  const { resource, recordId, values } = change;
  const arrived = earlier?.op === 'create' ? earlier.values : {};
  return { op: 'update', resource, recordId, values, files, base: { values: arrived, imageIds: [] } };
}

/**
 * What follows a create whose row is known, on a server that knows no keys. The row may hold the payload from before it was repaired:
 * then what was repaired is an edit in doubt, which is compared with the row, files byte for byte. Else the files that its one request
 * did not carry; where a copy of it was exported, another device may have brought them.
 */
export function plainFollower(entry: CreateEntry): Follower | undefined {
  const { change, delivery } = entry;
  if (delivery.includes('earlier-payload') && entry.acceptedMessage === undefined) {
    return { change: repairsOf(entry, change.files), delivery: ['attempt'] };
  }
  const { resource, recordId, values, files } = change;
  const rest = afterFirstPart({ op: 'update', resource, recordId, values, files, base: { values, imageIds: [] } });
  return rest && { change: rest, delivery: isExported(entry) ? ['attempt'] : [] };
}

/**
 * Everything that a confirmation means, together: the receipt, the local id's server id, what follows for later changes of
 * the record, the bytes of its files gone. Joins the transaction it is called in, which has to span the whole outbox.
 */
export async function confirm(
  environment: Environment,
  entry: OutboxEntry,
  receipt: Receipt,
  follower?: Follower,
): Promise<void> {
  const { outbox } = environment;
  const { change } = entry;
  if (follower !== undefined) await insertAfter(environment, entry, follower);
  const kept = follower?.change.files ?? [];
  const sent =
    'files' in change
      ? { ...entry, change: { ...change, files: filesOf(entry).filter((file) => !kept.includes(file)) } }
      : entry;
  const identity =
    change.op === 'create' && receipt.serverId !== undefined
      ? { resource: change.resource, localId: change.recordId, serverId: receipt.serverId }
      : undefined;
  // requests that need not wait for one another go to the database together
  const [unfinished] = await Promise.all([
    unfinishedOf(outbox, change),
    outbox.entries.put(apply(sent, { event: 'delivered', receipt })),
    removeFiles(outbox, filesOf(sent)),
    identity && outbox.identities.put(identity),
  ]);
  const later = unfinished.filter(({ sequence }) => sequence > entry.sequence);
  if (later.length > 0) await outbox.entries.bulkPut(later.map((other) => afterConfirmed(other, sent, receipt)));
}

/** Puts an edit of the same record directly behind an entry, before what was made later. */
async function insertAfter(environment: Environment, entry: OutboxEntry, follower: Follower): Promise<void> {
  const { outbox, uuid } = environment;
  const { administrator, title } = entry;
  const fresh = freshEntry(environment, uuid(), follower.change, { administrator, title });
  const sequence = await placeAfter(outbox, entry);
  await outbox.entries.add({ ...fresh, delivery: follower.delivery, sequence });
}

/** A free place directly behind an entry and what was put behind it before: between two whole numbers there are many fractions. */
async function placeAfter(outbox: OutboxDatabase, { sequence }: OutboxEntry): Promise<number> {
  const next = Math.floor(sequence) + 1;
  const taken = await outbox.entries.where(':id').between(sequence, next).primaryKeys();
  return (Math.max(sequence, ...taken) + next) / 2;
}
