import { browserEnvironment } from './browser-environment.ts';
import type { Environment } from './environment.ts';

/**
 * Whether the browser promises to keep what is saved here, also when it runs out of room. `unknown` where the browser does not say: then
 * nothing can be asked for either.
 */
export type Persistence = 'granted' | 'refused' | 'unknown';

const asked = new WeakSet<Environment>();

/** Asks the browser, once, not to throw the outbox away. Some ask the person: nothing waits for the answer. */
export function askToPersist(environment: Environment): void {
  if (asked.has(environment)) return;
  asked.add(environment);
  void requestPersistence(environment);
}

/** What the browser promises now. */
export async function persistence({ room }: Environment = browserEnvironment()): Promise<Persistence> {
  return answerOf(room?.persisted);
}

/** Asks for the promise where it was not given yet. A browser may put the question to the person. */
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
