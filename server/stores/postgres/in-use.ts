import { setTimeout as pause } from 'node:timers/promises';
import { asAway } from './away.ts';
import { openClient } from './pool.ts';

/** How long a closed connection can stay listed on a busy machine. Milliseconds. */
const SEEN_AFTERWARDS = 3_000;
const LOOK_AGAIN = 100;

/**
 * Resolves to true if a server or command stays connected to a database for `patience` milliseconds. One that stopped a
 * moment ago does not count.
 */
export async function isInUse(address: string, patience = SEEN_AFTERWARDS): Promise<boolean> {
  const client = openClient(address);
  try {
    await client.connect().catch(asAway);
    for (let left = patience; left > 0; left -= LOOK_AGAIN) {
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
