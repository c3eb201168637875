import type { CreateChange, FileReference, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from '../storage/environment.ts';
import { type MoreFacts, putBehind } from './insert-after.ts';

/** An entry whose change is a create. */
export type CreateEntry = OutboxEntry & { readonly change: CreateChange };

/** True for an entry of a create. */
export function isCreate(entry: OutboxEntry): entry is CreateEntry {
  return entry.change.op === 'create';
}

/**
 * A create had arrived as it was before it was mended: what was mended goes on directly behind it, as an edit that brings these of
 * its files. Answers the create without them, which is to be confirmed. Joins the transaction it is called in.
 */
export async function mendedBehind(
  environment: Environment,
  entry: CreateEntry,
  files: readonly FileReference[],
  more: MoreFacts = {},
): Promise<CreateEntry> {
  const { title, change } = entry;
  const { resource, recordId, values } = change;
  // nobody knows any more what was sent first, so that every field is compared with what the server holds
  const edit = { op: 'update', resource, recordId, values, files, base: { values: {}, imageIds: [] } } as const;
  await putBehind(environment, entry, [edit], title, more);
  return { ...entry, change: { ...change, files: change.files.filter((file) => !files.includes(file)) } };
}

/**
 * On a server that knows no keys the row that was found for a create may hold the payload from before it was mended. Then what was
 * mended follows as an edit in doubt, which is compared with the row, pictures byte for byte. Joins the transaction it is called in.
 */
export async function asFirstSent(environment: Environment, entry: OutboxEntry): Promise<OutboxEntry> {
  if (!isCreate(entry) || !entry.delivery.includes('earlier-payload') || entry.acceptedMessage !== undefined)
    return entry;
  if ((await environment.outbox.entries.get(entry.sequence)) === undefined) return entry;
  return mendedBehind(environment, entry, entry.change.files, { delivery: ['attempt'], baselineIds: [] });
}
