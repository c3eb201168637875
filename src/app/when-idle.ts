/** The longest that work for later waits, in milliseconds. */
const AT_LATEST = 1500;

/** Runs `work` once the page has painted and rests. Returns how to call it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: AT_LATEST });
  return () => cancelIdleCallback(idle);
}
