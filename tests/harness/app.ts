import { expect, type Page } from '@playwright/test';
import { type Field, isAttachment } from '../../src/domain/fields.ts';
import { fieldOf, type Resource, routesOf } from '../../src/domain/resource.ts';
import type { Filling } from './fillings.ts';
import { holdNotifications, keepMoments, takeTold } from './moments.ts';
import {
  COPIES,
  type CopyRow,
  DRAFTS,
  type DraftRow,
  ENTRIES,
  type EntryRow,
  type KeptForm,
  META,
  rowsOnDevice,
} from './on-device.ts';
import { onDisk, type SampleFile } from './sample-files.ts';
import { ADMINISTRATOR } from './server.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** For how long a deletion can be taken back before it is sent. Milliseconds. */
const TIME_TO_UNDO = 6000;

/** The app as a person uses it: everything is found by its role and name. */
export class App {
  readonly page: Page;
  readonly origin: string;
  /** Whether the page keeps what it shows for a moment only. */
  #keepsMoments = false;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
  }

  /** The app with an administrator signed in, whose worker is in charge. */
  static async signedIn(page: Page, { proxy }: { readonly proxy: { readonly origin: string } }): Promise<App> {
    const app = new App(page, proxy.origin);
    await app.signIn();
    await app.workerReady();
    return app;
  }

  async open(path: string): Promise<void> {
    if (!this.#keepsMoments) await keepMoments(this.page);
    this.#keepsMoments = true;
    await this.page.goto(this.origin + path);
  }

  async signIn(credentials: Credentials = ADMINISTRATOR): Promise<void> {
    await this.open('/login');
    await this.enter(credentials);
    await expect(this.page.getByRole('banner').first()).toBeVisible();
  }

  /** Fills in the sign-in that is open, and sends it. */
  async enter({ email, password }: Credentials = ADMINISTRATOR): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Waits until the worker is in charge, so that the app opens and sends without the page. */
  async workerReady(): Promise<void> {
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller !== null) return;
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    });
  }

  /**
   * Fills the fields named, in the form's order, so that a choice is made before the list that depends on it. Answers the
   * texts that the controls then hold.
   */
  async fill(fields: readonly Field[], filling: Filling): Promise<Record<string, string>> {
    const values: Record<string, string> = {};
    for (const field of fields) {
      const wanted = filling[field.name];
      if (wanted === undefined) continue;
      if (isAttachment(field)) await this.#attach(field, wanted as readonly SampleFile[]);
      else values[field.name] = await this.#fillValue(field, wanted as string | { option: number });
    }
    return values;
  }

  /** Adds photos to an open form of this kind. */
  async addPhotos(resource: Resource, files: readonly SampleFile[]): Promise<void> {
    const field = fieldOf(resource, 'images');
    if (field === undefined) throw new Error(`${resource.label.many} don’t take photos.`);
    await this.#attach(field, files);
  }

  /** The control under a field's label; a part of the form may carry the same name. */
  control(field: Field) {
    const named = this.page.getByRole('main').getByLabel(field.label, { exact: true });
    return named.and(this.page.locator('input, select, textarea'));
  }

  /** Presses the form's button: Add or Update. */
  submit(): Promise<void> {
    return this.page
      .getByRole('main')
      .getByRole('button', { name: /^(Add .+|Update|Submit)$/ })
      .click();
  }

  /** Creates a record from its create screen, and stays for what follows. */
  async create(resource: Resource, filling: Filling): Promise<Record<string, string>> {
    await this.open(routesOf(resource).create);
    const values = await this.fill(resource.fields, filling);
    await this.submit();
    return values;
  }

  /** Creates records while there is no server: past the hint that says what is wrong with one, to the list that it waits in. */
  async createUnsent(resource: Resource, ...fillings: readonly Filling[]): Promise<void> {
    const { create, list } = routesOf(resource);
    const anyway = this.page.getByRole('button', { name: 'Save anyway' });
    const another = this.page.getByRole('main').getByRole('link', { name: 'Create New' }).first();
    for (const [index, filling] of fillings.entries()) {
      if (index === 0) await this.open(create);
      // By its key: a toast may stand before it.
      else await another.press('Enter');
      await this.fill(resource.fields, filling);
      await this.submit();
      await anyway.or(another).waitFor();
      if (await anyway.isVisible()) await anyway.click();
      await this.page.waitForURL(this.origin + list);
    }
  }

  /** Sends what waits in the outbox, which is open. It may just have gone by itself, or have been refused. */
  sendNow(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Send now', disabled: false });
    const refused = this.page.getByRole('heading', { name: 'Needs your attention' });
    return button.or(this.page.getByText('All changes sent')).or(refused).first().click();
  }

  /** Tells the app that the link is back, as the browser does. */
  async linkReturns(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('online')));
  }

  /** Deletions are sent at once, until the page is loaded anew: as if the time to take one back were over when it begins. */
  async skipTimeToUndo(): Promise<void> {
    await this.page.evaluate((time) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - time;
    }, TIME_TO_UNDO);
  }

  /** The unfinished forms that are on the device, and would be there after it died. */
  async keptForms(): Promise<KeptForm[]> {
    const rows = await this.page.evaluate<DraftRow[], typeof DRAFTS>(rowsOnDevice, DRAFTS);
    return rows.map(({ values, fileKeys }) => ({ values, files: fileKeys.length }));
  }

  /** Waits until the device has its own copy of what the server said (`list/partners`): it is kept a moment after it is seen. */
  async keepsCopy(key: string): Promise<void> {
    await expect.poll(() => this.copiesOnDevice()).toContain(key);
  }

  /** What the device has a copy of: `list/partners`, `record/partners/2`. */
  async copiesOnDevice(): Promise<string[]> {
    const copies = await this.page.evaluate<CopyRow[], typeof COPIES>(rowsOnDevice, COPIES);
    return copies.map(({ key }) => key);
  }

  /** Opens a record, and waits until it would open without a server too: its row in the list is not enough for that. */
  async bringAlong(resource: Resource, id: number): Promise<void> {
    await this.open(routesOf(resource).edit(id));
    await this.keepsCopy(`record/${resource.name}/${id}`);
  }

  /** The list's row that has this text. */
  row(text: string) {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  /** Where the rows that have this text lead: while a create is in doubt, its row here and the server's are both there. */
  addressesOf(text: string): Promise<string[]> {
    const links = this.row(text).getByRole('link', { name: /^Edit/ });
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  }

  /** A notification: a status, or an alert where something failed. A form's summary may say the same for longer. */
  toast(text: string | RegExp) {
    const told = this.page.getByRole('status').or(this.page.getByRole('alert')).filter({ hasText: text });
    return told.and(this.page.locator(':not(.form-summary)'));
  }

  /**
   * Waits until the app has told this in a notification that was not asked for before, also if it is gone again. Throws with what was
   * told instead, and what the outbox holds.
   */
  async tells(words: string): Promise<void> {
    const { page } = this;
    try {
      await page.waitForFunction(takeTold, words, { polling: 100, timeout: 20_000 });
    } catch (cause) {
      const facts = {
        told: await page.evaluate(() => window.moments.told),
        at: page.url(),
        entries: await page.evaluate(rowsOnDevice<EntryRow>, ENTRIES),
        meta: await page.evaluate(rowsOnDevice<object>, META),
      };
      throw new Error(`"${words}" was not told. ${JSON.stringify(facts)}`, { cause });
    }
  }

  /** Notifications stand from now on, as under a pointer, until the page is loaded anew. */
  holdNotifications(): Promise<void> {
    return this.page.evaluate(holdNotifications);
  }

  /** The titles of the rows that showed themselves as just saved since the page was loaded. */
  arrivals(): Promise<string[]> {
    return this.page.evaluate(() => window.moments.arrived);
  }

  /** Answers the question that stands with the button of that name. */
  answer(name: string): Promise<void> {
    return this.page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
  }

  /** Picks files and waits until the form shows them: it reads them first. */
  async #attach(field: Field, files: readonly SampleFile[]): Promise<void> {
    await this.control(field).setInputFiles(files.map(onDisk));
    for (const { name } of files) {
      await expect(this.page.getByRole('button', { name: `Remove ${name}`, exact: true })).toBeVisible();
    }
  }

  async #fillValue(field: Field, wanted: string | { option: number }): Promise<string> {
    const control = this.control(field);
    if (typeof wanted !== 'string') {
      await expect(control.getByRole('option').nth(wanted.option)).toBeAttached();
      await control.selectOption({ index: wanted.option });
    } else if (field.kind === 'choice' || field.kind === 'lookup') await control.selectOption(wanted);
    else await control.fill(wanted);
    return control.inputValue();
  }
}
