import { type Drained, drain } from './drain.ts';
import type { Environment } from './environment.ts';
import { relieved } from './give-way.ts';

/** A wait as short as this is sat out; a longer one is left to the next wake-up. Milliseconds. */
const SHORT_WAIT = 25_000;
/** Browsers end a worker that stays up for an event for too long (5 minutes). */
const AWAKE_FOR = 4 * 60_000;

/** Drains, and again after short waits (a first backoff, the time in which a delete can be undone). */
export async function drainAwake(environment: Environment): Promise<Drained> {
  const { now } = environment;
  const start = now();
  let drained = await drain(environment);
  while (drained.until !== undefined && drained.until - now() <= SHORT_WAIT && now() - start < AWAKE_FOR) {
    await waited(environment, Math.max(0, drained.until - now()));
    if (relieved().aborted) break;
    drained = await drain(environment);
  }
  return drained;
}

/** Resolves after so many milliseconds, or when this worker is to give way. */
async function waited({ after }: Environment, milliseconds: number): Promise<void> {
  const signal = relieved();
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      signal.removeEventListener('abort', goOn);
      resolve();
    };
    after(milliseconds, goOn);
    signal.addEventListener('abort', goOn);
  });
}
