import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { differencesOf } from '../stores/sql/differences.ts';
import type { Database } from '../stores/sql/tables.ts';
import { copyRows, tablesOf } from '../stores/sql/whole.ts';
import { makeFolder, realDisk } from '../uploads/disk.ts';
import { incomingFolder } from '../uploads/storage.ts';
import { inPassingFolder, type Installation } from './installation.ts';

/** What a move is told while it goes on, in words. */
type Say = (words: string) => void;

/** What a move did. */
export interface MoveReport {
  readonly rows: number;
  readonly files: number;
  /** In words; none where the target holds what the source holds. */
  readonly differences: readonly string[];
}

/** Rows that a fresh database has by itself, or that its first start makes. */
const FRESH = new Set(['lookups', 'site_meta', 'feed', 'secrets']);

/** Files between two words of progress. */
const TOLD_EVERY = 500;

/** Files that lie in a passing folder at once. */
const AT_ONCE = 20;

/**
 * Moves a whole installation into an empty one: files first, and then all rows in one transaction, so that a move which fails leaves an
 * empty target. Afterwards everything is read once more on both sides and compared. The source is only read.
 */
export async function move(from: Installation, to: Installation, say: Say): Promise<MoveReport> {
  await assertEmpty(to);
  const files = await namedFiles(from.whole.db);
  say(`Moving ${files.length} files from ${from.name} to ${to.name}.`);
  const damaged = await moveFiles(from, to, files, say);
  return from.whole.atOneMoment(async (reading) => {
    say('Moving the records.');
    const rows = await to.whole.db.transaction().execute((writing) => copyRows(from.whole, reading, to.whole, writing));
    say(`Comparing ${rows} rows and ${files.length} files.`);
    const otherRows = await to.whole.atOneMoment((written) =>
      differencesOf({ whole: from.whole, reading }, { whole: to.whole, reading: written }),
    );
    const moved = files.filter(({ name }) => !damaged.includes(name));
    const lost = damaged.map((name) => `file ${name}: missing or damaged in ${from.name}`);
    const otherwise = (await otherFiles(to, moved)).map((name) => `file ${name}: not there, or otherwise`);
    return { rows, files: moved.length, differences: [...otherRows, ...lost, ...otherwise] };
  });
}

async function assertEmpty({ whole, name }: Installation): Promise<void> {
  for (const table of (await tablesOf(whole, whole.db)).keys()) {
    if (FRESH.has(table)) continue;
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(whole.db);
    if (rows.length > 0) throw new Error(`${name} is not empty: it has ${table}. A move never replaces anything.`);
  }
}

/** A stored file as its row names it. */
export interface NamedFile {
  readonly name: string;
  readonly sha256: string;
}

/** Every stored file that a database names. */
export async function namedFiles(db: Database): Promise<readonly NamedFile[]> {
  return db.selectFrom('files').select(['name', 'sha256']).orderBy('name').execute();
}

/** Answers the names of those that are missing or damaged at the source. They stay there. */
async function moveFiles(
  from: Installation,
  to: Installation,
  files: readonly NamedFile[],
  say: Say,
): Promise<readonly string[]> {
  const damaged: string[] = [];
  const lasting = to.uploads ?? from.uploads;
  await inFolder(lasting, async (folder) => {
    const target = to.filesIn(folder);
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const some = files.slice(at, at + AT_ONCE);
      const bad = await bring(from, folder, some);
      damaged.push(...bad);
      const sound = some.map(({ name }) => name).filter((name) => !bad.includes(name));
      await target.keep(sound);
      if (lasting === undefined) for (const name of sound) await rm(join(folder, name));
      if ((at + AT_ONCE) % TOLD_EVERY === 0) say(`${at + AT_ONCE} of ${files.length} files.`);
    }
  });
  return damaged;
}

/** Sees that files of an installation lie in a folder. Answers the names of those that are missing or damaged. */
async function bring(from: Installation, folder: string, files: readonly NamedFile[]): Promise<readonly string[]> {
  const source = from.filesIn(folder);
  const bad: string[] = [];
  for (const { name, sha256 } of files) {
    const path = join(folder, name);
    if (from.uploads === undefined) await source.fetch(name).catch(() => undefined);
    else if (from.uploads !== folder) await copyFlushed(join(from.uploads, name), path).catch(() => undefined);
    if ((await hashOf(path)) !== sha256) bad.push(name);
  }
  return bad;
}

async function copyFlushed(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await realDisk.flush(to);
}

/** Reads every file back from where it lasts. Answers the names of those that are missing or otherwise. */
export async function otherFiles(to: Installation, files: readonly NamedFile[]): Promise<string[]> {
  const other: string[] = [];
  await inFolder(to.uploads, async (folder) => {
    const store = to.filesIn(folder);
    for (const { name, sha256 } of files) {
      await store.fetch(name).catch(() => undefined);
      if ((await hashOf(join(folder, name))) !== sha256) other.push(name);
      if (to.uploads === undefined) await rm(join(folder, name), { force: true });
    }
  });
  return other;
}

/** Works in the folder in which files lie; in a passing one where they lie in none. */
async function inFolder(lasting: string | undefined, task: (folder: string) => Promise<void>): Promise<void> {
  if (lasting === undefined) return inPassingFolder(task);
  await makeFolder(incomingFolder({ folder: lasting }));
  await task(lasting);
}

/** Undefined for a file that is not there. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(path), hash).then(
    () => hash.digest('hex'),
    () => undefined,
  );
}
