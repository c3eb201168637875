import { expect as soon, type Locator } from '@playwright/test';
import { inverters } from '../kit/rows.ts';
import { png } from '../../harness/sample-files.ts';
import type { Hand } from './hand.ts';

/** A busy machine is slow. The time it takes is what is measured. */
const expect = soon.configure({ timeout: 60_000 });

/** One piece of a day's work, done one way. */
type Work = (hand: Hand) => Promise<void>;

export interface Task {
  readonly name: string;
  /** Form by form, on the specified screens. */
  readonly oneByOne: Work;
  /** Factor from the work done here one by one to the whole task. 1 if absent. */
  readonly times?: number;
  /** With the shortcuts of lists and forms. */
  readonly offered: Work;
  /** The limit of taps. None if absent. */
  readonly most?: number;
}

const PANELS = 10;
const PHOTOS = 12;
const LINES = 30;
/** Lines typed one by one here. All of them would take minutes and show no more. */
const TYPED = 3;
const DELETED = 5;

const button = (within: Hand['page'] | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });
const rows = ({ page }: Hand) => page.locator('.list-body [data-row]');
const actionOf = (row: Locator, name: string) => row.getByRole('link', { name });

async function open({ page }: Hand, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('.list-body[data-editable] [data-row]').first().waitFor();
}

/** Opens a row's form, sets its capacity, and returns to the list. */
async function editInForm(hand: Hand, row: Locator, capacity: string): Promise<void> {
  await hand.tap(actionOf(row, 'Edit'));
  await hand.tap(hand.page.getByLabel('Capacity'));
  await hand.type(capacity);
  await hand.tap(button(hand.page, 'Update'));
  await row.getByText(capacity, { exact: false }).waitFor();
}

/** Selects the first `count` rows: one by one with a finger, as one range with a mouse. */
async function select(hand: Hand, count: number): Promise<void> {
  const boxes = hand.page.getByRole('checkbox', { name: /^Select .+ / });
  if (!hand.touch) {
    await hand.tap(boxes.first());
    await hand.tapTo(boxes.nth(count - 1));
  } else for (let place = 0; place < count; place += 1) await hand.tap(rows(hand).nth(place).locator('.row-lead'));
  await hand.page.getByText(`${count} selected`).waitFor();
}

const sameCapacity: Task = {
  name: `One capacity for ${PANELS} panels`,
  most: 14,
  async oneByOne(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    for (let place = 0; place < PANELS; place += 1) await editInForm(hand, rows(hand).nth(place), '400 W');
  },
  async offered(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    await select(hand, PANELS);
    await hand.tap(button(hand.page, `Edit ${PANELS}`));
    const dialog = hand.page.getByRole('dialog');
    await expect(dialog.getByRole('textbox', { name: 'Capacity' })).toBeFocused();
    await hand.type('450 W');
    await hand.tap(button(dialog, `Save ${PANELS}`));
    await expect(rows(hand).filter({ hasText: '450 W' })).toHaveCount(PANELS);
  },
};

const ownCapacities: Task = {
  name: `A capacity of its own for each of ${PANELS} panels`,
  most: 14,
  oneByOne: sameCapacity.oneByOne,
  async offered(hand) {
    await open(hand, '/sp-all');
    const capacity = hand.page.getByLabel('Capacity');
    hand.begin();
    await hand.tap(actionOf(rows(hand).first(), 'Edit'));
    await hand.tap(capacity);
    for (let place = 1; place <= PANELS; place += 1) {
      await expect(capacity).toBeFocused();
      await hand.type(`${500 + place} W`);
      await hand.tap(button(hand.page, place < PANELS ? 'Save and next' : 'Update'));
      if (place < PANELS) await hand.page.getByText(`${place + 1} of `).waitFor();
    }
    await expect(rows(hand).filter({ hasText: /5\d\d W/ })).toHaveCount(PANELS);
  },
};

const inverter: Task = {
  name: 'One inverter among 1,685 found and put right',
  most: 3,
  async oneByOne(hand) {
    await find(hand, modelOf(1234));
    await editInForm(hand, rows(hand).first(), '77 kW');
  },
  async offered(hand) {
    await find(hand, modelOf(1235));
    const row = rows(hand).first();
    if (hand.touch) {
      await hand.rest(row.locator('.row-fact'));
      await hand.tap(hand.page.getByRole('menuitem', { name: 'Edit capacity' }));
    } else await hand.tapTwice(row.getByRole('cell', { name: /kW$/ }));
    await hand.page.getByRole('form').getByLabel('Capacity').waitFor();
    await hand.type('78 kW');
    await hand.key('Enter');
    await row.getByText('78 kW').waitFor();
  },
};

/** Searches the list of inverters for a model. With a keyboard, `/` focuses the search. */
async function find(hand: Hand, model: string): Promise<void> {
  await open(hand, '/gti-all');
  hand.begin();
  if (hand.touch) await hand.tap(hand.page.getByRole('searchbox'));
  else await hand.key('/');
  await hand.type(model);
  await expect(rows(hand)).toHaveCount(1);
}

const imported: Task = {
  name: `${LINES} partners with their logos from a sheet`,
  times: LINES / TYPED,
  async oneByOne(hand) {
    await open(hand, '/partner-all');
    hand.begin();
    for (let line = 1; line <= TYPED; line += 1) {
      await hand.tap(hand.page.getByRole('main').getByRole('link', { name: 'Create New' }).first());
      await hand.tap(hand.page.getByRole('textbox', { name: 'Name' }));
      await hand.type(`Typed ${line}`);
      // The field. In the system's picker, the file and Open.
      hand.elsewhere(3);
      await hand.page.locator('input[name=image]').setInputFiles(png(`typed-${line}.png`, line));
      await button(hand.page, `Remove typed-${line}.png`).waitFor();
      await hand.tap(button(hand.page, 'Add Partner'));
      await hand.page.waitForURL('**/partner-all');
    }
  },
  async offered(hand) {
    await open(hand, '/partner-all');
    const table = ['name,image', ...numbers(LINES).map((line) => `Brought ${line},b${line}.png`)].join('\n');
    const sheet = { name: 'partners.csv', mimeType: 'text/csv', buffer: Buffer.from(table) };
    const logos = numbers(LINES).map((line) => png(`b${line}.png`, 100 + line));
    hand.begin();
    await hand.tap(button(hand.page, 'More'));
    await hand.tap(hand.page.getByRole('menuitem', { name: 'Import CSV' }));
    // The field. In the system's picker, the first file, the last with Shift (on a phone: menu, Select all), and Open.
    hand.elsewhere(4);
    await hand.page.getByLabel('CSV file and the files it names').setInputFiles([sheet, ...logos]);
    await hand.tap(button(hand.page, `Import ${LINES} lines`));
    await expect(hand.page.getByRole('dialog')).toHaveCount(0);
    await hand.page.getByRole('searchbox').fill('Brought');
    await expect(hand.page.getByText(`${LINES} of `)).toBeVisible();
  },
};

const photos: Task = {
  name: `${PHOTOS} photos into a project`,
  async oneByOne(hand) {
    // Not the same resource as below, because an unfinished form is restored with its photos.
    await hand.page.goto('/st-create');
    const input = hand.page.locator('input[name="images[]"]');
    await input.waitFor({ state: 'attached' });
    hand.begin();
    for (const number of numbers(PHOTOS)) {
      // The field. The shutter and OK of the system's camera, or the file and Open in its picker.
      hand.elsewhere(3);
      await input.setInputFiles(png(`p${number}.png`, number));
      await expect(button(hand.page, /^Remove p/)).toHaveCount(number);
    }
  },
  async offered(hand) {
    await hand.page.goto('/project-create');
    const added = button(hand.page, /^Remove (photo-|p\d)/);
    const zone = hand.page.getByRole('button', { name: 'Take photos' });
    const input = hand.page.locator('input[name="images[]"]');
    await input.waitFor({ state: 'attached' });
    hand.begin();
    if (hand.touch) {
      await hand.tap(zone);
      const camera = hand.page.getByRole('dialog', { name: 'Camera' });
      for (const number of numbers(PHOTOS)) {
        await hand.tap(button(camera, 'Take photo'));
        await camera.getByText(new RegExp(`^${number} photos? taken`)).waitFor();
      }
      await hand.tap(button(camera, 'Done'));
    } else {
      // The field. In the system's picker, the first file, the last with Shift, and Open.
      hand.elsewhere(4);
      await input.setInputFiles(numbers(PHOTOS).map((number) => png(`p${number}.png`, 50 + number)));
    }
    await expect(added).toHaveCount(PHOTOS);
  },
};

const deletions: Task = {
  name: `${DELETED} records deleted, and all of them back`,
  async oneByOne(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    for (let place = 0; place < DELETED; place += 1) {
      const row = rows(hand).nth(place);
      if (hand.touch) {
        await hand.tap(button(row, /^More for /));
        await hand.tap(hand.page.getByRole('menuitem', { name: 'Delete' }));
      } else await hand.tap(button(row, /^Delete /));
      await hand.tap(button(hand.page.getByRole('alertdialog'), 'Delete'));
      await hand.tap(button(row, /^Undo/));
      await actionOf(row, 'Edit').waitFor();
    }
  },
  async offered(hand) {
    await open(hand, '/sp-all');
    hand.begin();
    await select(hand, DELETED);
    await hand.tap(button(hand.page, 'Delete selected'));
    await hand.tap(button(hand.page.getByRole('alertdialog'), 'Delete'));
    await hand.tap(hand.page.locator('.toasts').getByRole('button', { name: 'Undo' }));
    await expect(button(hand.page, /^Undo the deletion/)).toHaveCount(0);
    await expect(actionOf(rows(hand).first(), 'Edit')).toBeVisible();
  },
};

function modelOf(id: number): string {
  return inverters(id)[id - 1]?.model ?? '';
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

export const TASKS: readonly Task[] = [sameCapacity, ownCapacities, inverter, imported, photos, deletions];
