import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from './chromium.ts';
import { unhurried } from './unhurried.ts';

/** Chromium repeats a failed background sync after 5 minutes. These arguments make it 2 seconds. */
export const QUICK_SYNC = [
  '--force-fieldtrials=BackgroundSync/Test/',
  '--force-fieldtrial-params=BackgroundSync.Test:initial_retry_delay_sec/2/retry_delay_factor/1/' +
    'max_sync_attempts/100/min_recovery_time_sec/2',
];

/** Keeps background tabs at full speed, as Playwright's own browsers do. */
const AWAKE = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/**
 * A Chromium with a profile on disk, like a person's. It can be killed with everything unsaved and restarted on what it had
 * stored. Playwright's own browsers start with an empty profile each time.
 */
export class KillableBrowser {
  readonly #profile = mkdtempSync(join(tmpdir(), 'voltdesk-profile-'));
  readonly #headless: boolean;
  #process: ChildProcess | undefined;
  #browser: Browser | undefined;

  private constructor(headless: boolean) {
    this.#headless = headless;
  }

  static async start(headless: boolean): Promise<KillableBrowser> {
    const browser = new KillableBrowser(headless);
    await browser.start();
    return browser;
  }

  /** The profile's only context. */
  get context(): BrowserContext {
    const context = this.#browser?.contexts()[0];
    if (context === undefined) throw new Error('The browser is not running.');
    return context;
  }

  async start(): Promise<void> {
    const args = [
      ...chromiumArgs,
      ...QUICK_SYNC,
      ...AWAKE,
      ...(this.#headless ? ['--headless=new'] : []),
      '--window-size=1280,800',
      '--remote-debugging-port=0',
    ];
    const child = spawn(findChromium() ?? 'chromium', [...args, `--user-data-dir=${this.#profile}`, 'about:blank'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      // A process group of its own, so that its helper processes end with it.
      detached: true,
    });
    this.#process = child;
    this.#browser = await chromium.connectOverCDP(await debuggerAddress(child));
    await unhurried(this.context);
  }

  newPage(): Promise<Page> {
    return this.context.newPage();
  }

  /** Kills it with all its processes, as a tablet that loses power does. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.pid === undefined) return;
    if (child.exitCode === null) {
      const exited = once(child, 'exit');
      process.kill(-child.pid, 'SIGKILL');
      await exited;
    }
    await this.#browser?.close().catch(() => undefined);
    this.#browser = undefined;
  }

  /** Closes it as a person does, with everything written to disk, and starts it again. */
  async restart(): Promise<void> {
    const child = this.#process;
    if (child !== undefined && this.#browser !== undefined) {
      const exited = once(child, 'exit');
      const session = await this.#browser.newBrowserCDPSession();
      await session.send('Browser.close');
      await exited;
    }
    await this.kill();
    await this.start();
  }

  /** Kills it and removes its profile. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function debuggerAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`The browser did not start:\n${text}`)));
  });
}
