import type { OutboxEntry } from '../domain/outbox/vocabulary.ts';
import type { OutboxDatabase } from './outbox-db.ts';

/**
 * Free places directly behind an entry and what was put behind it before: between two whole numbers there is room for many
 * fractions. Joins the transaction it is called in.
 */
export async function placeBehind(outbox: OutboxDatabase, entry: OutboxEntry, count: number): Promise<number[]> {
  const next = Math.floor(entry.sequence) + 1;
  const taken = await outbox.entries.where(':id').between(entry.sequence, next).primaryKeys();
  const last = Math.max(entry.sequence, ...taken);
  const step = (next - last) / 2 / (count + 1);
  return Array.from({ length: count }, (_, index) => last + step * (index + 1));
}
