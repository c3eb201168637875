import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TestServer } from '../../harness/server.ts';
import { inverters } from './rows.ts';

/**
 * This repository's server with so many inverters, on a data folder of its own. Its rows are put into the file while it is down. A page
 * that stays connected would never be at rest, which is what is waited for: nobody is, unless so many connections are wanted.
 * `appDir` is the folder of another page than the built app.
 */
export async function startFilledServer(rows: number, liveConnections = 0, appDir?: string): Promise<TestServer> {
  const settings = { LOG_LEVEL: 'error', LIVE_CONNECTIONS: `${liveConnections}` };
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
