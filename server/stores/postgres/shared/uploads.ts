import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { noUpload, wrongHash, wrongOffset } from '../../../staging/refusals.ts';
import type { KeptUpload, Upload, UploadedFile, UploadStore } from '../../../staging/upload-store.ts';
import type { Disk, NewFile } from '../../../uploads/disk.ts';
import type { Database } from '../../sql/tables.ts';
import { apart } from '../apart.ts';
import { storeAsIs } from '../files.ts';
import { PIECE, piecesOf } from '../pieces.ts';
import type { Clock } from './clock.ts';

/** Slowly arriving bytes are stored at least this often, because the link may break. Milliseconds. */
const KEPT_EVERY = 1000;
/** Pieces per read. */
const READ_TOGETHER = 8;

/** Creates the tables; runs at every start. They are durable: a device need not resend what was reported as received. */
export async function prepareUploads(db: Database): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS staged_uploads (user_id BIGINT NOT NULL, sha256 TEXT COLLATE "C" NOT NULL,
    length BIGINT NOT NULL, size BIGINT NOT NULL, state TEXT NOT NULL, sender UUID NOT NULL, touched_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, sha256))`.execute(db);
  await sql`CREATE TABLE IF NOT EXISTS staged_pieces (user_id BIGINT NOT NULL, sha256 TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL,
    bytes BYTEA NOT NULL, PRIMARY KEY (user_id, sha256, at),
    FOREIGN KEY (user_id, sha256) REFERENCES staged_uploads ON DELETE CASCADE)`.execute(db);
  await storeAsIs(db, 'staged_pieces');
}

/**
 * Uploads as rows, so that an upload begun at one server can continue at any other. The newest sender owns an upload: its id
 * is on the row, and a piece is accepted only at the size that this sender knows. Pieces that still arrive at an earlier
 * server are refused.
 */
export function uploadsAmong(db: Database, clock: Clock, disk: Disk): UploadStore {
  const row = ({ userId, sha256 }: Upload) => sql`user_id = ${userId} AND sha256 = ${sha256}`;
  return {
    async find(userId, sha256) {
      const { rows } = await sql<Upload>`SELECT user_id AS "userId", sha256, length, state FROM staged_uploads
        WHERE user_id = ${userId} AND sha256 = ${sha256}`.execute(db);
      return rows[0];
    },
    sizeOf: (upload) => sizeOf(db, upload),
    async of(userId) {
      const { rows } = await sql<KeptUpload>`SELECT user_id AS "userId", sha256, length, state,
        extract(epoch FROM ${clock()} - touched_at)::float8 * 1000 AS "restsFor" FROM staged_uploads WHERE user_id = ${userId}`.execute(
        db,
      );
      return rows;
    },
    begin: (upload) => beginAll(db, clock, [upload]),
    async settle(upload) {
      await claim(db, upload);
    },
    async open(upload, size) {
      const sender = await claim(db, upload);
      const present = await sizeOf(db, upload);
      if (present !== size) throw wrongOffset(present);
      return new ArrivingRows(db, clock, { ...upload, sender, size });
    },
    async touch(upload) {
      await sql`UPDATE staged_uploads SET touched_at = ${clock()} WHERE ${row(upload)}`.execute(db);
    },
    async become(upload, state) {
      await sql`UPDATE staged_uploads SET state = ${state} WHERE ${row(upload)}`.execute(db);
      return { ...upload, state };
    },
    isRight: async (upload) => (await readThrough(db, upload, async () => undefined)) === upload.sha256,
    copy: (upload, path) => copy(db, disk, upload, path),
    takeFiles: (files, makeRoom) => takeFiles(db, clock, files, makeRoom),
    async remove(upload) {
      await sql`DELETE FROM staged_uploads WHERE ${row(upload)}`.execute(db);
    },
    async removeResting(milliseconds) {
      await sql`DELETE FROM staged_uploads
        WHERE touched_at < ${clock()} - make_interval(secs => ${milliseconds / 1000})`.execute(db);
    },
  };
}

async function beginAll(db: Database, clock: Clock, uploads: readonly Upload[]): Promise<void> {
  // a fixed order prevents deadlocks between servers that begin the same uploads
  const inOrder = uploads.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
  const values = inOrder.map(({ userId, sha256, length, state }) => {
    return sql`(${userId}, ${sha256}, ${length}, 0, ${state}, ${randomUUID()}, ${clock()})`;
  });
  // another server may have been faster
  await sql`INSERT INTO staged_uploads (user_id, sha256, length, size, state, sender, touched_at)
    VALUES ${sql.join(values)} ON CONFLICT DO NOTHING`.execute(db);
}

/** Stores whole files without waiting until they are durable: a device resends what is missing. */
async function takeFiles(
  db: Database,
  clock: Clock,
  files: readonly UploadedFile[],
  makeRoom: () => Promise<void>,
): Promise<void> {
  const soon = <T>(task: (own: Database) => Promise<T>) => {
    return apart(db, async (own) => {
      await sql`SET LOCAL synchronous_commit = off`.execute(own);
      return task(own);
    });
  };
  await soon((own) => beginAll(own, clock, files));
  try {
    await makeRoom();
    await soon(async (own) => {
      for (const file of await takeOver(own, clock, files))
        if ((await insertFile(own, file)) !== file.sha256) throw wrongHash();
    });
  } catch (error) {
    await soon((own) => removeEmpty(own, files));
    throw error;
  }
}

const amongst = (uploads: readonly Upload[]) => sql`user_id = ANY(${uploads.map(({ userId }) => userId)})
  AND sha256 = ANY(${uploads.map(({ sha256 }) => sha256)}) AND state = 'part' AND size = 0`;

/** Makes this server the sender of empty uploads. A concurrent sender waits for the row, then finds a newer sender. */
async function takeOver(own: Database, clock: Clock, files: readonly UploadedFile[]): Promise<UploadedFile[]> {
  const { rows } = await sql<{ sha256: string }>`UPDATE staged_uploads
    SET sender = gen_random_uuid(), size = length, state = 'used', touched_at = ${clock()}
    WHERE ${amongst(files)} RETURNING sha256`.execute(own);
  const taken = new Set(rows.map(({ sha256 }) => sha256));
  return files.filter(({ sha256 }) => taken.has(sha256));
}

async function removeEmpty(own: Database, uploads: readonly Upload[]): Promise<void> {
  await sql`DELETE FROM staged_uploads WHERE ${amongst(uploads)}`.execute(own);
}

/** Inserts a file's pieces. Returns their hash in lower-case hexadecimal. */
async function insertFile(own: Database, { userId, sha256, path }: UploadedFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const pieces of piecesOf(path)) {
    const values = pieces.map(({ at, bytes }) => sql`(${userId}, ${sha256}, ${at}, ${bytes})`);
    const inserting = sql`INSERT INTO staged_pieces (user_id, sha256, at, bytes) VALUES ${sql.join(values)}`.execute(
      own,
    );
    for (const { bytes } of pieces) hash.update(bytes);
    await inserting;
  }
  return hash.digest('hex');
}

/** Returns the received size. Throws 404 if the upload is gone. */
async function sizeOf(db: Database, { userId, sha256 }: Upload): Promise<number> {
  const { rows } = await sql<{ size: number }>`SELECT size FROM staged_uploads
    WHERE user_id = ${userId} AND sha256 = ${sha256}`.execute(db);
  if (rows[0] === undefined) throw noUpload();
  return rows[0].size;
}

/** Makes a new sender the owner. Earlier senders can no longer write. */
async function claim(db: Database, { userId, sha256 }: Upload): Promise<string> {
  const sender = randomUUID();
  await sql`UPDATE staged_uploads SET sender = ${sender} WHERE user_id = ${userId} AND sha256 = ${sha256}`.execute(db);
  return sender;
}

/** An upload owned by a sender that knows its size. */
interface Claimed extends Upload {
  readonly sender: string;
  readonly size: number;
}

/** Buffers arriving bytes into pieces. */
class ArrivingRows implements NewFile {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #upload: Claimed;
  #size: number;
  #gathered: Uint8Array[] = [];
  #bytes = 0;
  #keptAt = performance.now();

  constructor(db: Database, clock: Clock, upload: Claimed) {
    this.#db = db;
    this.#clock = clock;
    this.#upload = upload;
    this.#size = upload.size;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= PIECE || performance.now() - this.#keptAt >= KEPT_EVERY) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#bytes = 0;
    this.#keptAt = performance.now();
    for (let from = 0; from < bytes.length; from += PIECE) await this.#keep(bytes.subarray(from, from + PIECE));
  }

  async close(): Promise<void> {}

  async #keep(bytes: Buffer): Promise<void> {
    const { userId, sha256, sender } = this.#upload;
    const { rows } = await sql`
      WITH gone_on AS (UPDATE staged_uploads SET size = size + ${bytes.length}::int, touched_at = ${this.#clock()}
        WHERE user_id = ${userId} AND sha256 = ${sha256} AND sender = ${sender} AND size = ${this.#size} AND state = 'part' RETURNING 1)
      INSERT INTO staged_pieces (user_id, sha256, at, bytes)
      SELECT ${userId}::bigint, ${sha256}::text, ${this.#size}::bigint, ${bytes}::bytea FROM gone_on RETURNING 1`.execute(
      this.#db,
    );
    if (rows.length === 0) throw wrongOffset(await sizeOf(this.#db, this.#upload));
    this.#size += bytes.length;
  }
}

/** Passes the pieces of an upload on in order. Returns the hash of all in lower-case hexadecimal. */
async function readThrough(
  db: Database,
  { userId, sha256 }: Upload,
  take: (bytes: Buffer) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  let end = 0;
  for (;;) {
    const { rows } = await sql<{ bytes: Buffer }>`SELECT bytes FROM staged_pieces
      WHERE user_id = ${userId} AND sha256 = ${sha256} AND at >= ${end} ORDER BY at LIMIT ${READ_TOGETHER}`.execute(db);
    if (rows.length === 0) return hash.digest('hex');
    for (const { bytes } of rows) {
      hash.update(bytes);
      end += bytes.length;
      await take(bytes);
    }
  }
}

/** Copies an upload to a file. Returns false and removes the upload if it is damaged; its device resends it. */
async function copy(db: Database, disk: Disk, upload: Upload, path: string): Promise<boolean> {
  const hash = await write(db, disk, upload, path).catch(async (error: unknown) => {
    await disk.remove(path);
    throw error;
  });
  if (hash === upload.sha256) return true;
  await disk.remove(path);
  await sql`DELETE FROM staged_uploads WHERE user_id = ${upload.userId} AND sha256 = ${upload.sha256}`.execute(db);
  return false;
}

async function write(db: Database, disk: Disk, upload: Upload, path: string): Promise<string> {
  const file = await disk.create(path);
  try {
    return await readThrough(db, upload, (bytes) => file.write(bytes));
  } finally {
    await file.close();
  }
}
