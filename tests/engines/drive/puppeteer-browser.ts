import { connect, type ElementHandle, type Browser as Puppet, type Page } from 'puppeteer-core';
import { leave } from './leave.ts';
import type { ProcessGroup } from './process-group.ts';
import { type Browser, type Control, type PageScript, SCRIPT_LIMIT, type Tab } from './tab.ts';

interface Connection {
  readonly address: string;
  readonly protocol: 'cdp' | 'webDriverBiDi';
}

/** Chromium over its own protocol, Firefox over WebDriver BiDi. */
export class PuppeteerBrowser implements Browser {
  readonly #processes: ProcessGroup;
  readonly #puppet: Puppet;
  readonly #firstScript: string;
  /** The tab that receives keyboard and pointer. Background tabs receive no keys. */
  #front: PuppeteerTab | undefined;

  private constructor(processes: ProcessGroup, puppet: Puppet, firstScript: string) {
    this.#processes = processes;
    this.#puppet = puppet;
    this.#firstScript = firstScript;
  }

  /** Connects to a started browser. `firstScript` runs in every page before the page's own scripts. */
  static async connect(processes: ProcessGroup, { address, protocol }: Connection, firstScript: string) {
    const puppet = await connect({
      browserWSEndpoint: address,
      protocol,
      defaultViewport: null,
      protocolTimeout: SCRIPT_LIMIT,
    });
    return new PuppeteerBrowser(processes, puppet, firstScript);
  }

  async newTab(): Promise<Tab> {
    const page = await this.#puppet.newPage();
    await page.evaluateOnNewDocument(this.#firstScript);
    await page.setViewport({ width: 1280, height: 800 });
    const tab = new PuppeteerTab(page, () => this.#bringToFront(tab));
    this.#front = tab;
    return tab;
  }

  memory(): number {
    return this.#processes.memory();
  }

  async kill(): Promise<void> {
    await this.#processes.kill();
    await this.#puppet.disconnect().catch(() => undefined);
  }

  async #bringToFront(tab: PuppeteerTab): Promise<void> {
    if (this.#front === tab) return;
    this.#front = tab;
    await tab.page.bringToFront();
  }
}

/** A script in Puppeteer's type. The caller knows the types of its arguments and its result. */
type AnyScript<T> = (...args: unknown[]) => T;

class PuppeteerTab implements Tab {
  readonly page: Page;
  readonly #bringToFront: () => Promise<void>;

  constructor(page: Page, bringToFront: () => Promise<void>) {
    this.page = page;
    this.#bringToFront = bringToFront;
  }

  async goto(address: string): Promise<void> {
    // In Firefox, Puppeteer misses a navigation that leaves a page from the back/forward cache. Check the document itself.
    await leave(this, async () => {
      void this.page.goto(address, { waitUntil: 'domcontentloaded' }).catch(() => undefined);
    });
  }

  async back(): Promise<void> {
    // The answer may be lost with the document that is left, which `leave` checks.
    await leave(this, () => this.run(() => history.back()).catch(() => undefined));
  }

  run<A extends readonly unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T> {
    return this.page.evaluate(script as unknown as AnyScript<T>, ...args) as Promise<T>;
  }

  async find<A extends readonly unknown[]>(script: PageScript<A, Element | null>, ...args: A) {
    const found = await this.page.evaluateHandle(script as unknown as AnyScript<Element | null>, ...args);
    const element = found.asElement() as ElementHandle<Element> | null;
    return element === null ? undefined : new PuppeteerControl(element, this.page, this.#bringToFront);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.page.setViewport({ width, height });
  }

  async close(): Promise<void> {
    await this.page.close({ runBeforeUnload: false });
  }
}

class PuppeteerControl implements Control {
  readonly #element: ElementHandle<Element>;
  readonly #page: Page;
  readonly #bringToFront: () => Promise<void>;

  constructor(element: ElementHandle<Element>, page: Page, bringToFront: () => Promise<void>) {
    this.#element = element;
    this.#page = page;
    this.#bringToFront = bringToFront;
  }

  async click(): Promise<void> {
    await this.#bringToFront();
    await this.#element.click();
  }

  async type(text: string): Promise<void> {
    await this.#bringToFront();
    const { keyboard } = this.#page;
    await this.#element.focus();
    await keyboard.down('Control');
    await keyboard.press('a');
    await keyboard.up('Control');
    await keyboard.press('Backspace');
    await keyboard.type(text);
  }

  async attach(paths: readonly string[]): Promise<void> {
    await (this.#element as ElementHandle<HTMLInputElement>).uploadFile(...paths);
  }
}
