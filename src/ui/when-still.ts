import { whenIdle } from './when-idle.ts';

/** So long the page has to have stood still, in milliseconds: a finger that flicks on leaves less time between. */
const STILL = 500;

let scrolledAt = Number.NEGATIVE_INFINITY;
globalThis.addEventListener?.('scroll', () => (scrolledAt = performance.now()), { passive: true });

/**
 * Runs `work` once nothing else is to do and the page is not being scrolled: a browser calls the time between two frames idle, and
 * what takes longer makes the next one late. Returns how to call it off.
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
