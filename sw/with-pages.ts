import type { WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import { ANTI_FORGERY_COOKIE } from '../src/domain/protocol/anti-forgery.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/**
 * The worker's world with what its pages add to it: the anti-forgery cookie where the worker sees none of its own (Firefox, after
 * a restart), and somebody to hand over to. To be called before anything else listens to messages.
 */
export function withPages(scope: WorkerScope, environment: Environment): Environment {
  let handed: string | undefined;
  scope.addEventListener('message', (event) => {
    const message = event.data as WorkerMessage;
    if (message.type === 'DRAIN' && message.cookie !== undefined) handed = message.cookie;
  });
  return {
    ...environment,
    cookie: async (name) => (await environment.cookie(name)) ?? (name === ANTI_FORGERY_COOKIE ? handed : undefined),
    handOver: () => void askPages(scope),
  };
}

async function askPages({ clients }: WorkerScope): Promise<void> {
  for (const page of await clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    page.postMessage({ type: 'SEND' }, []);
  }
}
