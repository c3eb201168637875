import { setTimeout as pause } from 'node:timers/promises';
import { addressWarning, databaseName } from './settings/database-address.ts';
import type { Settings } from './settings/settings.ts';
import type { Engine } from './stores/sql/engine.ts';
import type { openSqlite } from './stores/sqlite/sqlite.ts';
import { openSqliteEngine } from './stores/sqlite/store.ts';

/** Callbacks for opening a database, and replacements for tests. */
interface Opening {
  readonly openSqlite?: typeof openSqlite;
  /** Called with the reason the database is not ready yet, or what else about it its operator should know. */
  readonly onWait: (words: string) => void;
}

/** How long, and how often, to retry a database that starts together with its servers. Milliseconds. */
const PATIENCE = 120_000;
const LOOKED_FOR_EVERY = 2_000;

/**
 * Opens the configured database: the embedded one in the data folder, or a PostgreSQL that several servers may share. Waits for
 * an unreachable database. Throws a readable error for anything that waiting does not solve.
 */
export async function openEngine(settings: Settings, { openSqlite, onWait }: Opening): Promise<Engine> {
  const { databaseUrl, databaseConnections: connections, dataDir } = settings;
  if (databaseUrl === '') return openSqliteEngine(dataDir, openSqlite);
  // loaded only if it is used
  const { openPostgresEngine, startFault } = await import('./stores/postgres/store.ts');
  const warning = addressWarning(databaseUrl);
  if (warning !== undefined) onWait(warning);
  const endsAt = performance.now() + PATIENCE;
  for (;;) {
    try {
      const engine = await openPostgresEngine(databaseUrl, { connections });
      const clock = await engine.clockProblem(Date.now());
      if (clock !== undefined) onWait(clock);
      return engine;
    } catch (error) {
      const { words, isPassing } = startFault(error, databaseName(databaseUrl));
      if (!isPassing || performance.now() > endsAt) throw new Error(words, { cause: error });
      onWait(`${words} Trying again.`);
      await pause(LOOKED_FOR_EVERY);
    }
  }
}
