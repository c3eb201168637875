import { setTimeout as pause } from 'node:timers/promises';
import { asAway } from './away.ts';
import { openClient } from './pool.ts';

/** A connection that has ended is seen for so long on a busy machine. Milliseconds. */
const SEEN_AFTERWARDS = 3_000;
const LOOK_AGAIN = 100;

/** Whether a server, or a command, is connected to a database, and stays so: one that was stopped a moment ago is not. */
export async function isInUse(address: string): Promise<boolean> {
  const client = openClient(address);
  try {
    await client.connect().catch(asAway);
    for (let left = SEEN_AFTERWARDS; left > 0; left -= LOOK_AGAIN) {
      const { rows } = await client.query(`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'voltdesk' AND pid <> pg_backend_pid()`);
      if (rows.length === 0) return false;
      await pause(LOOK_AGAIN);
    }
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
