import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * For changes that devices keep until they are in a backup: the feed's number by which a key's change was made, the records
 * and images whose deletion a device has sent again, and the devices that have sent changes again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE idempotency_keys ADD COLUMN made_by INTEGER NOT NULL DEFAULT 0`.execute(db);
  await sql`UPDATE idempotency_keys SET made_by = (SELECT COALESCE(MAX(seq), 0) FROM feed)`.execute(db);
  await sql`ALTER TABLE changes ADD COLUMN sent_again_from TEXT`.execute(db);
  await sql`CREATE TABLE deleted_again (subject TEXT NOT NULL, record_id INTEGER NOT NULL,
    PRIMARY KEY (subject, record_id)) STRICT`.execute(db);
}
