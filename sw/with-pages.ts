import type { WorkerMessage } from '../src/offline/sender/worker-messages.ts';
import { ANTI_FORGERY_COOKIE } from '../src/domain/protocol/anti-forgery.ts';
import type { Environment } from '../src/offline/storage/environment.ts';
import type { WorkerScope } from './scope.ts';

/**
 * Extends the worker's environment with help from its pages: the anti-forgery cookie if the worker cannot see its own
 * (Firefox, after a restart), and a page to hand over to. Must be called before anything else listens to messages.
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
