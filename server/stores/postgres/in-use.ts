import { asAway } from './away.ts';
import { openClient } from './pool.ts';

/** Whether a server, or a command, is connected to a database. */
export async function isInUse(address: string): Promise<boolean> {
  const client = openClient(address);
  try {
    await client.connect().catch(asAway);
    const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'voltdesk' AND pid <> pg_backend_pid()`);
    return rows.length > 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}
