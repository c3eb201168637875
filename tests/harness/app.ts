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

/** How long a deletion can be undone before it is sent. Milliseconds. */
const TIME_TO_UNDO = 6000;

/** The app as a person uses it: finds everything by role and name. */
export class App {
  readonly page: Page;
  readonly origin: string;
  /** True if the page records what it shows only briefly. */
  #keepsMoments = false;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
  }

  /** Opens the app with a signed-in administrator and a service worker that controls the page. */
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

  /** Opens the app and signs in, if the browser does not hold a session already. */
  async signIn(credentials: Credentials = ADMINISTRATOR): Promise<void> {
    await this.open('/login');
    const app = this.page.getByRole('banner').first();
    const form = this.page.getByRole('button', { name: 'Sign in' });
    await app.or(form).waitFor();
    if (await form.isVisible()) await this.enter(credentials);
    await expect(app).toBeVisible();
  }

  /** Fills in the open sign-in form and sends it. */
  async enter({ email, password }: Credentials = ADMINISTRATOR): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Waits until the service worker controls the page, so that the app can open and send without the page. */
  async workerReady(): Promise<void> {
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      if (navigator.serviceWorker.controller !== null) return;
      await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    });
  }

  /**
   * Fills the named fields in the form's order, so that a selection precedes the list that depends on it. Returns the
   * resulting texts of the controls.
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

  /** Adds photos to an open form of this resource. */
  async addPhotos(resource: Resource, files: readonly SampleFile[]): Promise<void> {
    const field = fieldOf(resource, 'images');
    if (field === undefined) throw new Error(`${resource.label.many} don’t take photos.`);
    await this.#attach(field, files);
  }

  /** The control under a field's label. Another part of the form may have the same name. */
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

  /** Creates a record from its create screen and stays for what follows. */
  async create(resource: Resource, filling: Filling): Promise<Record<string, string>> {
    await this.open(routesOf(resource).create);
    const values = await this.fill(resource.fields, filling);
    await this.submit();
    return values;
  }

  /**
   * Creates records while the server is unreachable: passes the hints about invalid input and continues to the list that
   * shows them as pending.
   */
  async createUnsent(resource: Resource, ...fillings: readonly Filling[]): Promise<void> {
    const { create, list } = routesOf(resource);
    const anyway = this.page.getByRole('button', { name: 'Save anyway' });
    const another = this.page.getByRole('main').getByRole('link', { name: 'Create New' }).first();
    for (const [index, filling] of fillings.entries()) {
      if (index === 0) await this.open(create);
      // By keyboard: a toast may cover it.
      else await another.press('Enter');
      await this.fill(resource.fields, filling);
      await this.submit();
      await anyway.or(another).waitFor();
      if (await anyway.isVisible()) await anyway.click();
      await this.page.waitForURL(this.origin + list);
    }
  }

  /** Sends the pending changes of the open outbox. They may just have been sent automatically, or have been refused. */
  sendNow(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Send now', disabled: false });
    const refused = this.page.getByRole('heading', { name: 'Needs your attention' });
    return button.or(this.page.getByText('All changes sent')).or(refused).first().click();
  }

  /** Tells the app that the link is back, as the browser does. */
  async linkReturns(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('online')));
  }

  /** Sends deletions at once until the page is reloaded, as if the time to undo were over when it begins. */
  async skipTimeToUndo(): Promise<void> {
    await this.page.evaluate((time) => {
      const now = Date.now.bind(Date);
      Date.now = () => now() - time;
    }, TIME_TO_UNDO);
  }

  /** The unsaved drafts that are durable on the device. */
  async keptForms(): Promise<KeptForm[]> {
    const rows = await this.page.evaluate<DraftRow[], typeof DRAFTS>(rowsOnDevice, DRAFTS);
    return rows.map(({ values, fileKeys }) => ({ values, files: fileKeys.length }));
  }

  /** Waits until the device has cached a server value (`list/partners`), which happens shortly after it is shown. */
  async keepsCopy(key: string): Promise<void> {
    await expect.poll(() => this.copiesOnDevice()).toContain(key);
  }

  /** The keys of the device's cached copies: `list/partners`, `record/partners/2`. */
  async copiesOnDevice(): Promise<string[]> {
    const copies = await this.page.evaluate<CopyRow[], typeof COPIES>(rowsOnDevice, COPIES);
    return copies.map(({ key }) => key);
  }

  /** Opens a record and waits until it would also open offline. Its row in the list is not enough for that. */
  async bringAlong(resource: Resource, id: number): Promise<void> {
    await this.open(routesOf(resource).edit(id));
    await this.keepsCopy(`record/${resource.name}/${id}`);
  }

  /** The list's row with this text. */
  row(text: string) {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  /**
   * The links of the rows with this text. While the delivery of a create is unknown, both its pending row and the server's
   * exist.
   */
  addressesOf(text: string): Promise<string[]> {
    const links = this.row(text).getByRole('link', { name: /^Edit/ });
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  }

  /** A notification: a status, or an alert for a failure. A form's summary may show the same text for longer. */
  toast(text: string | RegExp) {
    const told = this.page.getByRole('status').or(this.page.getByRole('alert')).filter({ hasText: text });
    return told.and(this.page.locator(':not(.form-summary)'));
  }

  /**
   * Waits until the app has shown this in a notification that no earlier call consumed, even if it has closed again. Throws
   * with what was shown instead and the contents of the outbox.
   */
  async tells(words: string): Promise<void> {
    const { page } = this;
    try {
      await page.waitForFunction(takeTold, words, { polling: 100, timeout: 45_000 });
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

  /** Keeps notifications open, as under a pointer, until the page is reloaded. */
  holdNotifications(): Promise<void> {
    return this.page.evaluate(holdNotifications);
  }

  /** The titles of the rows that were highlighted as just saved since the page was loaded. */
  arrivals(): Promise<string[]> {
    return this.page.evaluate(() => window.moments.arrived);
  }

  /** Answers the open question with the button of that name. */
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
