import { apply } from '../../domain/outbox/lifecycle.ts';
import { withSentFiles } from '../../domain/outbox/base.ts';
import { isExported } from '../../domain/outbox/delivery.ts';
import { afterConfirmed, createdBase } from '../../domain/outbox/rebase.ts';
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
import type { Capabilities } from '../../domain/protocol/capabilities.ts';
import type { Environment } from '../storage/environment.ts';
import { removeFiles } from '../storage/files.ts';
import { noteKept } from '../storage/kept-files.ts';
import { type OutboxDatabase, unfinishedOf } from '../storage/outbox-database.ts';
import { freshEntry } from './enqueue.ts';

/** An entry whose change is a create. */
export type CreateEntry = OutboxEntry & { readonly change: CreateChange };

/** An edit inserted directly after a confirmed change. Its files belonged to that change. */
export interface Follower {
  readonly change: UpdateChange;
  readonly delivery: Delivery;
}

/** True for an entry whose change is a create. */
export function isCreate(entry: OutboxEntry): entry is CreateEntry {
  return entry.change.op === 'create';
}

/**
 * The receipt for a successful answer. `at` is in epoch milliseconds. What a server has executed is kept if it says what is in its
 * backups.
 */
export function receiptOf(
  { message, serverId, version, duplicates, images, gone }: Outcome & { kind: 'done' },
  at: number,
  server: Pick<Capabilities, 'kept'> = {},
): Receipt {
  return {
    at,
    message,
    ...(images === undefined ? {} : { images }),
    ...(!gone && server.kept && { kept: 'whole' }),
    ...(serverId === undefined ? {} : { serverId }),
    ...(version === undefined ? {} : { version }),
    ...(duplicates === undefined ? {} : { duplicates }),
  };
}

/**
 * Turns a repaired create into an edit when the server already holds its earlier payload. The edit carries the files that are still missing.
 * If the earlier payload is not known, every field is compared.
 */
export function repairsOf({ change, earlier }: CreateEntry, files: CreateChange['files']): UpdateChange {
  const { resource, recordId, values } = change;
  const base = earlier?.op === 'create' ? withSentFiles(createdBase(earlier), earlier.files) : { values: {} };
  return { op: 'update', resource, recordId, values, files, base };
}

/**
 * Returns what follows a create whose row has been found on a server without idempotency keys. If the row may hold the payload from before a
 * repair, the repair becomes an edit whose delivery is unknown: it is compared with the row, its files byte for byte. Otherwise the follower
 * carries the files that did not fit the create's request. If the create was exported, another device may already have sent them.
 */
export function plainFollower(entry: CreateEntry): Follower | undefined {
  const { change, delivery } = entry;
  if (delivery.includes('earlier-payload') && entry.acceptedMessage === undefined) {
    return { change: repairsOf(entry, change.files), delivery: ['attempt'] };
  }
  const { resource, recordId, values, files } = change;
  const rest = afterFirstPart({ op: 'update', resource, recordId, values, files, base: { values } });
  return rest && { change: rest, delivery: isExported(entry) ? ['attempt'] : [] };
}

/**
 * Applies a confirmation: stores the receipt, maps the local id to the server's, rebases later changes of the record and deletes the bytes of
 * its files, unless they are kept. Joins the caller's transaction, which must span the whole outbox.
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
  // independent requests run in parallel
  const [unfinished] = await Promise.all([
    unfinishedOf(outbox, change),
    outbox.entries.put(apply(sent, { event: 'delivered', receipt })),
    receipt.kept === undefined ? removeFiles(outbox, filesOf(sent)) : noteKept(environment, filesOf(sent)),
    identity && outbox.identities.put(identity),
  ]);
  const later = unfinished.filter(({ sequence }) => sequence > entry.sequence);
  if (later.length > 0) await outbox.entries.bulkPut(later.map((other) => afterConfirmed(other, sent, receipt)));
}

/** Inserts an edit of the same record directly after an entry and before later changes. */
async function insertAfter(environment: Environment, entry: OutboxEntry, follower: Follower): Promise<void> {
  const { outbox, uuid } = environment;
  const { administrator, title } = entry;
  const fresh = freshEntry(environment, uuid(), follower.change, { administrator, title });
  const sequence = await placeAfter(outbox, entry);
  await outbox.entries.add({ ...fresh, delivery: follower.delivery, sequence });
}

/** A free sequence after an entry and its earlier followers. Followers use fractions, since entries use whole numbers. */
async function placeAfter(outbox: OutboxDatabase, { sequence }: OutboxEntry): Promise<number> {
  const next = Math.floor(sequence) + 1;
  const taken = await outbox.entries.where(':id').between(sequence, next).primaryKeys();
  return (Math.max(sequence, ...taken) + next) / 2;
}
