import { linkReturned } from '../src/offline/outbox/entry-commands.ts';
import { pendingEntries } from '../src/offline/outbox/queries.ts';
import { drainAwake } from '../src/offline/sender/drain-loop.ts';
import { SYNC_TAG, type WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/** Drains when a page says that there is something to do. */
export function sendOnMessage(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('message', (event) => {
    const { type } = event.data as WorkerMessage;
    if (type === 'DRAIN') event.waitUntil(sendAndAskForSync(scope, environment));
    if (type === 'WATCH') event.waitUntil(askForSyncWhileWorkWaits(scope, environment));
  });
}

/** Drains when the browser finds the link good, also with every page closed. A failed one makes it try again later. */
export function sendOnSync(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('sync', (event) => {
    if (event.tag === SYNC_TAG) event.waitUntil(sendOrFail(environment));
  });
}

async function sendAndAskForSync(scope: WorkerScope, environment: Environment): Promise<void> {
  // Asked for before the sending begins: a browser that is killed while it sends, or waits to, would not come back to it.
  await askForSyncWhileWorkWaits(scope, environment);
  await drainAwake(environment);
}

/** The browser fires a sync when it finds a link again: a wait for one is over. */
async function sendOrFail(environment: Environment): Promise<void> {
  await linkReturned(environment);
  const { until, elsewhere } = await drainAwake(environment);
  if (until !== undefined || elsewhere) throw new Error('Some changes have to wait.');
}

async function askForSyncWhileWorkWaits(scope: WorkerScope, environment: Environment): Promise<void> {
  if ((await pendingEntries(environment)).length > 0) await askForSync(scope);
}

/** Safari and Firefox have no Background Sync, and a person may have switched it off. */
async function askForSync({ registration }: WorkerScope): Promise<void> {
  await registration.sync?.register(SYNC_TAG).catch(() => undefined);
}
