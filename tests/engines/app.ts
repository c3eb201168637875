import { type Resource, routesOf } from '../../src/domain/resource.ts';
import { isAttachment, wireName } from '../../src/domain/fields.ts';
import type { Filling } from '../harness/fillings.ts';
import {
  COPIES,
  type CopyRow,
  DRAFTS,
  type DraftRow,
  ENTRIES,
  type EntryRow,
  rowsOnDevice,
} from '../harness/on-device.ts';
import { onDisk, type SampleFile } from '../harness/sample-files.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import type { Tab } from './drive/tab.ts';
import {
  chooseOption,
  controlOf,
  countInSight,
  hasWorkerInCharge,
  type Sought,
  valueOf,
  whatCanBePressed,
} from './page-scripts.ts';
import { until } from './until.ts';

/** The app in one tab of any engine, as a person uses it. */
export class App {
  readonly tab: Tab;
  readonly #origin: string;

  constructor(tab: Tab, origin: string) {
    this.tab = tab;
    this.#origin = origin;
  }

  /** Opens an address as if it were typed, and waits for its screen. */
  async open(path: string): Promise<void> {
    await this.tab.goto(this.#origin + path);
    await this.see('h1');
  }

  async signIn(): Promise<void> {
    await this.open('/login');
    await this.enter();
    await this.workerTakesCharge();
  }

  /** Signs in on the open sign-in screen. */
  async enter(): Promise<void> {
    await this.type('email', ADMINISTRATOR.email);
    await this.type('password', ADMINISTRATOR.password);
    await this.press('button', /^Sign in$/);
    await this.see('header');
  }

  /**
   * Waits until a service worker controls the page. In WebKit, leaving the first page earlier can disable the worker
   * (docs/browsers.md).
   */
  async workerTakesCharge(): Promise<void> {
    await until('a worker in charge', () => this.tab.run(hasWorkerInCharge));
  }

  /** Waits until a match is visible. */
  async see(css: string, text = /(?:)/): Promise<void> {
    const sought: Sought = { css, text: text.source };
    await until(`${css} ${text} in sight`, async () => (await this.tab.run(countInSight, sought)) > 0);
  }

  /** The number of currently visible matches. */
  count(css: string, text = /(?:)/): Promise<number> {
    return this.tab.run(countInSight, { css, text: text.source });
  }

  /** Clicks a match as soon as a person could. */
  async press(css: string, text = /(?:)/): Promise<void> {
    const sought: Sought = { css, text: text.source };
    await until(`${css} ${text} to be pressed`, async () => {
      const control = await this.tab.find(whatCanBePressed, sought);
      await control?.click();
      return control !== undefined;
    });
  }

  /** Types into the field with this name. */
  async type(name: string, text: string): Promise<void> {
    const control = await until(`the field ${name}`, () => this.tab.find(controlOf, name));
    await control.type(text);
    await until(`“${text}” in ${name}`, async () => (await this.valueOf(name)) === text);
  }

  async valueOf(name: string): Promise<string | undefined> {
    return (await this.tab.run(valueOf, name)) ?? undefined;
  }

  /** Picks files and waits until the form shows them: it reads them first. */
  async attach(name: string, files: readonly SampleFile[]): Promise<void> {
    const control = await until(`the field ${name}`, () => this.tab.find(controlOf, name));
    await control.attach(files.map(onDisk));
    for (const file of files) await this.see('button', new RegExp(`^Remove ${file.name.replaceAll('.', '\\.')}$`));
  }

  /** Picks files in a control outside a form. */
  async pick(css: string, files: readonly SampleFile[]): Promise<void> {
    const first = (wanted: string) => document.querySelector(wanted);
    const control = await until(css, () => this.tab.find(first, css));
    await control.attach(files.map(onDisk));
  }

  /** Fills the named fields in the form's order. */
  async fill(resource: Resource, filling: Filling): Promise<void> {
    for (const field of resource.fields) {
      const wanted = filling[field.name];
      if (wanted === undefined) continue;
      if (isAttachment(field)) await this.attach(wireName(field), wanted as readonly SampleFile[]);
      else if (typeof wanted === 'string') await this.type(field.name, wanted);
      else await this.#choose(field.name, (wanted as { option: number }).option);
    }
  }

  /** Presses the form's button: Add or Update. */
  submit(): Promise<void> {
    return this.press('main button', /^(Add .+|Update|Submit)$/);
  }

  /** Creates a record from its create screen and waits for the list that follows. */
  async create(resource: Resource, filling: Filling): Promise<void> {
    await this.open(routesOf(resource).create);
    await this.fill(resource, filling);
    await this.submit();
    await this.isAt(routesOf(resource).list);
  }

  async isAt(path: string): Promise<void> {
    await until(`the address ${path}`, async () => (await this.path()) === path);
  }

  path(): Promise<string> {
    return this.tab.run(() => location.pathname);
  }

  /** Tells the app that the link is back, as the browser does. */
  linkReturns(): Promise<void> {
    return this.tab.run(() => void dispatchEvent(new Event('online')));
  }

  /** The contents of the console since the page was loaded. */
  complaints(): Promise<string[]> {
    return this.tab.run(() => window.complaints);
  }

  /** True if the worker has precached the whole app, so that it opens offline. */
  async isKept(): Promise<boolean> {
    return this.tab.run(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated');
  }

  /** Waits until the device has cached a server value (`list/partners`), which happens shortly after it is shown. */
  async keepsCopy(key: string): Promise<void> {
    const copies = () => this.tab.run(rowsOnDevice<CopyRow>, COPIES);
    await until(`a copy of ${key}`, async () => (await copies()).some((copy) => copy.key === key));
  }

  /** The unconfirmed changes on the device. */
  async waiting(): Promise<EntryRow[]> {
    const entries = await this.tab.run(rowsOnDevice<EntryRow>, ENTRIES);
    return entries.filter(({ state }) => state !== 'done');
  }

  /** The unsaved drafts that are durable on the device. */
  drafts(): Promise<DraftRow[]> {
    return this.tab.run(rowsOnDevice<DraftRow>, DRAFTS);
  }

  async #choose(name: string, index: number): Promise<void> {
    await until(`option ${index} of ${name}`, () => this.tab.run(chooseOption, name, index));
  }
}
