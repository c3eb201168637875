import { type Drained, drain } from './drain.ts';
import type { Environment } from '../storage/environment.ts';
import { handoverSignal } from './worker-handover.ts';
import { AWAKE_FOR } from './time-limits.ts';

/** Waits up to this long are sat out; longer ones are left to the next wake-up. Milliseconds. */
const SHORT_WAIT = 25_000;

/**
 * Drains, and drains again after short waits (a first backoff, the undo time of a delete). A worker that has been up for
 * long leaves the rest to its next wake-up: a page's message, the minute timer, or Background Sync.
 */
export async function drainAwake(environment: Environment): Promise<Drained> {
  const { now } = environment;
  const stopAt = now() + AWAKE_FOR;
  let drained = await drain(environment, stopAt);
  while (drained.until !== undefined && drained.until - now() <= SHORT_WAIT && now() < stopAt) {
    await waited(environment, Math.max(0, drained.until - now()));
    if (handoverSignal(environment).aborted) break;
    drained = await drain(environment, stopAt);
  }
  return drained;
}

/** Resolves after `milliseconds`, or as soon as this worker must make way. */
async function waited(environment: Environment, milliseconds: number): Promise<void> {
  const signal = handoverSignal(environment);
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const resume = () => {
      signal.removeEventListener('abort', resume);
      resolve();
    };
    environment.after(milliseconds, resume);
    signal.addEventListener('abort', resume);
  });
}
