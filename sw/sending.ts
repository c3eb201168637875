import { linkReturned } from '../src/offline/outbox/entry-commands.ts';
import { pendingEntries } from '../src/offline/outbox/queries.ts';
import { drainAwake } from '../src/offline/sender/drain-loop.ts';
import { SYNC_TAG, type WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/** Drains the outbox when a page asks for it. */
export function sendOnMessage(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('message', (event) => {
    const { type } = event.data as WorkerMessage;
    if (type === 'DRAIN') event.waitUntil(sendAndAskForSync(scope, environment));
    if (type === 'WATCH') event.waitUntil(askForSyncWhileWorkWaits(scope, environment));
  });
}

/** Drains the outbox when the browser reports a good link, even with every page closed. A failed sync is retried later. */
export function sendOnSync(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('sync', (event) => {
    if (event.tag === SYNC_TAG) event.waitUntil(sendOrFail(environment));
  });
}

async function sendAndAskForSync(scope: WorkerScope, environment: Environment): Promise<void> {
  // Request the sync before sending: a browser killed while it sends, or waits to, would not resume otherwise.
  await askForSyncWhileWorkWaits(scope, environment);
  await drainAwake(environment);
}

/** Ends the wait for a link, because the browser fires a sync when a link returns. Throws if changes still wait. */
async function sendOrFail(environment: Environment): Promise<void> {
  await linkReturned(environment);
  const { until, elsewhere } = await drainAwake(environment);
  if (until !== undefined || elsewhere) throw new Error('Not all sent.');
}

async function askForSyncWhileWorkWaits(scope: WorkerScope, environment: Environment): Promise<void> {
  if ((await pendingEntries(environment)).length > 0) await askForSync(scope);
}

/** Requests a sync, if supported. Safari and Firefox have no Background Sync, and users can disable it. */
async function askForSync({ registration }: WorkerScope): Promise<void> {
  await registration.sync?.register(SYNC_TAG).catch(() => undefined);
}
