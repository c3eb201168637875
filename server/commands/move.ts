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

/** Reports progress. */
type Say = (words: string) => void;

/** The result of a move. */
export interface MoveReport {
  readonly rows: number;
  readonly files: number;
  /** Differences in words. Empty if source and target match. */
  readonly differences: readonly string[];
}

/** Tables with rows in a fresh database. */
const FRESH = new Set(['lookups', 'site_meta', 'feed', 'secrets']);

/** Number of files between progress reports. */
const TOLD_EVERY = 500;

/** Number of files in the temporary folder at a time. */
const AT_ONCE = 20;

/**
 * Copies a whole installation into an empty one: files first, then all rows in one transaction, so that a failed move leaves the
 * target empty. Afterwards reads and compares both sides. Changes no row and no file of the source, whose database was migrated when
 * it was opened.
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

/** A stored file, as described by its row. */
export interface NamedFile {
  readonly name: string;
  readonly sha256: string;
}

/** All stored files of a database. */
export async function namedFiles(db: Database): Promise<readonly NamedFile[]> {
  return db.selectFrom('files').select(['name', 'sha256']).orderBy('name').execute();
}

/** Moves files. Returns the names of those missing or damaged at the source. */
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

/** Brings files into a folder. Returns the names of missing or damaged ones. */
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

/** Reads every file back. Returns the names of missing or different ones. */
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

/** Runs a task in the folder of the files, or in a temporary one. */
async function inFolder(lasting: string | undefined, task: (folder: string) => Promise<void>): Promise<void> {
  if (lasting === undefined) return inPassingFolder(task);
  await makeFolder(incomingFolder({ folder: lasting }));
  await task(lasting);
}

/** The hash of a file. Undefined if it is missing. */
async function hashOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  return pipeline(createReadStream(path), hash).then(
    () => hash.digest('hex'),
    () => undefined,
  );
}
