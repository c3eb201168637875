import { beginHandover } from '../src/offline/sender/worker-handover.ts';
import type { WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/** Activates a new version only when the administrator agrees, so that nothing is replaced under an open form. */
export function updateWhenAsked(scope: WorkerScope, environment: Environment): void {
  scope.addEventListener('message', (event) => {
    const message = event.data as WorkerMessage;
    if (message.type === 'SKIP_WAITING') void scope.skipWaiting();
    if (message.type === 'GIVE_WAY') beginHandover(environment, message.milliseconds);
  });
}

/** Claims pages that were opened without a worker, so that they have one from the first visit on. */
export function claimPages(scope: WorkerScope): void {
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
}
