import type { Environment } from '../storage/environment.ts';

/** The time limit of a request. */
export interface Patience {
  /** Aborts the request at the time limit. */
  readonly signal: AbortSignal;
  /** Awaits `work`. Rejects at the time limit even if the engine ignores the signal: a sender that hangs would block the whole queue. */
  readonly bound: <T>(work: Promise<T>) => Promise<T>;
  /** Moves the limit to `milliseconds` from now. */
  readonly renew: (milliseconds: number) => void;
  /** Removes the limit. */
  readonly end: () => void;
}

/** A time limit of `milliseconds` from now. */
export function patienceOf({ after }: Pick<Environment, 'after'>, milliseconds: number): Patience {
  const controller = new AbortController();
  const { signal } = controller;
  const over = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
  over.catch(() => undefined);
  const giveUp = () => controller.abort();
  let stop = after(milliseconds, giveUp);
  return {
    signal,
    bound: (work) => Promise.race([work, over]),
    renew: (anew) => {
      stop();
      stop = after(anew, giveUp);
    },
    end: () => stop(),
  };
}
