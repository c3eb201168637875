import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { Api } from '../harness/api.ts';
import { cataloguePdf } from '../../server/sample-data/pdf.ts';

/** Screens as they are seen in the middle of something, by name: where they are, and what is done before the picture is taken. */
export const PREPARED: readonly { name: string; path: string; prepare: (page: Page) => Promise<void> }[] = [
  { name: 'outbox-waiting', path: '/outbox', prepare: leaveSomethingWaiting },
  { name: 'generators-list-waiting', path: '/generator-all', prepare: leaveSomethingWaiting },
  { name: 'generators-create-photos', path: '/generator-create', prepare: pickPhotos },
  // each on a form of its own: an unfinished one comes back with its photos
  { name: 'solar-panels-create-drag', path: '/sp-create', prepare: dragPhoto },
  { name: 'street-lights-create-large', path: '/st-create', prepare: openPhoto },
  { name: 'sliders-order', path: '/slider-all', prepare: openOrder },
  { name: 'sliders-order-drag', path: '/slider-all', prepare: dragSlide },
  { name: 'ups-list-selected', path: '/ups-all', prepare: selectSome },
  { name: 'solar-panels-list-middle', path: '/sp-all', prepare: scrollFar },
  { name: 'generators-list-middle', path: '/generator-all', prepare: selectAndScroll },
  { name: 'conflict', path: '/partner-edit/3', prepare: changeByTwo },
  { name: 'generators-edit-catalogue', path: '/generator-edit/1', prepare: openCatalogue },
  { name: 'generators-edit-history', path: '/generator-edit/1', prepare: openHistory },
  { name: 'ups-create-editor', path: '/ups-create', prepare: openEditor },
  { name: 'ups-list-labels', path: '/ups-all', prepare: openLabels },
  { name: 'home-account', path: '/', prepare: openAccount },
  { name: 'home-scan', path: '/', prepare: openScan },
  { name: 'find', path: '/generator-all', prepare: openFind },
  { name: 'projects-create-restored', path: '/project-create', prepare: comeBack },
  { name: 'street-lights-list-cell', path: '/st-all', prepare: editCell },
  { name: 'street-lights-list-undo', path: '/st-all', prepare: editSeveral },
  { name: 'home-log-out', path: '/', prepare: logOutWithWaiting },
];

/** Edits a record without a connection, so that a change waits in plain sight. */
async function leaveSomethingWaiting(page: Page): Promise<void> {
  const here = page.url();
  await page.goto('/generator-edit/2');
  await page.getByLabel('Capacity').fill('33 kVA');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForURL('**/generator-all');
  await page.getByText('Saved on this device').waitFor({ state: 'hidden' });
  if (!here.endsWith('/generator-all')) await page.getByRole('link', { name: /waiting/ }).click();
}

/** Picks a catalogue and three photos. */
async function pickPhotos(page: Page): Promise<void> {
  const api = await Api.signIn(new URL(page.url()).origin);
  const photos = await Promise.all([1, 2, 3].map((id) => photoOf(page, api, id)));
  await page.getByLabel('Brand').fill('Perkins');
  await page.locator('input[name=catalog]').setInputFiles(catalogue());
  await page.locator('.document-type canvas[data-drawn=true]').waitFor();
  await page.locator('input[name="images[]"]').setInputFiles(photos);
  await page
    .getByRole('button', { name: /^Enlarge / })
    .nth(2)
    .waitFor();
  await expect(page.getByRole('button', { name: /^Add [A-Z]/ })).toBeEnabled();
  await page.locator('.tiles').evaluate((tiles) => tiles.scrollIntoView({ block: 'center' }));
}

function catalogue() {
  const facts: [string, string][] = [
    ['Prime power', '800 kVA'],
    ['Engine', 'Perkins 4006-23TAG3A'],
    ['Alternator', 'Stamford S6'],
    ['Voltage', '400/230 V, 50 Hz'],
  ];
  const buffer = cataloguePdf({ heading: 'P800', under: 'Perkins 4000 series', facts, colour: [0.06, 0.3, 0.36] });
  return { name: 'Perkins 4000 series.pdf', mimeType: 'application/pdf', buffer };
}

/** A catalogue as the app shows it. */
async function openCatalogue(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click();
  await page.getByRole('article', { name: 'Page 1' }).locator('canvas').waitFor();
}

/** What happened to a record, the newest first. */
async function openHistory(page: Page): Promise<void> {
  await page.getByText('History', { exact: true }).click();
  await page.locator('.record-history li').first().waitFor();
  await page.locator('.record-history').evaluate((history) => history.scrollIntoView({ block: 'start' }));
}

async function openAccount(page: Page): Promise<void> {
  await page.getByRole('banner').locator('button[aria-expanded]').last().click();
  await page.getByRole('link', { name: 'Preferences' }).waitFor();
}

async function openScan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Scan a code' }).click();
  await page.getByText('No camera available.').waitFor();
}

async function openLabels(page: Page): Promise<void> {
  await selectSome(page);
  await page.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('dialog').waitFor();
}

/** A picked photo in its editor, with the crop chosen. */
async function openEditor(page: Page): Promise<void> {
  await pickPhotos(page);
  await page
    .getByRole('button', { name: /^Edit photo / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click();
  await page.locator('.photo-editor-stage canvas').waitFor();
}

/** A sample's photo, as large as a camera makes it. */
async function photoOf(page: Page, api: Api, id: number) {
  const { images } = (await api.get(`/api/get-single-generator/${id}`)) as { images: { image: string }[] };
  const stored = await page.request.get(`/uploads/${images[0]?.image ?? ''}`);
  const large = sharp(await stored.body()).resize({ width: 3600 });
  return { name: `IMG_20${id}4.jpg`, mimeType: 'image/jpeg', buffer: await large.jpeg().toBuffer() };
}

async function scrollFar(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 5000));
}

async function selectAndScroll(page: Page): Promise<void> {
  await page
    .getByRole('checkbox', { name: /^Select / })
    .nth(3)
    .check();
  await page.evaluate(() => window.scrollTo(0, 400));
}

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Change the order' }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
}

/** A photo on its way to another place: the mouse is still down. */
async function dragPhoto(page: Page): Promise<void> {
  await pickPhotos(page);
  await lift(page, page.locator('.tiles li').first(), 60, { x: 120, y: 30 });
}

/** A slide on its way to another place: the mouse is still down. */
async function dragSlide(page: Page): Promise<void> {
  await openOrder(page);
  await lift(page, page.getByRole('button', { name: /^Move .+ now 1 of/ }), 20, { x: -6, y: 90 });
}

async function lift(page: Page, what: Locator, grip: number, by: { x: number; y: number }): Promise<void> {
  const box = await what.boundingBox();
  if (box === null) throw new Error('There is nothing to lift.');
  await page.mouse.move(box.x + grip, box.y + grip);
  await page.mouse.down();
  await page.mouse.move(box.x + grip + by.x, box.y + grip + by.y, { steps: 12 });
  await page.locator('[data-lifted=true]').waitFor();
}

/** A picked photo shown large, in the middle of three, magnified once. */
async function openPhoto(page: Page): Promise<void> {
  await pickPhotos(page);
  await page
    .getByRole('button', { name: /^Enlarge / })
    .nth(1)
    .click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
}

/** Three rows are chosen, for one deletion. */
async function selectSome(page: Page): Promise<void> {
  for (const place of [0, 1, 2]) {
    await page
      .getByRole('checkbox', { name: /^Select .+ / })
      .nth(place)
      .check();
  }
}

/** What somebody else calls the partner meanwhile: another name each time, or there is nothing to compare. */
const others = ['Blue Ridge Power', 'Blue Ridge Energy'];
let turn = 0;

/** Saves a change of a record that somebody else has changed meanwhile. */
async function changeByTwo(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Blue Ridge Electric Ltd');
  const api = await Api.signIn(new URL(page.url()).origin);
  turn += 1;
  const { link } = (await api.get('/api/get-single-partner/3')) as { link: string };
  await api.post('/api/get-single-partner/3', [
    ['name', others[turn % others.length] ?? ''],
    ['link', link],
  ]);
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForURL('**/outbox/conflict/**');
  await page.getByRole('group', { name: /^Name/ }).waitFor();
}

async function openFind(page: Page): Promise<void> {
  // The keys are heard once the page has come to rest.
  while (!(await page.getByRole('dialog').isVisible())) {
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(300);
  }
  await page.getByRole('searchbox').last().fill('cummins c');
}

/** A form that was left unsaved, and is restored. */
async function comeBack(page: Page): Promise<void> {
  await page.getByRole('textbox').first().fill('Solar roof at the port');
  // stored a moment after the last key
  await page.waitForTimeout(1500);
  await page.reload();
  await page.getByText('Unsaved draft restored').waitFor();
}

/** A cell that is edited where it stands, and what the server says about it. Screens of cards have no cells to edit. */
async function editCell(page: Page): Promise<void> {
  const cell = page.getByRole('cell', { name: /^\d+ ?W$/ }).first();
  if (!(await cell.isVisible())) return;
  await cell.dblclick();
  const editor = page.getByRole('form', { name: /^Capacity of / });
  await editor.getByLabel('Capacity').fill('');
  await editor.getByRole('button', { name: 'Save' }).click();
  await editor.getByText('is required').waitFor();
}

/** One value for three records without a connection: they wait, and a notification offers to take it back. */
async function editSeveral(page: Page): Promise<void> {
  await selectSome(page);
  await page.getByRole('button', { name: 'Edit 3' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Field' }).selectOption('Origin');
  await dialog.getByRole('textbox', { name: 'Origin' }).fill('Bangladesh');
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Save 3' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
}

/** The question before the log-out while changes wait. */
async function logOutWithWaiting(page: Page): Promise<void> {
  await leaveSomethingWaiting(page);
  await page.goto('/');
  const logOut = page.getByRole('button', { name: 'Logout' });
  if (!(await logOut.isVisible())) await openAccount(page);
  await logOut.click();
  await page.getByRole('alertdialog').waitFor();
}
