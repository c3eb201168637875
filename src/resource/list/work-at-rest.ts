/** So long the page has to have stood still, in milliseconds: a finger that flicks on leaves less time between. */
const STILL = 500;

/**
 * Does one piece of work after the other while nothing else is to do and the page is not being scrolled: a browser finds the time
 * between two frames idle, and a piece takes several. Returns how to call off the rest.
 */
export function workAtRest(pieces: readonly (() => void)[]): () => void {
  let done = 0;
  let idle = 0;
  let timer = 0;
  const next = () => {
    pieces[done]?.();
    done += 1;
    if (done < pieces.length) wait();
    else stop();
  };
  const wait = () => {
    idle = requestIdleCallback(next);
  };
  const rest = () => {
    cancelIdleCallback(idle);
    clearTimeout(timer);
  };
  const hold = () => {
    rest();
    timer = window.setTimeout(wait, STILL);
  };
  const stop = () => {
    rest();
    window.removeEventListener('scroll', hold);
  };
  window.addEventListener('scroll', hold, { passive: true });
  wait();
  return stop;
}
