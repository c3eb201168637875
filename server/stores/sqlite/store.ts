import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { prepareDataFolder } from '../../ops/data-folder.ts';
import { finishSwitch } from '../../commands/switch-over.ts';
import { backupNotesIn } from '../../ops/last-backup.ts';
import { sharedHere } from '../../shared/shared.ts';
import { filesOnDisk } from '../../uploads/file-store.ts';
import { bellOfOwn, type Engine } from '../sql/engine.ts';
import { runningHere } from '../sql/running.ts';
import { assertDatabaseOfFiles, databasePath } from './database-file.ts';
import { databaseOver } from './open.ts';
import { openSqlite } from './sqlite.ts';
import { revisionOf } from './sqlite-revision.ts';
import { watchFile, type WatchedFile } from './watched-file.ts';

/**
 * Opens the embedded SQLite database of a data folder, with the files beside it. Only one process uses such a folder, so shared
 * state stays in its memory. Throws if the database is damaged or newer than this program.
 */
export async function openSqliteEngine(dataDir: string, open = openSqlite): Promise<Engine> {
  await finishSwitch(dataDir);
  assertDatabaseOfFiles(dataDir);
  prepareDataFolder(dataDir);
  const database = open(databasePath(dataDir));
  let watched: WatchedFile | undefined;
  const revision = revisionOf(database);
  const db = await databaseOver(database, {
    beforeWriting: () => watched?.assertInPlace(),
    afterWriting: revision.written,
  });
  watched = await watchFile(db, databasePath(dataDir));
  const { assertInPlace, unwatch } = watched;
  return {
    db,
    running: runningHere(),
    bell: bellOfOwn(),
    onReconnect: () => undefined,
    // AUTOINCREMENT does it
    countId: async () => undefined,
    filesOf: ({ folder, disk }) => filesOnDisk(folder, disk),
    sharedBy: sharedHere,
    backups: backupNotesIn(dataDir),
    revision: async () => revision.now(),
    revisionNow: revision.now,
    // a copied folder comes with its files
    identity: async () => undefined,
    clockProblem: async () => undefined,
    check: async () => {
      assertInPlace();
      await sql`SELECT count(*) FROM sqlite_schema`.execute(db);
    },
    size: async () => (await stat(databasePath(dataDir))).size,
    close: async () => {
      await db.destroy();
      unwatch();
    },
  };
}
