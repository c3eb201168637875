import { setTimeout as sleep } from 'node:timers/promises';
import type { Tab } from './tab.ts';

/**
 * Leaves a tab's document for another one. Drivers report loaded documents, but not those restored from the back/forward
 * cache. The old document is therefore marked and must disappear. Throws if it is still there after a minute.
 */
export async function leave(tab: Tab, navigate: () => Promise<unknown>): Promise<void> {
  await tab.run(() => {
    Object.assign(document, { isLeft: true });
    addEventListener('pageshow', () => Object.assign(document, { isLeft: false }), { once: true });
  });
  await navigate();
  const end = Date.now() + 60_000;
  const isThere = () => (document as { isLeft?: boolean }).isLeft !== true && document.readyState !== 'loading';
  // No document is available during the navigation.
  while (!(await tab.run(isThere).catch(() => false))) {
    if (Date.now() > end) throw new Error('The page was not left within a minute.');
    await sleep(20);
  }
}
