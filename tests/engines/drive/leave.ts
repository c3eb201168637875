import { setTimeout as sleep } from 'node:timers/promises';
import type { Tab } from './tab.ts';

/** How long a new tab may stay blank before its first address is asked for again. Milliseconds. */
const BLANK = 15_000;

/**
 * Leaves a tab's document for another one. Drivers report loaded documents, but not those restored from the back/forward
 * cache. The old document is therefore marked and must disappear. Throws if it is still there after a minute.
 */
export async function leave(tab: Tab, navigate: () => Promise<unknown>): Promise<void> {
  await tab.run(() => {
    Object.assign(document, { isLeft: true });
    // A document that is still loading gets a `pageshow` too, before it is left.
    addEventListener('pageshow', ({ persisted }) => persisted && Object.assign(document, { isLeft: false }));
  });
  await navigate();
  const began = Date.now();
  let isAskedAgain = false;
  const isThere = () => (document as { isLeft?: boolean }).isLeft !== true && document.readyState !== 'loading';
  const isBlank = () => location.href === 'about:blank';
  const whereabouts = () => `${location.href}, ${document.readyState}`;
  // No document is available during the navigation.
  while (!(await tab.run(isThere).catch(() => false))) {
    const waited = Date.now() - began;
    if (waited > 60_000) {
      throw new Error(`The page was not left within a minute. It is ${await tab.run(whereabouts).catch(String)}.`);
    }
    // On a busy machine WebKitGTK has dropped the first document of a new tab, which the server had answered with.
    if (!isAskedAgain && waited > BLANK && (await tab.run(isBlank).catch(() => false))) {
      isAskedAgain = true;
      await navigate();
    }
    await sleep(20);
  }
}
