import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { prepareDataFolder } from '../../ops/data-folder.ts';
import { openSqlite } from '../sqlite/sqlite.ts';
import { nodeSqliteDialect } from '../sqlite/sqlite-dialect.ts';
import { watchFile, type WatchedFile } from '../sqlite/watched-file.ts';
import type { ChangeAnswer, Credentials } from '../store.ts';
import { type Work, workIn } from './work.ts';

/** An idempotency key. Keys belong to their sender: equal keys of two senders are different. */
export interface JournalKey {
  readonly userId: number;
  readonly key: string;
}

/** A change that was sent and whose outcome is unknown. */
export interface OpenEntry extends JournalKey {
  readonly fingerprint: string;
  /** Changes of one kind are sent one after another. */
  readonly kind: string;
  readonly work: Work;
  /** The credentials for the back end. Removed when the answer is stored. */
  readonly credentials: Credentials;
}

/** The journal's state of a key. */
export type Entry =
  | { readonly state: 'open'; readonly entry: OpenEntry }
  | { readonly state: 'answered'; readonly fingerprint: string; readonly answer: ChangeAnswer };

/** What was sent for a stored file, by its name at the back end. */
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
    /** JSON. Null once there is an answer. */
    readonly work: string | null;
    /** JSON. Null once there is an answer. */
    readonly credentials: string | null;
    /** JSON. Null while the outcome is unknown. */
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
  /** Keys whose senders have given their change up. */
  readonly given_up: {
    readonly user_id: number;
    readonly key: string;
  };
  /** What was learned about the back end. JSON. */
  readonly learned: {
    readonly name: string;
    readonly value: string;
  };
  readonly secrets: {
    readonly name: string;
    /** Hexadecimal. */
    readonly value: string;
  };
}

/** A table's shape never changes; a new table is added after it. */
const SHAPE = [
  `CREATE TABLE IF NOT EXISTS entries (
    user_id INTEGER NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL, kind TEXT NOT NULL,
    work TEXT, credentials TEXT, answer TEXT, at TEXT NOT NULL, PRIMARY KEY (user_id, key)) STRICT`,
  'CREATE INDEX IF NOT EXISTS open_entries ON entries (kind) WHERE answer IS NULL',
  'CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, facts TEXT NOT NULL) STRICT',
  `CREATE TABLE IF NOT EXISTS image_owners (
    image_id INTEGER PRIMARY KEY, resource TEXT NOT NULL, record_id INTEGER NOT NULL) STRICT`,
  'CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
  'CREATE TABLE IF NOT EXISTS given_up (user_id INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (user_id, key)) STRICT',
  'CREATE TABLE IF NOT EXISTS learned (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT',
] as const;

const SECRET_BYTES = 32;

/** The path of the journal in a data folder. */
function journalPath(dataDir: string): string {
  return join(dataDir, 'gateway.sqlite');
}

/**
 * The changes sent to an existing back end and their outcomes, in a separate database. Each write is on disk when it
 * returns. Answers are kept forever, because an outbox has no age limit.
 */
export class Journal {
  readonly #db: Kysely<Tables>;
  readonly #file: WatchedFile;
  readonly #now: () => number;

  private constructor(db: Kysely<Tables>, file: WatchedFile, now: () => number) {
    this.#db = db;
    this.#file = file;
    this.#now = now;
  }

  /** Opens or creates the journal of a data folder. `now` returns epoch milliseconds. */
  static async open(dataDir: string, now: () => number, open = openSqlite): Promise<Journal> {
    prepareDataFolder(dataDir);
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(open(journalPath(dataDir))) });
    for (const statement of SHAPE) await sql.raw(statement).execute(db);
    return new Journal(db, await watchFile(db, journalPath(dataDir)), now);
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

  /** Returns every change whose outcome is unknown, oldest first. */
  async open(): Promise<OpenEntry[]> {
    const rows = await this.#db.selectFrom('entries').selectAll().where('answer', 'is', null).orderBy('at').execute();
    return rows.map(openEntryOf);
  }

  /** Commits a request before it is sent. Throws DatabaseUnusable if the journal's file is no longer the one that was opened. */
  async passOn(entry: OpenEntry): Promise<void> {
    this.#file.assertInPlace();
    const { userId: user_id, key, fingerprint, kind } = entry;
    const [work, credentials] = [JSON.stringify(entry.work), JSON.stringify(entry.credentials)];
    await this.#db
      .insertInto('entries')
      .values({ user_id, key, fingerprint, kind, work, credentials, answer: null, at: this.#at() })
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ work, credentials }))
      .execute();
  }

  /** Commits the answer before the device gets it, with the facts of the files that came with the change. */
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

  /** Removes a change that certainly has not taken effect. */
  async forget({ userId, key }: JournalKey): Promise<void> {
    await this.#db.deleteFrom('entries').where('user_id', '=', userId).where('key', '=', key).execute();
  }

  /** Forgets a change whose sender has given it up. Its next request is refused, so that nothing is sent without a new decision. */
  async giveUp({ userId: user_id, key }: JournalKey): Promise<void> {
    await this.#db.transaction().execute(async (writing) => {
      await writing.deleteFrom('entries').where('user_id', '=', user_id).where('key', '=', key).execute();
      const row = writing.insertInto('given_up').values({ user_id, key });
      await row.onConflict((conflict) => conflict.doNothing()).execute();
    });
  }

  /** Returns true once for a change that was given up. */
  async takeGivenUp({ userId, key }: JournalKey): Promise<boolean> {
    const removed = this.#db.deleteFrom('given_up').where('user_id', '=', userId).where('key', '=', key);
    return (await removed.executeTakeFirst()).numDeletedRows > 0n;
  }

  /** Replaces the credentials of a change when its sender has a newer session. */
  async renew({ userId, key }: JournalKey, credentials: Credentials): Promise<void> {
    await this.#db
      .updateTable('entries')
      .set({ credentials: JSON.stringify(credentials) })
      .where('user_id', '=', userId)
      .where('key', '=', key)
      .where('answer', 'is', null)
      .execute();
  }

  /** Returns what was sent for stored files that came through this gateway. */
  async knownFiles(names: readonly string[]): Promise<KnownFile[]> {
    if (names.length === 0) return [];
    const rows = await this.#db.selectFrom('files').selectAll().where('name', 'in', names).execute();
    return rows.map(({ name, facts }) => ({ ...(JSON.parse(facts) as Omit<KnownFile, 'name'>), name }));
  }

  /**
   * Records which record images belong to, because the contract deletes an image by its id alone. The latest record counts: a back
   * end that was restored, or an older MySQL that was restarted, gives out ids again.
   */
  async noteImages(resource: string, recordId: number, imageIds: readonly number[]): Promise<void> {
    if (imageIds.length === 0) return;
    const rows = imageIds.map((image_id) => ({ image_id, resource, record_id: recordId }));
    await this.#db
      .insertInto('image_owners')
      .values(rows)
      .onConflict((conflict) => conflict.column('image_id').doUpdateSet({ resource, record_id: recordId }))
      .execute();
  }

  /** Returns the record of an image. Undefined if this gateway has never seen it. */
  async ownerOf(imageId: number): Promise<{ resource: string; recordId: number } | undefined> {
    const row = await this.#db
      .selectFrom('image_owners')
      .selectAll()
      .where('image_id', '=', imageId)
      .executeTakeFirst();
    return row && { resource: row.resource, recordId: row.record_id };
  }

  /**
   * Returns the ids of records of a kind that changes through this gateway have created since a time, in epoch milliseconds.
   * Earlier ones may have been given out again by a back end that was restored.
   */
  async createdIds(kind: string, since: number): Promise<ReadonlySet<number>> {
    const rows = await this.#db
      .selectFrom('entries')
      .select(sql<number | null>`json_extract(answer, '$.id')`.as('id'))
      .where('kind', '=', kind)
      .where('answer', 'is not', null)
      .where('at', '>', new Date(since).toISOString())
      .execute();
    return new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])));
  }

  /** Returns what was learned under a name. */
  async learned<T>(name: string): Promise<T | undefined> {
    const row = await this.#db.selectFrom('learned').select('value').where('name', '=', name).executeTakeFirst();
    return row && (JSON.parse(row.value) as T);
  }

  async keepLearned(name: string, learned: object): Promise<void> {
    const value = JSON.stringify(learned);
    await this.#db
      .insertInto('learned')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  /** Returns a random value of this installation, created and stored on first use. */
  async secret(name: string, randomBytes: (count: number) => Buffer): Promise<Buffer> {
    await this.#db
      .insertInto('secrets')
      .values({ name, value: randomBytes(SECRET_BYTES).toString('hex') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const kept = this.#db.selectFrom('secrets').select('value').where('name', '=', name);
    return Buffer.from((await kept.executeTakeFirstOrThrow()).value, 'hex');
  }

  /** Throws if the journal is unusable. */
  async check(): Promise<void> {
    this.#file.assertInPlace();
    await sql`SELECT count(*) FROM sqlite_schema`.execute(this.#db);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
    this.#file.unwatch();
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
