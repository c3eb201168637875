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

/** Creates the tables; runs at every start. Pieces are stored uncompressed, because pictures do not compress further. */
export async function prepareFiles(db: Database): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS stored_files (name TEXT COLLATE "C" PRIMARY KEY, size BIGINT NOT NULL,
    sha256 TEXT NOT NULL, kept_at TIMESTAMPTZ NOT NULL DEFAULT now())`.execute(db);
  await sql`CREATE TABLE IF NOT EXISTS stored_pieces (name TEXT COLLATE "C" NOT NULL REFERENCES stored_files ON DELETE CASCADE,
    place INTEGER NOT NULL, bytes BYTEA NOT NULL, PRIMARY KEY (name, place))`.execute(db);
  await storeAsIs(db, 'stored_pieces');
}

/** Turns off compression of a table's pieces. Does so only once, because it locks the table. */
export async function storeAsIs(db: Database, table: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_attribute WHERE attrelid = ${table}::regclass AND attname = 'bytes'
    AND attstorage <> 'e'`.execute(db);
  if (rows.length > 0) await sql`ALTER TABLE ${sql.table(table)} ALTER COLUMN bytes SET STORAGE EXTERNAL`.execute(db);
}

/** Files in the database, in pieces. Each server copies those it serves to its disk, once: stored files never change. */
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
 * Stores files in one transaction, so that the database flushes its disk once. Reads each file twice, because its hash is
 * stored before its first piece. The second read comes from the disk cache, and a file is never in memory as a whole.
 */
async function keepAll(db: Database, files: readonly Measured[]): Promise<void> {
  await apart(db, async (own) => {
    for (const file of files) await insert(own, file);
  });
}

/**
 * Stores a file without waiting until it is durable. A shared file can be made again. A prepared file becomes durable no
 * later than the row that names it, because the database flushes commits in order.
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
  // another server has stored the same file
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

/** Returns the names that are not stored. */
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

/** Copies a file to the disk. It gets its name only once every byte is verified. Throws if the file is damaged. */
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
