import { type Live, openLive } from '../stores/live-value.ts';
import { type Device, device } from './device.ts';

/** Delay before a failed query is retried. Milliseconds. */
const TRY_AGAIN = 5_000;

const resets: (() => void)[] = [];

/** Forgets all results and queries again: the next user must not see this one's, not even until the device has answered. */
export function resetQueries(): void {
  for (const reset of resets) reset();
}

/** A query of the device's databases. `also` calls its argument when the result changes without a change to them. */
export function live<T>(query: (offline: Device) => Promise<T>, also?: (changed: () => void) => void): Live<T> {
  let started = false;
  let stopWatching = () => {};
  const { value, subscribe, tell } = openLive<T>();

  async function start(): Promise<void> {
    started = true;
    try {
      const opened = await device();
      const stop = opened.watch(
        () => query(opened),
        tell,
        (failure) => {
          stop();
          tryAgain(failure);
        },
      );
      stopWatching = stop;
    } catch (failure) {
      tryAgain(failure);
    }
  }

  function askAnew(): void {
    stopWatching();
    void start();
  }

  /** Storage that did not respond may recover soon: another tab may have blocked it. */
  function tryAgain(failure: unknown): void {
    console.error('The outbox cannot be watched.', failure);
    setTimeout(() => void start(), TRY_AGAIN);
  }

  return {
    value,
    subscribe(listener) {
      // A started query keeps running, so that the next screen has its result at once.
      if (!started) {
        void start();
        also?.(askAnew);
        resets.push(() => {
          tell(undefined);
          askAnew();
        });
      }
      return subscribe(listener);
    },
  };
}
