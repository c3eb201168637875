import type { Environment } from '../storage/environment.ts';

/** A handover in progress. Its signal stays aborted while this worker makes way for a newer one. */
interface Handover {
  readonly controller: AbortController;
  readonly stopTimer: () => void;
}

const handovers = new WeakMap<Environment, Handover>();

/**
 * Makes way for a newer worker. A browser replaces a worker only when it is idle: the request in flight is finished, every
 * wait ends, and nothing starts for `milliseconds`, counted from the latest call. If no newer worker takes over by then,
 * this one resumes.
 */
export function beginHandover(environment: Environment, milliseconds: number): void {
  const { controller, stopTimer } = handoverOf(environment);
  controller.abort();
  stopTimer();
  const resume = () => void handovers.delete(environment);
  handovers.set(environment, { controller, stopTimer: environment.after(milliseconds, resume) });
}

/** A signal that is aborted while a handover is in progress. */
export function handoverSignal(environment: Environment): AbortSignal {
  return handoverOf(environment).controller.signal;
}

function handoverOf(environment: Environment): Handover {
  const known = handovers.get(environment) ?? { controller: new AbortController(), stopTimer: () => {} };
  handovers.set(environment, known);
  return known;
}
