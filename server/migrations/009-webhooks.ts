import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Addresses that are told of changes, and what was and is to be told to each, in order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE webhooks (id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, created_at TEXT NOT NULL,
    told_seq INTEGER NOT NULL) STRICT`.execute(db);
  await sql`CREATE TABLE webhook_deliveries (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL UNIQUE,
    webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE, body TEXT NOT NULL, created_at TEXT NOT NULL,
    attempts INTEGER NOT NULL, next_at TEXT, status INTEGER, problem TEXT) STRICT`.execute(db);
  await sql`CREATE INDEX deliveries_of_webhook ON webhook_deliveries (webhook_id, id)`.execute(db);
}
