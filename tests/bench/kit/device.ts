import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../harness/chromium.ts';

/** The assumed CPU slowdown of a cheap tablet. */
const SLOWDOWN = 4;

/** A separate browser with its own storage. */
export interface Device {
  /** Opens a new page with a slowed CPU. `watch` is the selector of a list's rows, see `shownAt`. */
  openPage(watch: string, slowdown?: number): Promise<Tab>;
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export interface Tab {
  readonly page: Page;
  readonly cdp: CDPSession;
}

/** Starts a browser with an empty profile. `port` exposes it to external tools. */
export async function openDevice(port?: number): Promise<Device> {
  const profile = mkdtempSync(join(tmpdir(), 'voltdesk-bench-profile-'));
  const executablePath = findChromium();
  const context = await chromium.launchPersistentContext(profile, {
    args: [...chromiumArgs, ...(port ? [`--remote-debugging-port=${port}`] : [])],
    viewport: { width: 1280, height: 800 },
    ...(executablePath && { executablePath }),
  });
  return {
    context,
    async openPage(watch, slowdown = SLOWDOWN) {
      const page = await context.newPage();
      await page.addInitScript(watchFor, watch);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      return { page, cdp };
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Runs in the page. Sets the mark `shown` right after the first paint with five of the rows. */
function watchFor(selector: string): void {
  const look = () => {
    if (document.querySelectorAll(selector).length < 5) return void requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => performance.mark('shown'));
    port1.start();
    port2.postMessage(undefined);
  };
  requestAnimationFrame(look);
}

/** Milliseconds from the start of the navigation until the list's first rows were painted. */
export async function shownAt(page: Page): Promise<number> {
  const mark = await page.waitForFunction(() => performance.getEntriesByName('shown')[0]?.startTime, undefined, {
    timeout: 60_000,
  });
  return (await mark.jsonValue()) ?? Number.NaN;
}

/** Live heap after a garbage collection, in MB. */
export async function heapOf({ cdp }: Tab): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
