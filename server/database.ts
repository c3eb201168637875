import { setTimeout as pause } from 'node:timers/promises';
import { databaseName } from './database-address.ts';
import type { Settings } from './settings.ts';
import type { Engine } from './stores/sql/engine.ts';
import type { openSqlite } from './stores/sqlite/sqlite.ts';
import { openSqliteEngine } from './stores/sqlite/store.ts';

/** How the opening of a database is watched, and what a test puts in place of the real thing. */
interface Opening {
  readonly openSqlite?: typeof openSqlite;
  /** Is told in words why the database cannot be used yet. */
  readonly onWait: (words: string) => void;
}

/** In milliseconds: a database that starts together with its servers is there within this, and is looked for so often. */
const PATIENCE = 120_000;
const LOOKED_FOR_EVERY = 2_000;

/**
 * Opens the database that the settings name: the embedded one of the data folder, or a PostgreSQL that several servers may share.
 * Waits for one that cannot be reached. Throws, in words, what waiting does not help against.
 */
export async function openEngine(settings: Settings, { openSqlite, onWait }: Opening): Promise<Engine> {
  const { databaseUrl, databaseConnections: connections, dataDir } = settings;
  if (databaseUrl === '') return openSqliteEngine(dataDir, openSqlite);
  // not loaded where it is not used
  const { openPostgresEngine, startFault } = await import('./stores/postgres/store.ts');
  const endsAt = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await openPostgresEngine(databaseUrl, { connections });
    } catch (error) {
      const { words, isPassing } = startFault(error, databaseName(databaseUrl));
      if (!isPassing || Date.now() > endsAt) throw new Error(words, { cause: error });
      onWait(`${words} Trying again.`);
      await pause(LOOKED_FOR_EVERY);
    }
  }
}
