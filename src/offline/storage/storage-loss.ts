import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { readMeta, writeMeta } from './meta.ts';
import { type OutboxDatabase } from './outbox-database.ts';
import { withinQuota } from './quota.ts';
import { transact } from './transactions.ts';

/**
 * The database gets a mark of its own with the first save, and the same is noted in places that browsers clear apart from it. A
 * database that lacks a noted mark tells that the one before was thrown away. A mark costs later saves nothing; a count would be
 * one more write with each. The loss is unread until somebody says otherwise: the places keep the old mark that long.
 */
const NOTE = 'outbox-mark';
/** So many losses that were read are remembered: a place that was written last before a kill may still tell of one. */
const MOST_READ = 20;

const kept = new WeakSet<Environment>();

/** Marks the database and notes the mark, before the first save of this page. */
export async function keepMark(environment: Environment): Promise<void> {
  if (kept.has(environment)) return;
  const unread = await noticeLoss(environment);
  const { outbox, uuid } = environment;
  const mark = await transact(outbox, 'rw', [outbox.meta], () => markOf(outbox, uuid));
  if (!unread) await note(environment, mark);
  kept.add(environment);
}

/**
 * Looks whether the outbox was thrown away since the last save here. True for as long as such a loss is unread. Throws StorageFullError
 * where not even that can be kept: the next look finds out again.
 */
export async function noticeLoss(environment: Environment = browserEnvironment()): Promise<boolean> {
  const { outbox, now } = environment;
  const noted = await notedMarks(environment);
  if (noted.length === 0) return false;
  const look = async () => {
    const lost = (await foreign(outbox, noted)).length > 0;
    if (lost && (await readMeta(outbox, 'loss')) === undefined) await writeMeta(outbox, 'loss', { noticedAt: now() });
    return lost;
  };
  return withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], look));
}

/** Somebody has read that the outbox was lost. */
export async function acknowledgeLoss(environment: Environment = browserEnvironment()): Promise<void> {
  const { outbox } = environment;
  const noted = await notedMarks(environment);
  const acknowledge = async () => {
    const read = [...((await readMeta(outbox, 'lossesRead')) ?? []), ...(await foreign(outbox, noted))];
    await writeMeta(outbox, 'lossesRead', read.slice(-MOST_READ));
    await writeMeta(outbox, 'loss', undefined);
    return readMeta(outbox, 'mark');
  };
  const mark = await withinQuota(environment, 0, () => transact(outbox, 'rw', [outbox.meta], acknowledge));
  await note(environment, mark ?? '');
}

/** The noted marks that are neither this database's nor those of losses that were read. Joins the transaction it is called in. */
async function foreign(outbox: OutboxDatabase, noted: readonly string[]): Promise<string[]> {
  const mark = await readMeta(outbox, 'mark');
  const read = (await readMeta(outbox, 'lossesRead')) ?? [];
  return noted.filter((one) => one !== mark && !read.includes(one));
}

async function markOf(outbox: OutboxDatabase, uuid: () => string): Promise<string> {
  const mark = (await readMeta(outbox, 'mark')) ?? uuid();
  await writeMeta(outbox, 'mark', mark);
  return mark;
}

async function notedMarks({ notes }: Environment): Promise<string[]> {
  const read = await Promise.all(notes.map((place) => place.read(NOTE).catch(() => undefined)));
  return [...new Set(read)].filter((mark): mark is string => mark !== undefined && mark !== '');
}

/** A place that cannot be written is no reason not to save: there are others. */
async function note({ notes }: Environment, mark: string): Promise<void> {
  await Promise.all(notes.map((place) => place.write(NOTE, mark).catch(() => undefined)));
}
