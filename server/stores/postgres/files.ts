import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { exists, makeFolder } from '../../uploads/disk.ts';
import type { FileStore } from '../../uploads/file-store.ts';
import { incomingPath, type Storage } from '../../uploads/storage.ts';
import type { Database } from '../sql/tables.ts';
import { apart } from './apart.ts';
import { PIECE, piecesOf } from './pieces.ts';

type Place = Pick<Storage, 'folder' | 'disk' | 'randomBytes'>;

/** Made at every start. Pictures do not get smaller by compressing them once more. */
export async function prepareFiles(db: Database): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS stored_files (name TEXT COLLATE "C" PRIMARY KEY, size BIGINT NOT NULL,
    sha256 TEXT NOT NULL, kept_at TIMESTAMPTZ NOT NULL DEFAULT now())`.execute(db);
  await sql`CREATE TABLE IF NOT EXISTS stored_pieces (name TEXT COLLATE "C" NOT NULL REFERENCES stored_files ON DELETE CASCADE,
    place INTEGER NOT NULL, bytes BYTEA NOT NULL, PRIMARY KEY (name, place))`.execute(db);
  await storeAsIs(db, 'stored_pieces');
}

/** Lets pieces be stored without compressing them, once: the table is locked meanwhile. */
export async function storeAsIs(db: Database, table: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_attribute WHERE attrelid = ${table}::regclass AND attname = 'bytes'
    AND attstorage <> 'e'`.execute(db);
  if (rows.length > 0) await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN bytes SET STORAGE EXTERNAL`.execute(db);
}

/** Files that last in the database, in pieces. Each server fetches what it serves to its own disk, once: a stored file never changes. */
export function filesInDatabase(db: Database, place: Place): FileStore {
  const pathOf = (name: string) => join(place.folder, name);
  const fetching = new Map<string, Promise<void>>();
  return {
    async keep(names) {
      const others = await notAmong(db, names);
      if (others.length > 0) await keepAll(db, await Promise.all(others.map((name) => measured(name, pathOf(name)))));
    },
    prepare: ({ name, size, sha256 }) => hand(db, { name, size, sha256, path: pathOf(name) }),
    share: async (name) => hand(db, await measured(name, pathOf(name))),
    has: async (name) => (await exists(pathOf(name))) || (await factsOf(db, name)) !== undefined,
    keeps: async (name) => (await factsOf(db, name)) !== undefined,
    async fetch(name) {
      if (await exists(pathOf(name))) return;
      const running = fetching.get(name) ?? fetchOne(db, name, place).finally(() => fetching.delete(name));
      fetching.set(name, running);
      await running;
    },
    list: (folder) => namesIn(db, folder),
    async remove(names) {
      await sql`DELETE FROM stored_files WHERE name = ANY(${names})`.execute(db);
    },
    async settled() {
      const { rows } = await sql<{ name: string }>`SELECT name FROM stored_files
        WHERE kept_at < now() - interval '1 day'`.execute(db);
      return rows.map(({ name }) => name);
    },
  };
}

interface Measured extends Facts {
  readonly name: string;
  readonly path: string;
}

/**
 * Keeps files in one transaction, which the disk of the database flushes once. Each is read twice, so that its hash is known before its
 * first piece: it is in the disk's cache, and never whole in memory.
 */
async function keepAll(db: Database, files: readonly Measured[]): Promise<void> {
  await apart(db, async (own) => {
    for (const file of files) await insert(own, file);
  });
}

/**
 * Hands a file over without waiting until it is certain to last. One that is shared can be made again, and one that is prepared lasts at the
 * latest with the row that names it: the database's disk flushes what it was told in the order in which it was told.
 */
async function hand(db: Database, file: Measured): Promise<void> {
  await apart(db, async (own) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(own);
    await insert(own, file);
  });
}

async function insert(own: Database, { name, path, size, sha256 }: Measured): Promise<void> {
  const { rows } = await sql`INSERT INTO stored_files (name, size, sha256) VALUES (${name}, ${size}, ${sha256})
    ON CONFLICT DO NOTHING RETURNING 1`.execute(own);
  // another server made the same of it
  if (rows.length === 0) return;
  for await (const pieces of piecesOf(path)) {
    const values = pieces.map(({ at, bytes }) => sql`(${name}, ${at / PIECE}, ${bytes})`);
    await sql`INSERT INTO stored_pieces (name, place, bytes) VALUES ${sql.join(values)}`.execute(own);
  }
}

async function measured(name: string, path: string): Promise<Measured> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { name, path, size, sha256: hash.digest('hex') };
}

/** Those of these names that are not kept. */
async function notAmong(db: Database, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM stored_files WHERE name = ANY(${names})`.execute(db);
  const kept = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !kept.has(name));
}

interface Facts {
  readonly size: number;
  readonly sha256: string;
}

async function factsOf(db: Database, name: string): Promise<Facts | undefined> {
  const { rows } = await sql<Facts>`SELECT size, sha256 FROM stored_files WHERE name = ${name}`.execute(db);
  return rows[0];
}

/** Gets its name only when every byte is there and right. Throws for one that is damaged. */
async function fetchOne(db: Database, name: string, place: Place): Promise<void> {
  const facts = await factsOf(db, name);
  if (facts === undefined) return;
  const passing = incomingPath(place);
  try {
    await writePieces(db, name, facts, { ...place, passing });
    await makeFolder(dirname(join(place.folder, name)));
    await place.disk.rename(passing, join(place.folder, name));
  } catch (error) {
    await place.disk.remove(passing);
    throw error;
  }
}

async function writePieces(db: Database, name: string, facts: Facts, to: Place & { passing: string }): Promise<void> {
  const hash = createHash('sha256');
  const file = await to.disk.create(to.passing);
  try {
    for (let at = 0; at * PIECE < facts.size; at += 1) {
      const { rows } = await sql<{ bytes: Buffer }>`SELECT bytes FROM stored_pieces
        WHERE name = ${name} AND place = ${at}`.execute(db);
      const bytes = rows[0]?.bytes ?? Buffer.alloc(0);
      hash.update(bytes);
      await file.write(bytes);
    }
    if (hash.digest('hex') !== facts.sha256) throw new Error(`The stored file ${name} is damaged.`);
    await file.flush();
  } finally {
    await file.close();
  }
}

async function namesIn(db: Database, folder: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM stored_files
    WHERE starts_with(name, ${`${folder}/`})`.execute(db);
  return rows.map(({ name }) => name.slice(folder.length + 1));
}
