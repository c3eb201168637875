import type { Environment } from '../storage/environment.ts';

/** Aborted while this worker is to give way to a newer one. */
let relief = new AbortController();
let stopTimer = () => {};

/**
 * A browser exchanges a worker only when it has nothing to do: what is being sent is sent to its end, every wait ends, and
 * nothing begins for so many milliseconds, from the last time it was asked. After that the exchange has failed, and this worker goes on.
 */
export function giveWay({ after }: Pick<Environment, 'after'>, milliseconds: number): void {
  relief.abort();
  stopTimer();
  stopTimer = after(milliseconds, () => {
    relief = new AbortController();
  });
}

/** Aborted from then on until that time is over. */
export function relieved(): AbortSignal {
  return relief.signal;
}
