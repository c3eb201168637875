import { sql } from 'kysely';
import { type BackupNotes, type BackupRecord, backupsIn, withBackup } from '../../ops/last-backup.ts';
import type { Database } from '../sql/tables.ts';

/** Creates the table; runs at every start. It has one row. `claimed_at` is when a server last began a backup. */
export async function prepareBackupNotes(db: Database): Promise<void> {
  await sql`CREATE TABLE IF NOT EXISTS last_backup (id INTEGER PRIMARY KEY CHECK (id = 1), note JSONB, made_at TIMESTAMPTZ,
    claimed_at TIMESTAMPTZ)`.execute(db);
}

/** Backup records shared by all servers of a database. */
export function backupNotesAmong(db: Database): BackupNotes {
  const recordIn = async (reading: Database) => {
    const { rows } = await sql<{ note: BackupRecord | null }>`SELECT note FROM last_backup`.execute(reading);
    return rows[0]?.note ?? undefined;
  };
  const all = async () => backupsIn(await recordIn(db));
  return {
    note: (backup) =>
      db.transaction().execute(async (writing) => {
        const note = JSON.stringify(withBackup(await recordIn(writing), backup));
        await sql`INSERT INTO last_backup (id, note, made_at) VALUES (1, ${note}, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET note = excluded.note, made_at = excluded.made_at`.execute(writing);
      }),
    last: async () => (await all())[0],
    all,
    async keepClaim() {
      await sql`UPDATE last_backup SET claimed_at = clock_timestamp()`.execute(db);
    },
    // A backup that fails, or whose server ends, is retried after an hour. The time of one that lies ahead was set back since.
    async claim(every) {
      const { rows } = await sql`INSERT INTO last_backup AS present (id, claimed_at) VALUES (1, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET claimed_at = excluded.claimed_at
          WHERE COALESCE(present.made_at, '-infinity') NOT BETWEEN
              clock_timestamp() - make_interval(secs => ${every / 1000}) + interval '1 microsecond' AND clock_timestamp()
            AND COALESCE(present.claimed_at, '-infinity') NOT BETWEEN
              clock_timestamp() - interval '1 hour' + interval '1 microsecond' AND clock_timestamp()
        RETURNING 1`.execute(db);
      return rows.length > 0;
    },
  };
}
