import { type Browser, type BrowserContext, test as base } from '@playwright/test';
import { App } from '../harness/app.ts';
import { unhurried } from '../harness/unhurried.ts';
import { type House, HOUSES } from './houses.ts';

export type Place = keyof typeof HOUSES;

/** An environment with a signed-in administrator. */
export interface Lodging {
  readonly house: House;
  readonly app: App;
}

/** The environments opened by a worker. Its tests share them, because resources do not affect each other. */
class Lodgings {
  readonly #browser: Browser;
  readonly #open = new Map<Place, Promise<Lodging>>();
  readonly #contexts: BrowserContext[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  at(place: Place): Promise<Lodging> {
    const lodging = this.#open.get(place) ?? this.#moveIn(place);
    this.#open.set(place, lodging);
    return lodging;
  }

  async leave(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    for (const lodging of this.#open.values()) await (await lodging).house.close();
  }

  async #moveIn(place: Place): Promise<Lodging> {
    const house = await HOUSES[place]();
    const context = await this.#browser.newContext();
    this.#contexts.push(context);
    await unhurried(context);
    const app = new App(await context.newPage(), house.proxy.origin);
    await app.signIn(house.administrator);
    return { house, app };
  }
}

/** Playwright's test, with environments shared by all tests of a worker. */
export const test = base.extend<object, { readonly lodgings: Lodgings }>({
  lodgings: [
    async ({ browser }, provide) => {
      const lodgings = new Lodgings(browser);
      await provide(lodgings);
      await lodgings.leave();
    },
    { scope: 'worker' },
  ],
});
