import { giveWay } from '../src/offline/stay-awake.ts';
import type { WorkerMessage } from '../src/offline/worker-messages.ts';
import { scope } from './scope.ts';

/** A new version waits until the administrator agrees: nothing is exchanged under an open form. */
export function updateWhenAsked(): void {
  scope.addEventListener('message', (event) => {
    const { type } = event.data as WorkerMessage;
    if (type === 'SKIP_WAITING') void scope.skipWaiting();
    if (type === 'GIVE_WAY') giveWay();
  });
}
