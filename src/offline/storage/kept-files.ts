import { type FileReference, filesOf, type OutboxEntry } from '../../domain/outbox/vocabulary.ts';
import type { Environment } from './environment.ts';
import { estimateOf } from './estimate.ts';
import { removeFiles } from './files.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import { transact } from './transactions.ts';

/** The files of confirmed changes that stay until they are in a backup. They take a tenth of the quota at most. */

/** The share of the quota. */
const SHARE = 10;
/** The most where the browser does not report its quota. Bytes. */
const OTHERWISE = 50 * 1024 * 1024;

const noted = new WeakSet<Environment>();

/** Notes that files were kept: their bounds are looked after at the end of the drain. */
export function noteKept(environment: Environment, files: readonly FileReference[]): void {
  if (files.length > 0) noted.add(environment);
}

/** Removes the oldest kept files beyond the bounds, if any were kept since the last time. */
export async function keepWithinBounds(environment: Environment): Promise<void> {
  if (noted.delete(environment)) await trimKept(environment, await mostKept(environment));
}

/** The most that kept changes may take. Bytes. */
export async function mostKept(environment: Pick<Environment, 'room' | 'after'>): Promise<number> {
  const { quota } = await estimateOf(environment);
  return quota === undefined ? OTHERWISE : quota / SHARE;
}

/** The confirmed changes that are kept with their files, the oldest first. Joins the current transaction. */
export async function keptWhole({ entries }: OutboxDatabase): Promise<OutboxEntry[]> {
  const done = await entries.where('state').equals('done').sortBy('sequence');
  return done.filter(({ receipt }) => receipt?.kept === 'whole');
}

/** Removes the files of kept changes, the oldest first, until `most` bytes are left. Resolves to whether there were any. */
export async function trimKept({ outbox }: Pick<Environment, 'outbox'>, most: number): Promise<boolean> {
  return transact(outbox, 'rw', [outbox.entries, outbox.files], async () => {
    let left = most;
    const gone: OutboxEntry[] = [];
    for (const entry of (await keptWhole(outbox)).toReversed()) {
      left -= filesOf(entry).reduce((sum, { size }) => sum + size, 0);
      if (left < 0 && filesOf(entry).length > 0) gone.push(entry);
    }
    await removeFiles(outbox, gone.flatMap(filesOf));
    await outbox.entries.bulkPut(gone.map(withoutFiles));
    return gone.length > 0;
  });
}

function withoutFiles(entry: OutboxEntry): OutboxEntry {
  return entry.state === 'done' ? { ...entry, receipt: { ...entry.receipt, kept: 'texts' } } : entry;
}
