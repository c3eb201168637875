import { sql } from 'kysely';
import type { Database } from '../sql/tables.ts';

/** Runs a transaction without the writers' lock, so that writers do not wait for it. For data unrelated to records. */
export async function apart<T>(db: Database, task: (own: Database) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    await sql`BEGIN`.execute(own);
    try {
      const result = await task(own);
      await sql`COMMIT`.execute(own);
      return result;
    } catch (error) {
      await sql`ROLLBACK`.execute(own).catch(() => undefined);
      throw error;
    }
  });
}
