import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { readMeta, writeMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import { transact } from './transactions.ts';

/**
 * The database gets a mark of its own with the first save, and the same is noted outside of it. A database that lacks the
 * noted mark tells that the browser has thrown the one before away. A mark costs later saves nothing; a count would be one
 * more write with each.
 */
const NOTE = 'outbox-mark';

const kept = new WeakSet<Environment>();

/** Marks the database and notes the mark, before the first save of this page or worker. */
export async function keepMark(environment: Environment): Promise<void> {
  if (kept.has(environment)) return;
  const { outbox, notes, uuid } = environment;
  const mark = await transact(outbox, 'rw', [outbox.meta], () => markOf(outbox, uuid));
  // a note of another mark stays until the loss has been told
  if (!notes.read(NOTE)) notes.write(NOTE, mark);
  kept.add(environment);
}

/** True when the outbox was wiped since the last save here. Told once: the note then follows the database. */
export async function outboxWasWiped(environment: Environment = browserEnvironment()): Promise<boolean> {
  const { outbox, notes } = environment;
  const noted = notes.read(NOTE);
  const mark = await transact(outbox, 'r', [outbox.meta], () => readMeta(outbox, 'mark'));
  if (!noted || noted === mark) return false;
  notes.write(NOTE, mark ?? '');
  kept.delete(environment);
  return true;
}

async function markOf(outbox: OutboxDatabase, uuid: () => string): Promise<string> {
  const mark = (await readMeta(outbox, 'mark')) ?? uuid();
  await writeMeta(outbox, 'mark', mark);
  return mark;
}
