import { chromiumArgs, findChromium } from '../../harness/chromium.ts';
import { QUICK_SYNC } from '../../harness/browser.ts';
import { ProcessGroup } from './process-group.ts';
import { PuppeteerBrowser } from './puppeteer-browser.ts';
import type { Browser } from './tab.ts';

/** Starts Chromium on a profile. `firstScript` runs in every page before the page's own scripts. */
export async function startChromium(profile: string, firstScript: string): Promise<Browser> {
  const processes = ProcessGroup.start(findChromium() ?? 'chromium', [
    ...chromiumArgs,
    ...QUICK_SYNC,
    '--headless=new',
    '--window-size=1280,900',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    'about:blank',
  ]);
  const address = await processes.says(/DevTools listening on (ws:\S+)/);
  return PuppeteerBrowser.connect(processes, { address, protocol: 'cdp' }, firstScript);
}
