import { type Drained, drain } from './drain.ts';
import type { Environment } from './environment.ts';

/** A wait as short as this is sat out; a longer one is left to the next wake-up. Milliseconds. */
const SHORT_WAIT = 25_000;
/** Browsers end a worker that stays up for an event for too long (5 minutes). */
const AWAKE_FOR = 4 * 60_000;

/** Aborted when this worker is to give way to a newer one. */
const relief = new AbortController();

/** Ends every wait: a browser exchanges a worker only when it has nothing to do. What is being sent is sent to its end. */
export function giveWay(): void {
  relief.abort();
}

/** Drains, and again after short waits (a first backoff, the time in which a delete can be undone). */
export async function drainAwake(environment: Environment): Promise<Drained> {
  const { now, after } = environment;
  const start = now();
  let drained = await drain(environment);
  while (
    !relief.signal.aborted &&
    drained.until !== undefined &&
    drained.until - now() <= SHORT_WAIT &&
    now() - start < AWAKE_FOR
  ) {
    const wait = Math.max(0, drained.until - now());
    await new Promise<void>((resolve) => {
      const goOn = () => {
        relief.signal.removeEventListener('abort', goOn);
        resolve();
      };
      after(wait, goOn);
      relief.signal.addEventListener('abort', goOn);
    });
    if (!relief.signal.aborted) drained = await drain(environment);
  }
  return drained;
}
