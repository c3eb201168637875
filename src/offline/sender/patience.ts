import type { Environment } from '../storage/environment.ts';

/** How long a request is waited for. */
export interface Patience {
  /** Tells the engine that the request is given up. */
  readonly signal: AbortSignal;
  /** What `work` brings. Rejects at the time limit also where the engine does not: a sender that waits for ever holds back the whole queue. */
  readonly bound: <T>(work: Promise<T>) => Promise<T>;
  /** So many milliseconds from now. */
  readonly renew: (milliseconds: number) => void;
  /** Nothing is waited for any more. */
  readonly end: () => void;
}

/** Gives a request up after so many milliseconds. */
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
