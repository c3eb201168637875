import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Bell, bellOfOwn, type Engine } from '../sql/engine.ts';
import { CHANNEL } from './feed-triggers.ts';
import { share } from './share.ts';

/** Milliseconds. */
const LISTENS_AGAIN_AFTER = 1000;
const GOODBYE = 1000;

/** Rings for changes made by any server of the database. */
export interface SharedBell extends Bell, Pick<Engine, 'onReconnect'> {
  close(): Promise<void>;
}

/** Listens on its own connection. After a lost one it reconnects and rings, because it may have missed notifications. */
export function listen(open: () => Client): SharedBell {
  const own = bellOfOwn();
  const closing = new AbortController();
  let client: Client | undefined;
  let isFirst = true;
  let reconnected = async (): Promise<void> => undefined;
  const listenOnce = async () => {
    const fresh = open();
    client = fresh;
    const ended = new Promise((resolve) => fresh.once('end', resolve));
    fresh.on('notification', own.ring);
    // 'end' follows
    fresh.on('error', () => undefined);
    try {
      await fresh.connect();
      // an idle server has no other connection
      await share(fresh);
      await fresh.query(`LISTEN ${CHANNEL}`);
      if (!isFirst) await reconnected();
      isFirst = false;
      own.ring();
      await ended;
    } catch {
      fresh.end().catch(() => undefined);
    }
  };
  const start = async () => {
    while (!closing.signal.aborted) {
      await listenOnce();
      await new Promise((resolve) => setTimeout(resolve, LISTENS_AGAIN_AFTER).unref());
    }
  };
  void start();
  return {
    ring: () => undefined,
    watch: own.watch,
    onReconnect: (task) => void (reconnected = task),
    async close() {
      closing.abort();
      const ending = client?.end().catch(() => undefined);
      // an unresponsive database does not answer the goodbye either
      await Promise.race([ending, pause(GOODBYE, undefined, { ref: false })]);
    },
  };
}
