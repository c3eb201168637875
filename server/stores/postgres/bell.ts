import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Bell, bellOfOwn } from '../sql/engine.ts';
import { CHANNEL } from './feed-triggers.ts';

/** Milliseconds. */
const LISTENS_AGAIN_AFTER = 1000;
const GOODBYE = 1000;

/** Rings for changes made by any server of the database. */
export interface SharedBell extends Bell {
  close(): Promise<void>;
}

/** Listens on its own connection. After a lost one it reconnects and rings, because it may have missed notifications. */
export function listen(open: () => Client): SharedBell {
  const own = bellOfOwn();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let client: Client | undefined;
  const again = () => {
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void start(), LISTENS_AGAIN_AFTER).unref();
  };
  const start = async () => {
    const fresh = open();
    client = fresh;
    fresh.on('notification', own.ring);
    // 'end' follows
    fresh.on('error', () => undefined);
    fresh.once('end', again);
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      own.ring();
    } catch {
      fresh.end().catch(() => undefined);
      again();
    }
  };
  void start();
  return {
    ring: () => undefined,
    watch: own.watch,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const ending = client?.end().catch(() => undefined);
      // an unresponsive database does not answer the goodbye either
      await Promise.race([ending, pause(GOODBYE, undefined, { ref: false })]);
    },
  };
}
