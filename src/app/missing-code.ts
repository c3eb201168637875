import { onRestored } from '../stores/restored.ts';
import { isBeingLeft } from '../ui/late.tsx';

/** How often the app checks whether its server is reachable. Milliseconds. */
const ASK_EVERY = 5_000;
/** Minimum time between two reloads. Milliseconds. */
const RELOAD_EVERY = 60_000;
const RELOADED_AT = 'reloaded-at';
/** How long a page restored from the back/forward cache may take to show the screen of its address. Milliseconds. */
const RESTORED_WITHIN = 5_000;

/**
 * Reloads the page as soon as its server is reachable. Browsers never retry a failed module, and a module in flight fails when its
 * page is left, so a page restored from the back/forward cache lacks it. Firefox fails it while the page still lives: a
 * reload then would cancel the navigation. Returns a function that stops.
 */
export function reloadWhenReachable(): () => void {
  let stopped = false;
  const ask = async () => {
    if (isBeingLeft()) return;
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_EVERY) return;
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } });
    if (stopped || !answer.ok || isBeingLeft()) return;
    // Stored first: in a tab without storage this throws, where the page would otherwise reload forever.
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
  };
  const askQuietly = () => void ask().catch(() => {});
  askQuietly();
  const timer = setInterval(askQuietly, ASK_EVERY);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

/**
 * Reloads a page that is restored from the back/forward cache and still waits for a screen 5 s later. WebKit may suspend what
 * was on its way for good: neither loaded nor failed. Returns a function that stops; call it when the screen is shown.
 */
export function reloadIfRestoredWithout(isShown: () => boolean): () => void {
  let stop = () => {};
  const unsubscribe = onRestored(() => {
    stop();
    if (isShown()) return;
    const timer = setTimeout(() => (stop = reloadWhenReachable()), RESTORED_WITHIN);
    stop = () => clearTimeout(timer);
  });
  return () => {
    unsubscribe();
    stop();
  };
}
