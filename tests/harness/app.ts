import { expect, type Page } from '@playwright/test';
import { type Field, isAttachment } from '../../src/domain/fields.ts';
import { fieldOf, type Resource, routesOf } from '../../src/domain/resource.ts';
import type { Filling } from './fillings.ts';
import { onDisk, type SampleFile } from './sample-files.ts';
import { ADMINISTRATOR } from './server.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The app as a person uses it: everything is found by its role and name. */
export class App {
  readonly page: Page;
  readonly origin: string;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
  }

  open(path: string) {
    return this.page.goto(this.origin + path);
  }

  async signIn({ email, password }: Credentials = ADMINISTRATOR): Promise<void> {
    await this.open('/login');
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await expect(this.page.getByText('Successfully Logged In...!')).toBeVisible();
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
    if (field === undefined) throw new Error(`${resource.label.many} have no photos.`);
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

  /** The list's row that has this text. */
  row(text: string) {
    return this.page.getByRole('row').filter({ hasText: text });
  }

  /** Where the rows that have this text lead: while a create is in doubt, its row here and the server's are both there. */
  addressesOf(text: string): Promise<string[]> {
    const links = this.row(text).getByRole('link', { name: /^Edit/ });
    return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  }

  /** A notification: a status, or an alert where something failed. */
  toast(text: string | RegExp) {
    return this.page.getByRole('status').or(this.page.getByRole('alert')).filter({ hasText: text });
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
