import { type Field, isAttachment } from '../../src/domain/fields.ts';
import { type Resource, routesOf } from '../../src/domain/resource.ts';
import { deleteQuestion } from '../../src/domain/messages.ts';
import type { App } from '../harness/app.ts';
import { type Filling, fillingOf } from '../harness/fillings.ts';
import { expect, type Page } from '@playwright/test';
import { type House, HOUSES } from './houses.ts';
import { type Lodging, type Place, test } from './lodging.ts';
import { expectContractHeaders, expectedParts, filesIn, partsOf } from './wire.ts';

/** Tests one resource in one environment. Holds what was filled in. */
class Walk {
  readonly page: Page;
  readonly house: House;
  readonly resource: Resource;
  readonly app: App;
  values: Record<string, string> = {};
  files: Filling = {};
  imageHashes: string[] = [];

  constructor({ house, app }: Lodging, resource: Resource) {
    this.page = app.page;
    this.house = house;
    this.resource = resource;
    this.app = app;
  }

  /** Fills and submits the create form. The request carries every field under its name, and the row stores it. */
  async create(): Promise<void> {
    const { app, resource } = this;
    this.files = await fillingOf(resource.fields, 1);
    const request = this.house.proxy.next(`POST ${resource.endpoints.create}`);
    this.values = await app.create(resource, this.files);
    // Checked first, because the toast lasts three seconds.
    await app.tells(`${resource.label.message} Created Successfully`);
    expectContractHeaders(await request);
    expect(await partsOf(await request)).toEqual(expectedParts(resource.fields, this.values, this.files));
    this.imageHashes = filesIn(this.files['images']).map((file) => file.sha256);
    this.expectStored();
  }

  /** The list shows the defined columns, with pictures at their width. */
  async list(): Promise<void> {
    const { app, page, resource } = this;
    const { list } = routesOf(resource);
    if (resource.afterCreate === 'stay') await app.open(list);
    await expect(page).toHaveURL(app.origin + list);
    const headers = page.getByRole('columnheader');
    for (const label of ['Sl', ...resource.columns.map((column) => column.label), 'Action']) {
      await expect(headers.filter({ hasText: new RegExp(`^${label}$`) }), label).toBeVisible();
    }
    const row = page.getByRole('row').nth(1);
    for (const column of resource.columns) {
      if (column.kind === 'text') await expect(row).toContainText(this.values[column.field] ?? '');
      else {
        const width = async () => (await row.locator('img').boundingBox())?.width;
        await expect.poll(width, column.label).toBe(column.width);
      }
    }
  }

  /** The edit form shows the stored values. */
  async openEdit(): Promise<void> {
    const { app, page, resource } = this;
    await page.getByRole('row').nth(1).getByRole('link', { name: /^Edit/ }).click();
    await expect(page).toHaveURL(app.origin + routesOf(resource).edit(1));
    for (const field of resource.fields) {
      if (!isAttachment(field)) await expect(app.control(field), field.name).toHaveValue(this.values[field.name] ?? '');
    }
    const stored = this.imageHashes.length + (resource.fields.some((field) => field.kind === 'image') ? 1 : 0);
    await expect(page.getByRole('button', { name: /^Enlarge / })).toHaveCount(stored);
    if (resource.fields.some((field) => field.kind === 'file')) {
      const [row] = this.house.stored.rows(resource.name);
      const link = page.getByRole('link', { name: /^Open / });
      await expect(link).toHaveAttribute('href', `/uploads/${String(row?.['catalog'])}`);
    }
  }

  /** Changes every text and adds a file to every file field. Texts and files are replaced, `images[]` are added. */
  async update(): Promise<void> {
    const { app, resource } = this;
    const filling = await fillingOf(resource.fields, 2);
    const request = this.house.proxy.next(`POST ${resource.endpoints.single}/1`);
    this.values = await app.fill(resource.fields, filling);
    this.files = filling;
    await app.submit();
    await app.tells(`${resource.label.message} Updated Successfully`);
    expect(await partsOf(await request)).toEqual(expectedParts(resource.fields, this.values, filling));
    this.imageHashes.push(...filesIn(filling['images']).map((file) => file.sha256));
    this.expectStored();
  }

  /** Asks with the specified wording, then deletes the record. */
  async delete(): Promise<void> {
    const { app, page, resource } = this;
    await expect(page).toHaveURL(app.origin + routesOf(resource).list);
    await page
      .getByRole('row')
      .nth(1)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect(page.getByRole('alertdialog')).toContainText(deleteQuestion(resource.label.deleteAs));
    await app.skipTimeToUndo();
    const request = this.house.proxy.next(`POST ${resource.endpoints.delete}/1`);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await request;
    await expect.poll(() => this.house.stored.rows(resource.name)).toEqual([]);
  }

  expectStored(): void {
    const { stored } = this.house;
    const rows = stored.rows(this.resource.name);
    expect(rows).toHaveLength(1);
    const [row] = rows;
    for (const field of this.resource.fields) this.#expectField(field, row?.[field.name]);
    expect(stored.imageHashes(this.resource.name, 1)).toEqual(this.imageHashes);
  }

  #expectField(field: Field, cell: unknown): void {
    if (field.kind === 'images') return;
    const value = this.values[field.name] ?? '';
    if (isAttachment(field)) expect(this.house.stored.fileHash(cell)).toBe(filesIn(this.files[field.name])[0]?.sha256);
    else expect(String(cell).replaceAll('\r\n', '\n'), field.name).toBe(value);
  }
}

/** One test for each environment and kind of record. */
export function walkThrough(resources: readonly Resource[]): void {
  for (const place of Object.keys(HOUSES) as Place[]) {
    test.describe(`on ${place}`, () => {
      for (const resource of resources) {
        test(`${resource.label.many}: form, wire, row and bytes, list, prefilled edit, update, delete`, async ({
          lodgings,
        }) => {
          const walk = new Walk(await lodgings.at(place), resource);
          await walk.create();
          await walk.list();
          await walk.openEdit();
          await walk.update();
          await walk.delete();
        });
      }
    });
  }
}
