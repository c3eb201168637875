import { useEffect } from 'react';

/** Time without input after which a visible page counts as idle. Milliseconds. */
const IDLE = 5 * 60_000;
/** The same for a hidden page. Milliseconds. */
const HIDDEN = 60_000;

const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'visibilitychange'] as const;

/**
 * Runs `update` once the page is idle. `ready` is false while there is no new version or something is unsaved. An open dialog
 * is in use however long nobody touches it: it may show codes that are never shown again, while another app is opened.
 */
export function useIdleUpdate(ready: boolean, update: () => void): void {
  useEffect(() => {
    if (!ready) return undefined;
    let timer = 0;
    const begin = () => {
      clearTimeout(timer);
      timer = window.setTimeout(end, document.visibilityState === 'hidden' ? HIDDEN : IDLE);
    };
    const end = () => (document.querySelector('[aria-modal="true"]') === null ? update() : begin());
    begin();
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, begin, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, begin);
    };
  }, [ready, update]);
}
