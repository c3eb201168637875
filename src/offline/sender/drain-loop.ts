import { type Drained, drain } from './drain.ts';
import type { Environment } from '../storage/environment.ts';
import { relieved } from './worker-handover.ts';
import { AWAKE_FOR } from './time-limits.ts';

/** A wait as short as this is sat out; a longer one is left to the next wake-up. Milliseconds. */
const SHORT_WAIT = 25_000;

/**
 * Drains, and again after short waits (a first backoff, the time in which a delete can be undone). What is left when a worker has
 * been up for long is for the next event that wakes it: a page's look, each minute, or the browser's sync.
 */
export async function drainAwake(environment: Environment): Promise<Drained> {
  const { now } = environment;
  const stopAt = now() + AWAKE_FOR;
  let drained = await drain(environment, stopAt);
  while (drained.until !== undefined && drained.until - now() <= SHORT_WAIT && now() < stopAt) {
    await waited(environment, Math.max(0, drained.until - now()));
    if (relieved(environment).aborted) break;
    drained = await drain(environment, stopAt);
  }
  return drained;
}

/** Resolves after so many milliseconds, or when this worker is to give way. */
async function waited(environment: Environment, milliseconds: number): Promise<void> {
  const signal = relieved(environment);
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    environment.after(milliseconds, goOn);
    signal.addEventListener('abort', goOn);
  });
}
