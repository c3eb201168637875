/** How often the app checks whether its server is reachable. Milliseconds. */
const ASK_EVERY = 5_000;
/** Minimum time between two reloads. Milliseconds. */
const RELOAD_EVERY = 60_000;
const RELOADED_AT = 'reloaded-at';

/**
 * Reloads the page as soon as its server is reachable. Browsers never retry a failed module, and a module in flight fails when its
 * page is left, so a page restored from the back/forward cache lacks it. Returns a function that stops.
 */
export function reloadWhenReachable(): () => void {
  let stopped = false;
  const ask = async () => {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_EVERY) return;
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } });
    if (stopped || !answer.ok) return;
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
