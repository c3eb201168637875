import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Who made a link: it ends with their right to make it. Unknown for links made before, which last seven days at most. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE link_makers (link TEXT PRIMARY KEY REFERENCES links (hash) ON DELETE CASCADE,
    user_id INTEGER NOT NULL) STRICT`.execute(db);
  await sql`CREATE INDEX link_makers_of_user ON link_makers (user_id)`.execute(db);
}
