/** Maximum delay of idle work. Milliseconds. */
const AT_LATEST = 1500;

/** Runs `work` when the page has painted and is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void, options: IdleRequestOptions = { timeout: AT_LATEST }): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, 200);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, options);
  return () => cancelIdleCallback(idle);
}
