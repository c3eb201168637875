import { linkReturned } from '../src/offline/outbox/entry-commands.ts';
import { browserEnvironment } from '../src/offline/storage/browser-environment.ts';
import { pendingEntries } from '../src/offline/outbox/queries.ts';
import { drainAwake } from '../src/offline/sender/drain-loop.ts';
import { SYNC_TAG, type WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import { scope } from './scope.ts';

/** Drains when a page says that there is something to do. */
export function sendOnMessage(): void {
  scope.addEventListener('message', (event) => {
    const { type } = event.data as WorkerMessage;
    if (type === 'DRAIN') event.waitUntil(sendAndAskForSync());
    if (type === 'WATCH') event.waitUntil(askForSyncWhileWorkWaits());
  });
}

/** Drains when the browser finds the link good, also with every page closed. A failed one makes it try again later. */
export function sendOnSync(): void {
  scope.addEventListener('sync', (event) => {
    if (event.tag === SYNC_TAG) event.waitUntil(sendOrFail());
  });
}

async function sendAndAskForSync(): Promise<void> {
  // Asked for before the sending begins: a browser that is killed while it sends, or waits to, would not come back to it.
  await askForSyncWhileWorkWaits();
  await drainAwake(browserEnvironment());
}

/** The browser fires a sync when it finds a link again: a wait for one is over. */
async function sendOrFail(): Promise<void> {
  await linkReturned();
  const { until, elsewhere } = await drainAwake(browserEnvironment());
  if (until !== undefined || elsewhere) throw new Error('Some changes have to wait.');
}

async function askForSyncWhileWorkWaits(): Promise<void> {
  if ((await pendingEntries()).length > 0) await askForSync();
}

/** Safari and Firefox have no Background Sync, and a person may have switched it off. */
async function askForSync(): Promise<void> {
  await scope.registration.sync?.register(SYNC_TAG).catch(() => undefined);
}
