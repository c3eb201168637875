import { useEffect } from 'react';

/** After so long without a touch or a key nobody is in the middle of something. Milliseconds. */
const IDLE = 5 * 60_000;
/** Out of sight, sooner. Milliseconds. */
const HIDDEN = 60_000;

const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'visibilitychange'] as const;

/** Takes a new version over once nobody uses the page; `ready` is false as long as there is none, or something is not saved. */
export function useIdleUpdate(ready: boolean, update: () => void): void {
  useEffect(() => {
    if (!ready) return undefined;
    let timer = 0;
    const begin = () => {
      clearTimeout(timer);
      timer = window.setTimeout(update, document.visibilityState === 'hidden' ? HIDDEN : IDLE);
    };
    begin();
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, begin, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, begin);
    };
  }, [ready, update]);
}
