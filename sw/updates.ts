import { beginHandover } from '../src/offline/sender/worker-handover.ts';
import type { WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/** A new version waits until the administrator agrees: nothing is exchanged under an open form. */
export function updateWhenAsked(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('message', (event) => {
    const message = event.data as WorkerMessage;
    if (message.type === 'SKIP_WAITING') void scope.skipWaiting();
    if (message.type === 'GIVE_WAY') beginHandover(environment, message.milliseconds);
  });
}

/** Pages that were opened without a worker have one from the first visit on. */
export function claimPages(scope: WorkerScope): void {
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
}
