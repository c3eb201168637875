import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The initial columns of each kind of record. A later change of a definition adds a migration. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  generators: [
    'brand',
    'capacity',
    'generator_model',
    'engine_model',
    'alternator_model',
    'origin',
    'series',
    'catalog',
  ],
  solar_panels: ['brand', 'capacity', 'model', 'type', 'catalog'],
  grid_tie_inverters: ['type', 'brand', 'capacity', 'model', 'catalog'],
  street_lights: ['brand', 'capacity', 'model', 'origin', 'catalog'],
  ups: ['brand', 'capacity', 'model', 'origin', 'type', 'catalog'],
  partners: ['name', 'link', 'image'],
  about_items: ['name', 'image'],
  certifications: ['category', 'name', 'image'],
  sliders: ['text', 'serial', 'image'],
  projects: ['client_name', 'type', 'capacity', 'project_name', 'description', 'image'],
  site_meta: ['title', 'phone', 'email', 'address', 'fb', 'tw', 'li', 'metaTag'],
};

const FILES = ['catalog', 'image'];
const INTEGERS = ['serial'];

export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createFiles(db);
  for (const [table, columns] of Object.entries(KINDS)) await createKind(db, table, columns);
  await sql`INSERT INTO site_meta (id, version, created_at, updated_at)
    VALUES (1, 'first', strftime('%FT%TZ', 'now'), strftime('%FT%TZ', 'now'))`.execute(db);
  await createBookkeeping(db);
}

async function createPeople(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE, password_hash TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT`.execute(db);
  await sql`CREATE TABLE tokens (hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at TEXT NOT NULL, used_at TEXT NOT NULL) STRICT`.execute(db);
  await sql`CREATE INDEX tokens_of_user ON tokens (user_id)`.execute(db);
  await sql`CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT`.execute(db);
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE files (name TEXT PRIMARY KEY, type TEXT NOT NULL, size INTEGER NOT NULL, sha256 TEXT NOT NULL,
    received_size INTEGER NOT NULL, received_sha256 TEXT NOT NULL, original_name TEXT NOT NULL,
    created_at TEXT NOT NULL) STRICT`.execute(db);
  await sql`CREATE TABLE images (id INTEGER PRIMARY KEY AUTOINCREMENT, resource TEXT NOT NULL, record_id INTEGER NOT NULL,
    image TEXT NOT NULL REFERENCES files (name)) STRICT`.execute(db);
  await sql`CREATE INDEX images_of_record ON images (resource, record_id)`.execute(db);
  await sql`CREATE INDEX images_of_file ON images (image)`.execute(db);
  await sql`CREATE TABLE removed_files (name TEXT PRIMARY KEY) STRICT`.execute(db);
  await sql`CREATE TABLE file_holds (id TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT`.execute(db);
}

async function createKind(db: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  const definitions = columns.map((column) => {
    if (FILES.includes(column)) return sql`${sql.id(column)} TEXT REFERENCES files (name)`;
    return INTEGERS.includes(column) ? sql`${sql.id(column)} INTEGER` : sql`${sql.id(column)} TEXT`;
  });
  await sql`CREATE TABLE ${sql.id(table)} (id INTEGER PRIMARY KEY AUTOINCREMENT, version TEXT NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, ${sql.join(definitions)}) STRICT`.execute(db);
  for (const column of columns.filter((one) => FILES.includes(one))) {
    await sql`CREATE INDEX ${sql.id(`${table}_${column}`)} ON ${sql.id(table)} (${sql.id(column)})`.execute(db);
  }
}

async function createBookkeeping(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE idempotency_keys (user_id INTEGER NOT NULL, key TEXT NOT NULL, fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, created_at TEXT NOT NULL, PRIMARY KEY (user_id, key)) STRICT`.execute(
    db,
  );
  await sql`CREATE TABLE lookups (lookup TEXT NOT NULL, parent TEXT NOT NULL DEFAULT '', value TEXT NOT NULL,
    PRIMARY KEY (lookup, parent, value)) STRICT`.execute(db);
  await sql`CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, user_id INTEGER NOT NULL,
    user_name TEXT NOT NULL, resource TEXT NOT NULL, record_id INTEGER NOT NULL, action TEXT NOT NULL,
    "before" TEXT, "after" TEXT) STRICT`.execute(db);
  await sql`CREATE INDEX changes_of_record ON changes (resource, record_id)`.execute(db);
}
