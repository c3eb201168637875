/**
 * A clock for durations, in milliseconds since an unknown moment: it never goes back, so that setting the time of day back prolongs
 * no wait. Runs after a test's clock, if given, while that goes forward.
 */
export function steadyClock(now: (() => number) | undefined): () => number {
  if (now === undefined) return () => performance.now();
  let last = now();
  let steady = last;
  return () => {
    const at = now();
    steady += Math.max(0, at - last);
    last = at;
    return steady;
  };
}

/**
 * The time of day for times that are compared with each other and outlast the process, in epoch milliseconds: as at the start, and from
 * then on never set.
 */
export function steadyTime(now: (() => number) | undefined): () => number {
  const steady = steadyClock(now);
  const ahead = now === undefined ? Date.now() - steady() : 0;
  return () => steady() + ahead;
}
