import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { readMeta, writeMeta } from './meta.ts';
import { type OutboxDatabase, transact } from './outbox-db.ts';

/**
 * The highest place ever given is kept in the database and noted outside of it. A note that is above the database's
 * mark tells that the browser has thrown the database away.
 */
const NOTE = 'outbox-high-water';

/** Raises the mark in the database to a place that it has just given: those only grow. Joins the transaction it is called in. */
export async function raiseHighWater(outbox: OutboxDatabase, sequence: number): Promise<void> {
  await writeMeta(outbox, 'highWater', sequence);
}

/** Notes the mark outside the database, after the transaction has completed. */
export function noteHighWater({ notes }: Environment, sequence: number): void {
  if (sequence > Number(notes.read(NOTE) ?? 0)) notes.write(NOTE, String(sequence));
}

/** True when the outbox was wiped since the last save here. Told once: the note then follows the database. */
export async function outboxWasWiped(environment: Environment = browserEnvironment()): Promise<boolean> {
  const { outbox, notes } = environment;
  const mark = await transact(outbox, 'r', [outbox.meta], () => readMeta(outbox, 'highWater'));
  const noted = Number(notes.read(NOTE) ?? 0);
  if (noted <= (mark ?? 0)) return false;
  notes.write(NOTE, String(mark ?? 0));
  return true;
}
