export interface Countdown {
  pause(): void;
  resume(): void;
  stop(): void;
}

/** Runs `end` once after the given time, not counting pauses. */
export function startCountdown(milliseconds: number, end: () => void): Countdown {
  let left = milliseconds;
  let startedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }
  function resume(): void {
    if (timer !== undefined) return;
    startedAt = Date.now();
    timer = setTimeout(end, left);
  }
  function pause(): void {
    if (timer === undefined) return;
    stop();
    left -= Date.now() - startedAt;
  }

  resume();
  return { pause, resume, stop };
}
