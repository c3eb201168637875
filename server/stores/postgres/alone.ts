import { setTimeout as pause } from 'node:timers/promises';
import { asAway } from './away.ts';
import { openClient } from './pool.ts';
import { INSTALLATION } from './share.ts';

/** How long a connection that was closed can stay open on a busy machine. Milliseconds. */
const PATIENCE = 3_000;
const TRIED_EVERY = 100;

/** An installation held alone. */
export interface Alone {
  /** Throws if the lock has been lost with its connection. */
  assert(): Promise<void>;
  release(): Promise<void>;
}

/** Takes an installation alone. Undefined if a server or command stays connected for `patience` milliseconds. */
export async function haveAlone(address: string, patience = PATIENCE): Promise<Alone | undefined> {
  const client = openClient(address);
  client.on('error', () => undefined);
  const release = () => client.end().catch(() => undefined);
  try {
    await client.connect().catch(asAway);
    for (let left = patience; left > 0; left -= TRIED_EVERY) {
      const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${INSTALLATION}) AS taken`);
      if (rows[0]?.taken === true) return { assert: async () => void (await client.query('SELECT 1')), release };
      await pause(TRIED_EVERY);
    }
    await release();
    return undefined;
  } catch (error) {
    await release();
    throw error;
  }
}
