/** The longest that work for later waits, in milliseconds. */
const AT_LATEST = 1500;

/** Runs `work` once the page has painted and has nothing else to do. Returns how to call it off. */
export function whenIdle(work: () => void, options: IdleRequestOptions = { timeout: AT_LATEST }): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, options);
  return () => cancelIdleCallback(idle);
}
