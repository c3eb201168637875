import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TestServer } from '../../harness/server.ts';
import { inverters } from './rows.ts';

/**
 * Starts this repository's server with this many inverters, on a data folder of its own. The rows are inserted while the
 * server is down. Live connections are off unless `liveConnections` asks for some, because a connected page never becomes
 * idle, and measurements wait for that. `appDir` is the folder of a page other than the built app; `extra` are further
 * settings.
 */
export async function startFilledServer(
  rows: number,
  liveConnections = 0,
  appDir?: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const settings = { LOG_LEVEL: 'error', LIVE_CONNECTIONS: `${liveConnections}`, ...extra };
  const server = await TestServer.start({ settings, ...(appDir === undefined ? {} : { appDir }) });
  await server.stop();
  fill(join(server.dataDir, 'voltdesk.sqlite'), rows);
  await server.start();
  return server;
}

function fill(path: string, rows: number): void {
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    `INSERT INTO grid_tie_inverters (version, created_at, updated_at, type, brand, capacity, model)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const at = '2026-01-01T00:00:00.000Z';
  database.exec('BEGIN');
  for (const { id, type, brand, capacity, model } of inverters(rows)) {
    insert.run(`v${id}`, at, at, type, brand, capacity, model);
  }
  database.exec('COMMIT');
  database.close();
}
