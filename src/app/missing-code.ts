/** How often the app's own server is asked whether it is there, in milliseconds. */
const ASK_EVERY = 5_000;
/** Where loading anew brought nothing, it is not done again before. Milliseconds. */
const RELOAD_EVERY = 60_000;
const RELOADED_AT = 'reloaded-at';

/**
 * Loads the page anew as soon as its server can be reached. Browsers do not ask again for a module that failed once, and one that
 * was on its way when its page was left fails: a page that comes back from their cache stands without it. Returns how to stop.
 */
export function reloadWhenReachable(): () => void {
  let stopped = false;
  const ask = async () => {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_EVERY) return;
    const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store', headers: { accept: 'text/html' } });
    if (stopped || !answer.ok) return;
    // Noted first: a tab that can keep nothing would load itself anew for ever, and this throws there.
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
