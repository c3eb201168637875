import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from './app.ts';
import { startChromium } from './drive/chromium.ts';
import { startFirefox } from './drive/firefox.ts';
import type { Browser, EngineName } from './drive/tab.ts';
import { startWebKit } from './drive/webkit.ts';
import { WITNESS } from './witness.ts';

/** Starts each engine on a profile. WebKit needs a display. */
const START: Readonly<Record<EngineName, (profile: string, display: string) => Promise<Browser>>> = {
  chromium: (profile) => startChromium(profile, WITNESS),
  firefox: (profile) => startFirefox(profile, WITNESS),
  webkit: (profile, display) => startWebKit(profile, WITNESS, display),
};

/** A person's tablet: a browser with a profile that survives it. */
export class Device {
  readonly engine: EngineName;
  readonly #display: string;
  readonly #profile = mkdtempSync(join(tmpdir(), 'voltdesk-engine-'));
  readonly #apps: App[] = [];
  #browser: Browser | undefined;

  constructor(engine: EngineName, display: string) {
    this.engine = engine;
    this.#display = display;
  }

  /** Opens a tab for the app at this origin. Starts the browser if it is not running. */
  async newTab(origin: string): Promise<App> {
    this.#browser ??= await START[this.engine](this.#profile, this.#display);
    const app = new App(await this.#browser.newTab(), origin);
    this.#apps.push(app);
    return app;
  }

  /** The memory currently used by the browser. Bytes. */
  memory(): number {
    return this.#browser?.memory() ?? 0;
  }

  /** The contents and errors of every open tab, for a walk that failed. */
  async report(): Promise<string> {
    const lookAt = () => [location.href, document.body.innerText, ...window.complaints].join('\n');
    const looks = this.#apps.map(({ tab }) =>
      tab.run(lookAt).catch((failure: unknown) => `No look: ${String(failure)}`),
    );
    return (await Promise.all(looks)).join('\n──\n');
  }

  /** kill -9. The next tab restarts the browser on its stored data. */
  async kill(): Promise<void> {
    const browser = this.#browser;
    this.#browser = undefined;
    this.#apps.length = 0;
    await browser?.kill();
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
