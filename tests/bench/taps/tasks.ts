import { expect, type Locator } from '@playwright/test';
import { png } from '../../harness/sample-files.ts';
import type { Hand } from './hand.ts';

/** A day's work in two ways: form by form, and as the lists and forms offer it. */
export interface Task {
  readonly name: string;
  readonly oneByOne: (hand: Hand) => Promise<void>;
  readonly asOffered: (hand: Hand) => Promise<void>;
}

const PANELS = 10;
const PHOTOS = 12;
const LINES = 30;
const DELETED = 5;

const button = (within: Hand['page'] | Locator, name: string | RegExp) => within.getByRole('button', { name });
const rows = ({ page }: Hand) => page.locator('.list-body [data-row]');

async function open({ page }: Hand, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('.list-body[data-editable] [data-row]').first().waitFor();
}

/** Opens a row's form, gives it a capacity, and comes back to the list. */
async function editInForm(hand: Hand, row: Locator, capacity: string): Promise<void> {
  await hand.tap(row.getByRole('link', { name: 'Edit' }));
  await hand.tap(hand.page.getByLabel('Capacity'));
  await hand.type(capacity);
  await hand.tap(button(hand.page, 'Update'));
  await row.getByText(capacity).waitFor();
}

const capacities: Task = {
  name: `Capacity of ${PANELS} panels`,
  async oneByOne(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    for (let place = 0; place < PANELS; place += 1) await editInForm(hand, rows(hand).nth(place), '400 W');
  },
  async asOffered(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    const boxes = hand.page.getByRole('checkbox', { name: /^Select .+ / });
    for (let place = 0; place < PANELS; place += 1) await hand.tap(boxes.nth(place));
    await hand.tap(button(hand.page, `Edit ${PANELS}`));
    const dialog = hand.page.getByRole('dialog');
    await hand.tap(dialog.getByLabel('Capacity'));
    await hand.type('450 W');
    await hand.tap(button(dialog, `Save ${PANELS}`));
    await expect(rows(hand).filter({ hasText: '450 W' })).toHaveCount(PANELS);
  },
};

const inverter: Task = {
  name: 'An inverter among 1,685, found and put right',
  async oneByOne(hand) {
    await open(hand, '/gti-all');
    hand.begin();
    await hand.tap(hand.page.getByRole('searchbox'));
    await hand.type('-1234');
    await expect(rows(hand)).toHaveCount(1);
    await editInForm(hand, rows(hand).first(), '77 kW');
  },
  async asOffered(hand) {
    await open(hand, '/gti-all');
    hand.begin();
    await hand.key('/');
    await hand.type('-1235');
    await expect(rows(hand)).toHaveCount(1);
    const cell = rows(hand).getByRole('cell', { name: /kW$/ });
    await hand.tapTwice(cell);
    await hand.type('78 kW');
    await hand.key('Enter');
    await cell.getByText('78 kW').waitFor();
  },
};

const imported: Task = {
  name: `${LINES} partners, from a sheet`,
  async oneByOne(hand) {
    await open(hand, '/partner-all');
    hand.begin();
    for (let line = 1; line <= LINES; line += 1) {
      await hand.tap(hand.page.getByRole('main').getByRole('link', { name: 'Create New' }).first());
      await hand.tap(hand.page.getByLabel('Name'));
      await hand.type(`Typed ${line}`);
      hand.elsewhere(2);
      await hand.page.locator('input[name=image]').setInputFiles(png(`typed-${line}.png`, line));
      await button(hand.page, `Remove typed-${line}.png`).waitFor();
      await hand.tap(button(hand.page, 'Add Partner'));
      await hand.page.waitForURL('**/partner-all');
    }
  },
  async asOffered(hand) {
    await open(hand, '/partner-all');
    const table = ['name,image', ...numbers(LINES).map((line) => `Brought ${line},b${line}.png`)].join('\n');
    const sheet = { name: 'partners.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    hand.begin();
    await hand.tap(button(hand.page, 'More').first());
    await hand.tap(hand.page.getByRole('menuitem', { name: 'Import CSV' }));
    // the picker, all of its files, and its OK
    hand.elsewhere(3);
    const logos = numbers(LINES).map((line) => png(`b${line}.png`, 100 + line));
    await hand.page.getByLabel('CSV file and the files it names').setInputFiles([sheet, ...logos]);
    await hand.tap(button(hand.page, `Import ${LINES} lines`));
    await rows(hand)
      .filter({ hasText: `Brought ${LINES}` })
      .waitFor();
  },
};

const photos: Task = {
  name: `${PHOTOS} photos of a site, with the camera`,
  async oneByOne(hand) {
    await hand.page.goto('/project-create');
    const camera = hand.page.locator('input[capture]').last();
    await camera.waitFor({ state: 'attached' });
    hand.begin();
    for (const number of numbers(PHOTOS)) {
      // Take photo; the shutter and OK of the system's camera
      hand.elsewhere(3);
      await camera.setInputFiles(png(`p${number}.png`, number));
      await expect(button(hand.page, /^Remove p/)).toHaveCount(number);
    }
  },
  async asOffered(hand) {
    await hand.page.goto('/project-create');
    hand.begin();
    await hand.tap(button(hand.page, 'Take photos'));
    const camera = hand.page.getByRole('dialog', { name: 'Camera' });
    for (const number of numbers(PHOTOS)) {
      await hand.tap(button(camera, 'Take photo'));
      await camera.getByText(`${number} photo`).waitFor();
    }
    await hand.tap(button(camera, 'Done'));
    await expect(button(hand.page, /^Remove photo-/)).toHaveCount(PHOTOS);
  },
};

const deletions: Task = {
  name: `${DELETED} records deleted, and all of them back`,
  async oneByOne(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    for (let place = 0; place < DELETED; place += 1) {
      await hand.tap(button(rows(hand).nth(place), /^Delete /));
      await hand.tap(button(hand.page.getByRole('alertdialog'), /^(Delete|OK|Yes)/));
      await button(rows(hand).nth(place), /^Undo/).waitFor();
    }
    for (let place = 0; place < DELETED; place += 1) await hand.tap(button(hand.page, /^Undo the deletion/).first());
    await expect(button(hand.page, /^Undo the deletion/)).toHaveCount(0);
  },
  async asOffered(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    const boxes = hand.page.getByRole('checkbox', { name: /^Select .+ / });
    for (let place = 0; place < DELETED; place += 1) await hand.tap(boxes.nth(place));
    await hand.tap(button(hand.page, 'Delete selected'));
    await hand.tap(button(hand.page.getByRole('alertdialog'), /^(Delete|OK|Yes)/));
    await expect(button(hand.page, /^Undo the deletion/)).toHaveCount(DELETED);
    await hand.tap(hand.page.getByRole('status').getByRole('button', { name: 'Undo' }));
    await expect(button(hand.page, /^Undo the deletion/)).toHaveCount(0);
  },
};

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

export const TASKS: readonly Task[] = [capacities, inverter, imported, photos, deletions];
