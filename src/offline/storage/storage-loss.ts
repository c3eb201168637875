import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';
import { readMeta, writeMeta } from './meta.ts';
import type { OutboxDatabase } from './outbox-database.ts';
import { withinQuota } from './quota.ts';
import { transact } from './transactions.ts';

/**
 * Storage loss detection. The first save gives the database a unique mark, which is also noted in stores that browsers clear
 * independently. If a noted mark differs from the database's, the previous database was lost. A mark costs later saves nothing,
 * whereas a count would add a write to each. The stores keep the old mark until the user acknowledges the loss.
 */
const NOTE = 'outbox-mark';
/** Number of acknowledged losses to remember. A store that was not updated before a kill may still hold an old mark. */
const MOST_READ = 20;

const kept = new WeakSet<Environment>();

/** Marks the database and notes the mark, before the first save of a page. */
export async function keepMark(environment: Environment): Promise<void> {
  if (kept.has(environment)) return;
  const unread = await noticeLoss(environment);
  const { outbox, uuid } = environment;
  const mark = await transact(outbox, 'rw', [outbox.meta], () => markOf(outbox, uuid));
  if (!unread) await note(environment, mark);
  kept.add(environment);
}

/**
 * Checks whether the outbox was lost since the last save. Resolves to true until the loss is acknowledged. Throws StorageFullError
 * if the finding cannot be stored; the next check repeats it.
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

/** Stores that the user has acknowledged the loss. */
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

/** The noted marks other than this database's and those of acknowledged losses. Joins the current transaction. */
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

/** Notes a mark in every store. A store that cannot be written does not prevent the save. */
async function note({ notes }: Environment, mark: string): Promise<void> {
  await Promise.all(notes.map((place) => place.write(NOTE, mark).catch(() => undefined)));
}
