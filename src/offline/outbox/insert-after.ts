import type { Change, Delivery, OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import { entryOf } from './enqueue.ts';
import type { Environment } from '../storage/environment.ts';
import type { OutboxDatabase } from '../storage/outbox-database.ts';

/**
 * Puts changes of the same record directly behind an entry, before what was made later, as parts of it; `more` is what their entries have
 * beside what fresh ones have. Joins the transaction it is called in.
 */
export async function insertAfter(
  environment: Environment,
  entry: OutboxEntry,
  changes: readonly Change[],
  more: { readonly title?: string; readonly delivery?: Delivery } = {},
): Promise<void> {
  const { outbox, uuid } = environment;
  const { administrator, title } = entry;
  const places = await placesAfter(outbox, entry, changes.length);
  for (const [index, change] of changes.entries()) {
    const added = { ...entryOf(environment, uuid(), change, { administrator, title }), parentId: entry.id, ...more };
    const sequence = places[index];
    await outbox.entries.add({ ...added, ...(sequence === undefined ? {} : { sequence }) });
  }
}

/**
 * Free places directly behind an entry and what was put behind it before: between two whole numbers there is room for many
 * fractions. Joins the transaction it is called in.
 */
async function placesAfter(outbox: OutboxDatabase, entry: OutboxEntry, count: number): Promise<number[]> {
  const next = Math.floor(entry.sequence) + 1;
  const taken = await outbox.entries.where(':id').between(entry.sequence, next).primaryKeys();
  const last = Math.max(entry.sequence, ...taken);
  const step = (next - last) / 2 / (count + 1);
  return Array.from({ length: count }, (_, index) => last + step * (index + 1));
}
