import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { OWN_ONLY } from '../../ops/data-folder.ts';
import { tellNobody, type TellStep } from '../../ops/backup-steps.ts';
import { assertSound, DatabaseUnusable, firstText } from './sqlite.ts';
import { installationOf, raiseIds } from './sqlite-ids.ts';

/**
 * Pages copied in one step, which is one read transaction. In several steps SQLite begins again whenever somebody has written, and
 * never ends beside a busy server.
 */
const ALL_PAGES = 2 ** 31 - 1;

/** A backup is one SQLite file: a snapshot of the database, plus a table with every uploaded file. */
const FILES_TABLE = 'CREATE TABLE backup_files (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT';

/** Ended sessions and used links must not come back. Sessions are removed on restore too, because older backups contain them. */
const NO_SESSIONS = 'DELETE FROM tokens';

/** The result of writing or reading a backup. */
export interface BackupReport {
  readonly files: number;
  /** Names of files that are missing or whose bytes have changed. */
  readonly damaged: readonly string[];
}

/** Reads the bytes of a stored file. Undefined if it is missing. */
export type ContentOf = (name: string) => Promise<Uint8Array | undefined>;

/** Copies a database in use, and the uploads it names, into one new file that only this user may read. */
export async function writeBackup(
  databasePath: string,
  contentOf: ContentOf,
  target: string,
  tell: TellStep = tellNobody,
): Promise<BackupReport> {
  tell('copy');
  await writeFile(target, '', { mode: OWN_ONLY });
  const source = new DatabaseSync(databasePath, { timeout: 10_000 });
  try {
    await backup(source, target, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  try {
    assertSound(copy, databasePath);
    copy.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA user_version = 0; DELETE FROM file_holds; DELETE FROM unnamed_files; DELETE FROM links; ${NO_SESSIONS}; ${FILES_TABLE}`,
    );
    return await addFiles(copy, contentOf, tell);
  } finally {
    copy.close();
  }
}

/** The target of unpacking a backup. */
export interface Unpacking {
  readonly database: string;
  readonly uploads: string;
  /** The last ids of the replaced database, if it belongs to the same installation. */
  given(installation: string): Promise<ReadonlyMap<string, number> | undefined>;
}

/** Unpacks a backup into a fresh folder. Throws DatabaseUnusable if the file is no backup or is damaged. */
export async function unpackBackup(file: string, { database, uploads, given }: Unpacking): Promise<BackupReport> {
  const source = openBackup(file);
  try {
    const report = await extractFiles(source, uploads);
    await writeFile(database, '', { mode: OWN_ONLY });
    await backup(source, database, { rate: ALL_PAGES });
    const restored = new DatabaseSync(database);
    raiseIds(restored, await given(installationOf(restored)));
    restored.exec(`${NO_SESSIONS}; DROP TABLE backup_files; VACUUM`);
    restored.close();
    return report;
  } finally {
    source.close();
  }
}

async function addFiles(copy: DatabaseSync, contentOf: ContentOf, tell: TellStep): Promise<BackupReport> {
  const insert = copy.prepare('INSERT INTO backup_files (name, content) VALUES (?, ?)');
  const known = knownFiles(copy);
  const damaged: string[] = [];
  copy.exec('BEGIN');
  for (const [done, { name, sha256 }] of known.entries()) {
    tell('files', done, known.length);
    const content = await contentOf(name);
    if (content === undefined || hashOf(content) !== sha256) damaged.push(name);
    if (content !== undefined) insert.run(name, content);
  }
  copy.exec('COMMIT');
  return { files: known.length, damaged };
}

/** The names of stored files: letters, digits and single dots, without a folder. */
const STORED_NAME = /^[\w-]+(\.[\w-]+)*$/;

async function extractFiles(source: DatabaseSync, uploads: string): Promise<BackupReport> {
  const find = source.prepare('SELECT content FROM backup_files WHERE name = ?');
  const known = knownFiles(source);
  // before anything is written: a name may lead out of the folder
  const strange = known.find(({ name }) => !STORED_NAME.test(name));
  if (strange !== undefined)
    throw new DatabaseUnusable(`The backup names a file that no server writes: ${strange.name.slice(0, 100)}`);
  const damaged: string[] = [];
  for (const { name, sha256 } of known) {
    const content = find.get(name)?.['content'];
    if (!(content instanceof Uint8Array) || hashOf(content) !== sha256) damaged.push(name);
    if (content instanceof Uint8Array) await writeFile(join(uploads, name), content, { flush: true, mode: OWN_ONLY });
  }
  return { files: known.length, damaged };
}

/** Compares every file in a backup with its hash. Holds one at a time in memory. */
export function checkFiles(source: DatabaseSync, tell: TellStep = tellNobody): BackupReport {
  const find = source.prepare('SELECT content FROM backup_files WHERE name = ?');
  const known = knownFiles(source);
  let done = 0;
  const isDamaged = (name: string, sha256: string) => {
    tell('verify', done, known.length);
    done += 1;
    const content = find.get(name)?.['content'];
    return !(content instanceof Uint8Array) || hashOf(content) !== sha256;
  };
  return {
    files: known.length,
    damaged: known.filter(({ name, sha256 }) => isDamaged(name, sha256)).map(({ name }) => name),
  };
}

/** Opens a backup for reading, after SQLite has checked every page. Throws DatabaseUnusable if it is none or is damaged. */
export function openBackup(file: string): DatabaseSync {
  if (!existsSync(file)) throw new DatabaseUnusable(`There is no file ${file}.`);
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    const verdict = firstText(source, 'PRAGMA integrity_check(1)');
    const tables = firstText(
      source,
      "SELECT count(*) FROM sqlite_schema WHERE name IN ('users', 'files', 'backup_files')",
    );
    if (verdict !== 'ok') throw new DatabaseUnusable(`The backup ${file} is damaged (${verdict}).`);
    if (tables !== '3') throw new DatabaseUnusable(`${file} is no backup of Voltdesk.`);
    return source;
  } catch (error) {
    source.close();
    if (error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(`${file} cannot be read as a backup.`, { cause: error });
  }
}

function knownFiles(database: DatabaseSync): { name: string; sha256: string }[] {
  const rows = database.prepare('SELECT name, sha256 FROM files ORDER BY name').all();
  return rows.map((row) => ({ name: String(row['name']), sha256: String(row['sha256']) }));
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
