import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';

/**
 * Whether the browser promises to keep stored data under storage pressure. `unknown` if the browser does not report it; then it
 * cannot be requested either.
 */
export type Persistence = 'granted' | 'refused' | 'unknown';

const asked = new WeakSet<Environment>();

/** Requests persistence once. Some browsers prompt the user, so nothing waits for the answer. */
export function askToPersist(environment: Environment): void {
  if (asked.has(environment)) return;
  asked.add(environment);
  void requestPersistence(environment);
}

/** The current persistence. */
export async function persistence({ room }: Environment = browserEnvironment()): Promise<Persistence> {
  return answerOf(room?.persisted);
}

/** Requests persistence if it is not granted yet. The browser may prompt the user. */
export async function requestPersistence(environment: Environment = browserEnvironment()): Promise<Persistence> {
  const promised = await persistence(environment);
  return promised === 'refused' ? answerOf(environment.room?.persist) : promised;
}

async function answerOf(ask: (() => Promise<boolean>) | undefined): Promise<Persistence> {
  try {
    const answer = await ask?.();
    if (answer === undefined) return 'unknown';
    return answer ? 'granted' : 'refused';
  } catch {
    return 'unknown';
  }
}
