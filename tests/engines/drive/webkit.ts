import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../harness/ports.ts';
import { leave } from './leave.ts';
import { ProcessGroup } from './process-group.ts';
import { type Browser, type Control, type PageScript, SCRIPT_LIMIT, type Tab } from './tab.ts';
import { WebDriver } from './web-driver.ts';

const LAUNCHER = new URL('webkit-launcher.py', import.meta.url).pathname;
/** WebDriver's key codes. A modifier stays pressed until the end of a command. */
const SELECT_ALL = '\uE009a';
const BACKSPACE = '\uE003';

/** Starts WebKitGTK on a profile, on this display. `firstScript` runs in every page before the page's own scripts. */
export async function startWebKit(profile: string, firstScript: string, display: string): Promise<Browser> {
  const scriptFile = join(profile, 'first-script.js');
  writeFileSync(scriptFile, firstScript);
  const port = await freePort();
  const processes = ProcessGroup.start('WebKitWebDriver', [`--port=${port}`], {
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    LIBGL_ALWAYS_SOFTWARE: '1',
    NO_AT_BRIDGE: '1',
    ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
  });
  const driver = new WebDriver(port);
  while (!(await driver.isReady())) {
    if (processes.hasEnded) throw new Error(`WebKitWebDriver did not start:\n${processes.log}`);
    await sleep(20);
  }
  // The page-load strategies `eager` and `normal` make every command wait for the load's time-out.
  await driver.open({
    pageLoadStrategy: 'none',
    timeouts: { script: SCRIPT_LIMIT },
    'webkitgtk:browserOptions': { binary: LAUNCHER, args: [profile, scriptFile] },
  });
  return new WebKitBrowser(processes, driver);
}

/** The session's first window stays empty and open, so that every tab of the app can be closed. */
class WebKitBrowser implements Browser {
  readonly #processes: ProcessGroup;
  readonly #driver: WebDriver;

  constructor(processes: ProcessGroup, driver: WebDriver) {
    this.#processes = processes;
    this.#driver = driver;
  }

  async newTab(): Promise<Tab> {
    return new WebKitTab(this.#driver, await this.#driver.newWindow());
  }

  memory(): number {
    return this.#processes.memory();
  }

  kill(): Promise<void> {
    return this.#processes.kill();
  }
}

class WebKitTab implements Tab {
  readonly #driver: WebDriver;
  readonly #window: string;

  constructor(driver: WebDriver, window: string) {
    this.#driver = driver;
    this.#window = window;
  }

  async goto(address: string): Promise<void> {
    await leave(this, () => this.#driver.to(this.#window, '/url', { url: address }));
  }

  async back(): Promise<void> {
    await leave(this, () => this.#driver.to(this.#window, '/back'));
  }

  run<A extends readonly unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T> {
    return this.#driver.run(this.#window, script.toString(), args) as Promise<T>;
  }

  async find<A extends readonly unknown[]>(script: PageScript<A, Element | null>, ...args: A) {
    const id = WebDriver.elementOf(await this.#driver.run(this.#window, script.toString(), args));
    return id === undefined ? undefined : new WebKitControl(this.#driver, this.#window, id);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#driver.to(this.#window, '/window/rect', { width, height });
  }

  close(): Promise<void> {
    return this.#driver.closeWindow(this.#window);
  }
}

class WebKitControl implements Control {
  readonly #driver: WebDriver;
  readonly #window: string;
  readonly #path: string;

  constructor(driver: WebDriver, window: string, id: string) {
    this.#driver = driver;
    this.#window = window;
    this.#path = `/element/${id}`;
  }

  async click(): Promise<void> {
    await this.#driver.to(this.#window, `${this.#path}/click`);
  }

  /** Uses the keyboard: WebDriver's command to clear a field sends the page no events. */
  async type(text: string): Promise<void> {
    for (const keys of [SELECT_ALL, BACKSPACE, text]) await this.#keys(keys);
  }

  async attach(paths: readonly string[]): Promise<void> {
    await this.#keys(paths.join('\n'));
  }

  async #keys(text: string): Promise<void> {
    await this.#driver.to(this.#window, `${this.#path}/value`, { text });
  }
}
