import type { Environment } from '../storage/environment.ts';

/** Aborted while this worker is to give way to a newer one. */
interface Relief {
  readonly controller: AbortController;
  readonly stopTimer: () => void;
}

const reliefs = new WeakMap<Environment, Relief>();

/**
 * A browser exchanges a worker only when it has nothing to do: what is being sent is sent to its end, every wait ends, and
 * nothing begins for so many milliseconds, from the last time it was asked. After that the exchange has failed, and this worker goes on.
 */
export function giveWay(environment: Environment, milliseconds: number): void {
  const { controller, stopTimer } = reliefOf(environment);
  controller.abort();
  stopTimer();
  const goOn = () => void reliefs.delete(environment);
  reliefs.set(environment, { controller, stopTimer: environment.after(milliseconds, goOn) });
}

/** Aborted from then on until that time is over. */
export function relieved(environment: Environment): AbortSignal {
  return reliefOf(environment).controller.signal;
}

function reliefOf(environment: Environment): Relief {
  const known = reliefs.get(environment) ?? { controller: new AbortController(), stopTimer: () => {} };
  reliefs.set(environment, known);
  return known;
}
