import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { prepareDataFolder } from '../../data-folder.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../sqlite/sqlite-dialect.ts';
import type { ChangeAnswer, Credentials } from '../store.ts';
import { type Work, workIn } from './work.ts';

/** A key is its sender's own: another one's same key is another key. */
export interface JournalKey {
  readonly userId: number;
  readonly key: string;
}

/** A change that was passed on and whose outcome is not known. */
export interface OpenEntry extends JournalKey {
  readonly fingerprint: string;
  /** What goes on one after the other. */
  readonly kind: string;
  readonly work: Work;
  /** In whose name the back end is asked. Forgotten with the answer. */
  readonly credentials: Credentials;
}

/** What the journal knows of a key. */
export type Entry =
  | { readonly state: 'open'; readonly entry: OpenEntry }
  | { readonly state: 'answered'; readonly fingerprint: string; readonly answer: ChangeAnswer };

/** What was passed on for a stored file, by the back end's name for it. */
export interface KnownFile {
  readonly name: string;
  readonly field: string;
  readonly sha256: string;
  readonly size: number;
  readonly originalName: string;
  readonly type: string;
}

interface Tables {
  readonly entries: {
    readonly user_id: number;
    readonly key: string;
    readonly fingerprint: string;
    readonly kind: string;
    /** JSON; null with an answer. */
    readonly work: string | null;
    /** JSON; null with an answer. */
    readonly credentials: string | null;
    /** JSON; null while the outcome is not known. */
    readonly answer: string | null;
    /** ISO 8601 in UTC. */
    readonly at: string;
  };
  readonly files: {
    readonly name: string;
    readonly facts: string;
  };
  readonly image_owners: {
    readonly image_id: number;
    readonly resource: string;
    readonly record_id: number;
  };
  readonly secrets: {
    readonly name: string;
    /** Hexadecimal. */
    readonly value: string;
  };
}

/** A table's shape never changes; a new one follows it. */
const SHAPE = [
  `CREATE TABLE IF NOT EXISTS entries (
    user_id INTEGER NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, kind TEXT NOT NULL,
    work TEXT, credentials TEXT, answer TEXT, at TEXT NOT NULL, PRIMARY KEY (user_id, key)) STRICT`,
  'CREATE INDEX IF NOT EXISTS open_entries ON entries (kind) WHERE answer IS NULL',
  'CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT',
  `CREATE TABLE IF NOT EXISTS image_owners (
    image_id INTEGER PRIMARY KEY, resource TEXT NOT NULL, record_id INTEGER NOT NULL) STRICT`,
  'CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
] as const;

const SECRET_BYTES = 32;

/** Where the journal of a data folder is. */
function journalPath(dataDir: string): string {
  return join(dataDir, 'gateway.sqlite');
}

/**
 * What was passed on to an existing back end and what came of it, in a database of its own. Each write is on the disk when it
 * returns. Answers are kept for good, as an outbox has no age limit.
 */
export class Journal {
  readonly #db: Kysely<Tables>;
  readonly #now: () => number;

  private constructor(db: Kysely<Tables>, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Opens the journal of a data folder, or begins one. `now` is in epoch milliseconds. */
  static async open(dataDir: string, now: () => number, open = openSqlite): Promise<Journal> {
    prepareDataFolder(dataDir);
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(open(journalPath(dataDir))) });
    for (const statement of SHAPE) await sql.raw(statement).execute(db);
    return new Journal(db, now);
  }

  async find({ userId, key }: JournalKey): Promise<Entry | undefined> {
    const row = await this.#db
      .selectFrom('entries')
      .selectAll()
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .executeTakeFirst();
    return row && entryOf(row);
  }

  /** Every change whose outcome is not known, the oldest first. */
  async open(): Promise<OpenEntry[]> {
    const rows = await this.#db.selectFrom('entries').selectAll().where('answer', 'is', null).orderBy('at').execute();
    return rows.map(openEntryOf);
  }

  /** Commits that a request is about to go out, before it does. */
  async passOn(entry: OpenEntry): Promise<void> {
    const { userId: user_id, key, fingerprint, kind } = entry;
    const [work, credentials] = [JSON.stringify(entry.work), JSON.stringify(entry.credentials)];
    await this.#db
      .insertInto('entries')
      .values({ user_id, key, fingerprint, kind, work, credentials, answer: null, at: this.#at() })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ work, credentials }))
      .execute();
  }

  /** Commits the answer, before the device gets it, and what is known of the files that came with it. */
  async answer({ userId, key }: JournalKey, answer: ChangeAnswer, files: readonly KnownFile[]): Promise<void> {
    await this.#db.transaction().execute(async (writing) => {
      await writing
        .updateTable('entries')
        .set({ answer: JSON.stringify(answer), work: null, credentials: null, at: this.#at() })
        .where('user_id', '=', userId)
        .where('key', '=', key)
        .execute();
      for (const { name, ...facts } of files) {
        await writing
          .insertInto('files')
          .values({ name, facts: JSON.stringify(facts) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    });
  }

  /** Forgets a change that surely has not taken effect. */
  async forget({ userId, key }: JournalKey): Promise<void> {
    await this.#db.deleteFrom('entries').where('user_id', '=', userId).where('key', '=', key).execute();
  }

  /** The sender has a newer session than the one that the change was passed on with. */
  async renew({ userId, key }: JournalKey, credentials: Credentials): Promise<void> {
    await this.#db
      .updateTable('entries')
      .set({ credentials: JSON.stringify(credentials) })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('answer', 'is', null)
      .execute();
  }

  /** What was passed on for stored files, as far as they came through here. */
  async knownFiles(names: readonly string[]): Promise<KnownFile[]> {
    if (names.length === 0) return [];
    const rows = await this.#db.selectFrom('files').selectAll().where('name', 'in', names).execute();
    return rows.map(({ name, facts }) => ({ ...(JSON.parse(facts) as Omit<KnownFile, 'name'>), name }));
  }

  /** Notes which record images belong to: the contract removes an image by its id alone. */
  async noteImages(resource: string, recordId: number, imageIds: readonly number[]): Promise<void> {
    if (imageIds.length === 0) return;
    const rows = imageIds.map((image_id) => ({ image_id, resource, record_id: recordId }));
    await this.#db
      .insertInto('image_owners')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** The record that an image belongs to; undefined for one that was never seen here. */
  async ownerOf(imageId: number): Promise<{ resource: string; recordId: number } | undefined> {
    const row = await this.#db
      .selectFrom('image_owners')
      .selectAll()
      .where('image_id', '=', imageId)
      .executeTakeFirst();
    return row && { resource: row.resource, recordId: row.record_id };
  }

  /** A random value of this installation, made at its first use and kept. */
  async secret(name: string, randomBytes: (count: number) => Buffer): Promise<Buffer> {
    await this.#db
      .insertInto('secrets')
      .values({ name, value: randomBytes(SECRET_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const kept = this.#db.selectFrom('secrets').select('value').where('name', '=', name);
    return Buffer.from((await kept.executeTakeFirstOrThrow()).value, 'hex');
  }

  /** Throws when it cannot be used. */
  async check(): Promise<void> {
    await sql`SELECT 1`.execute(this.#db);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  #at(): string {
    return new Date(this.#now()).toISOString();
  }
}

function entryOf(row: Tables['entries']): Entry {
  if (row.answer === null) return { state: 'open', entry: openEntryOf(row) };
  return { state: 'answered', fingerprint: row.fingerprint, answer: JSON.parse(row.answer) as ChangeAnswer };
}

function openEntryOf(row: Tables['entries']): OpenEntry {
  return {
    userId: row.user_id,
    key: row.key,
    fingerprint: row.fingerprint,
    kind: row.kind,
    work: workIn(row.work ?? ''),
    credentials: JSON.parse(row.credentials ?? '') as Credentials,
  };
}
