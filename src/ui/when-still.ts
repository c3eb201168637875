import { whenIdle } from './when-idle.ts';

/** Required time without scrolling. Milliseconds. Longer than the pause between two flicks of a finger. */
const STILL = 500;

let scrolledAt = Number.NEGATIVE_INFINITY;
globalThis.addEventListener?.('scroll', () => (scrolledAt = performance.now()), { passive: true });

/**
 * Runs `work` when the page is idle and not scrolling. Browsers count the time between two frames as idle, and longer work there
 * would delay the next frame. Returns a function that cancels it.
 */
export function whenStill(work: () => void, options?: IdleRequestOptions): () => void {
  let callOff = () => {};
  const wait = () => {
    callOff = whenIdle(look, options);
  };
  const look = () => {
    const left = scrolledAt + STILL - performance.now();
    if (left <= 0) return void work();
    const timer = setTimeout(wait, left);
    callOff = () => clearTimeout(timer);
  };
  wait();
  return () => callOff();
}
