import type { Locator } from '@playwright/test';
import { type AttachmentField, type Field, isAttachment, isValue, wireName } from '../../../src/domain/fields.ts';
import { type Resource, routesOf } from '../../../src/domain/resource.ts';
import type { App } from '../../harness/app.ts';
import type { FaultProxy } from '../../harness/fault-proxy.ts';
import { type Filling, fillingOf } from '../../harness/fillings.ts';
import { hugeGif, onDisk, pdf, plainText, type SampleFile } from '../../harness/sample-files.ts';
import { expect, test } from '../../harness/shared-world.ts';

const NOTES = plainText('notes.txt', 'no picture, no catalogue');
const TOO_LARGE = /Too large: 1\d(\.\d)? MB\. The limit is 10 MB/;

/** A stand-in for the content of a file. */
const PICKED = 'picked';

/** What a form holds: the texts, and the files by name. */
type Held = Readonly<Record<string, string>>;

function partsOf(held: Held): { readonly texts: Held; readonly files: number } {
  const texts = Object.entries(held).filter(([, value]) => value !== PICKED);
  return { texts: Object.fromEntries(texts), files: Object.keys(held).length - texts.length };
}

/** The text that the test leaves out or clears. */
function neededText({ fields }: Pick<Resource, 'fields'>): Field {
  const needed = fields.find((field) => field.kind === 'text' && field.required);
  if (needed === undefined) throw new Error('Every kind has a text that must be there.');
  return needed;
}

function filesOf(filling: Filling, { name }: Field): readonly SampleFile[] {
  const files = filling[name];
  return Array.isArray(files) ? (files as readonly SampleFile[]) : [];
}

const HUGE_PDF = pdf('huge.pdf', 1, 11 * 1024 * 1024);
const HUGE_GIF = hugeGif('huge.gif');

/** A file that is too large for the first file field: the catalogue, if there is one. */
function tooLarge({ kind }: AttachmentField): SampleFile {
  return kind === 'file' ? HUGE_PDF : HUGE_GIF;
}

/** One kind of record, taken through everything that can go wrong in its form. */
export class Troubles {
  readonly app: App;
  readonly resource: Pick<Resource, 'fields'>;

  constructor(app: App, resource: Pick<Resource, 'fields'>) {
    this.app = app;
    this.resource = resource;
  }

  get attachments(): AttachmentField[] {
    return this.resource.fields.filter(isAttachment);
  }

  /** Everything that the form holds now: every value, and the name of every picked file. */
  async held(): Promise<Held> {
    const held: Record<string, string> = {};
    for (const field of this.resource.fields.filter(isValue)) {
      held[field.name] = await this.app.control(field).inputValue();
    }
    const removable = this.app.page.getByRole('main').getByRole('button', { name: /^Remove / });
    for (const name of await removable.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))) {
      held[name] = PICKED;
    }
    return held;
  }

  /** Picks a text file in each file field: it is explained and not accepted. */
  async pickWrongTypes(): Promise<void> {
    const before = await this.held();
    for (const field of this.attachments) {
      await this.app.control(field).setInputFiles(onDisk(NOTES));
      await expect(this.#frame(field).getByText('“notes.txt” isn’t a supported type')).toBeVisible();
    }
    expect(await this.held()).toEqual(before);
  }

  /** Picks a file that is too large: reported at once and kept for the administrator to remove. Returns its name. */
  async pickTooLarge(): Promise<string | undefined> {
    const [field] = this.attachments;
    if (field === undefined) return undefined;
    const file = tooLarge(field);
    await this.app.control(field).setInputFiles(onDisk(file));
    await expect(this.app.page.getByRole('button', { name: `Remove ${file.name}` })).toBeVisible();
    await expect(this.#frame(field).getByText(TOO_LARGE).first()).toBeVisible();
    return file.name;
  }

  /** Saves what the server refuses: a message, errors at the fields, the focus on the summary, and nothing lost. */
  async saveRefused(more: readonly (Field | undefined)[] = []): Promise<void> {
    const { app, resource } = this;
    const before = await this.held();
    await app.submit();
    await app.tells('The given data was invalid.');
    const needed = app.control(neededText(resource));
    await expect(needed).toHaveAttribute('aria-invalid', 'true');
    await expect(needed).toHaveAccessibleDescription(/field is required/);
    await expect(app.page.locator('.form-summary')).toBeFocused();
    for (const field of more) if (field !== undefined) await this.#expectMarked(app.control(field));
    expect(await this.held()).toEqual(before);
  }

  /** Reloads the tab without a server: everything is restored, on top of the cached record. */
  async reloadWithoutServer(proxy: FaultProxy, copy: string): Promise<void> {
    const { page } = this.app;
    const before = await this.held();
    const { texts, files } = partsOf(before);
    await expect.poll(() => this.app.keptForms()).toContainEqual({ values: expect.objectContaining(texts), files });
    await this.app.keepsCopy(copy);
    await proxy.refuse();
    await page.reload();
    await expect(page.getByText('Restored')).toBeVisible();
    await expect(page.getByText(/couldn’t refresh/)).toBeVisible();
    await expect.poll(() => this.held()).toEqual(before);
  }

  async #expectMarked(control: Locator): Promise<void> {
    await expect(control).toHaveAttribute('aria-invalid', 'true');
    await expect(control).toHaveAccessibleDescription(TOO_LARGE);
  }

  #frame(field: AttachmentField): Locator {
    return this.app.page.locator('.field').filter({ has: this.app.page.locator(`input[name="${wireName(field)}"]`) });
  }
}

/** A test that takes the forms of a kind of record through everything that can go wrong. */
export function troubledForms(resource: Resource): void {
  const { list, create, edit } = routesOf(resource);

  test(`${resource.label.many}: a wrong or large file, a missing field, an unknown id and no server lose nothing`, async ({
    inhabited,
  }) => {
    const { app, page, proxy, server } = inhabited;
    const rows = () => server.data.rows(resource.name);
    const before = rows().length;
    const made = () => rows()[before];
    const troubles = new Troubles(app, resource);
    const filling = await fillingOf(resource.fields, 5);
    const needed = neededText(resource);

    await test.step('creating', async () => {
      await app.open(create);
      await app.fill(
        resource.fields.filter((field) => field !== needed),
        filling,
      );
      await troubles.pickWrongTypes();
      const large = await troubles.pickTooLarge();
      await troubles.saveRefused(troubles.attachments.slice(0, 1));
      await page.getByRole('button', { name: `Remove ${large}` }).click();
      // A single file replaced the one picked before.
      await app.fill(
        troubles.attachments.slice(0, 1).filter(({ kind }) => kind !== 'images'),
        filling,
      );
    });

    await test.step('creating without a server', async () => {
      await app.fill(
        resource.fields.filter((field) => field === needed),
        filling,
      );
      await proxy.refuse();
      await app.submit();
      await app.tells('Saved on this device.');
      if (resource.afterCreate === 'list') await expect(page).toHaveURL(app.origin + list);
      await proxy.clear();
    });

    await test.step('an unknown id', async () => {
      await app.open(edit(999));
      await expect(page.getByRole('heading', { name: `This ${resource.label.one} no longer exists` })).toBeVisible();
      await expect(page.getByRole('main').getByRole('link', { name: resource.label.list })).toBeVisible();
      // The record created offline is there meanwhile.
      await expect.poll(() => rows().length).toBe(before + 1);
      const hashes = filesOf(filling, { name: 'images' } as Field).map(({ sha256 }) => sha256);
      expect(server.data.imageHashes(resource.name, Number(made()?.['id']))).toEqual(hashes);
    });

    await test.step('editing', async () => {
      await app.open(edit(Number(made()?.['id'])));
      await expect(app.control(needed)).not.toHaveValue('');
      await app.control(needed).fill('');
      const photos = troubles.attachments.slice(-1);
      await app.fill(photos, await fillingOf(photos, 6));
      await troubles.pickWrongTypes();
      await troubles.saveRefused();
    });

    await test.step('editing without a server', async () => {
      await troubles.reloadWithoutServer(proxy, `record/${resource.name}/${Number(made()?.['id'])}`);
      await app.submit();
      await expect(page.locator('.form-summary')).toContainText(
        'You’re offline, and the server will probably reject this',
      );
      await expect(page.locator('.form-summary')).toBeFocused();
      await app.control(needed).fill('Named again');
      await app.submit();
      await app.tells('Saved on this device.');
      await proxy.clear();
      await app.open(list);
      await expect.poll(() => made()?.[needed.name]).toBe('Named again');
    });
  });
}
