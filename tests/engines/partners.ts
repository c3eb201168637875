import { resourceOf } from '../../src/domain/resources/index.ts';
import { png, plainText, type SampleFile } from '../harness/sample-files.ts';
import type { World } from '../harness/world.ts';
import type { App } from './app.ts';
import { until } from './until.ts';
import { expect } from './walk.ts';

export const partners = resourceOf('partners');

/** A partner to save, with the picture that must arrive with it. */
export interface SamplePartner {
  readonly name: string;
  readonly logo: SampleFile;
}

/** Returns this many partners, each with its own picture of about this many bytes. */
export function samplePartners(count: number, bytes = 3000): SamplePartner[] {
  return Array.from({ length: count }, (_, index) => samplePartner(`Partner ${index}`, index + 1, bytes));
}

export function samplePartner(name: string, seed: number, bytes = 3000): SamplePartner {
  return { name, logo: png(`${name}.png`, seed, bytes) };
}

/** Saves them one after the other, each in its create screen. */
export async function save(app: App, ...all: readonly SamplePartner[]): Promise<void> {
  for (const { name, logo } of all) await app.create(partners, { name, image: [logo] });
}

/** Opens the list's menu. A notification may move the button away while it is pressed; like a person, this tries again. */
async function openMenu(app: App): Promise<void> {
  const isOpen = async () => (await app.count('[role=menuitem]')) > 0;
  await until('the menu of the list', async () => {
    if (await isOpen()) return true;
    await app.press('main button', /^More$/);
    return until('its first item', isOpen, 5_000);
  });
}

/** Imports all of them from one CSV file, in the list of partners. */
export async function importAll(app: App, all: readonly SamplePartner[]): Promise<void> {
  const lines = ['name,image', ...all.map(({ name, logo }) => `${name},${logo.name}`)];
  await app.open('/partner-all');
  await openMenu(app);
  await app.press('[role=menuitem]', /^Import CSV/);
  await app.pick('[role=dialog] input[type=file]', [
    plainText('partners.csv', lines.join('\n')),
    ...all.map(({ logo }) => logo),
  ]);
  await app.press('[role=dialog] button', new RegExp(`^Import ${all.length} lines$`));
  await until('the import to end', async () => (await app.count('[role=dialog]')) === 0);
}

/** Waits until the server has all of them, and expects each exactly once, complete, and no others. */
export async function expectAll({ server }: World, all: readonly SamplePartner[], patience = 90_000): Promise<void> {
  const names = () => server.data.rows('partners').map(({ name }) => String(name));
  await until(
    `all of ${all.length} partners on the server`,
    () => all.every(({ name }) => names().includes(name)),
    patience,
  );
  const stored = server.data.rows('partners').map(({ name, image }) => [name, server.data.receivedHash(image)]);
  const saved = all.map(({ name, logo }) => [name, logo.sha256]);
  expect(stored.toSorted()).toEqual(saved.toSorted());
}

/** Waits until no change is pending on the device and the open list of partners shows only rows of the server. */
export async function expectConfirmed(app: App): Promise<void> {
  const unconfirmed = () =>
    [...document.querySelectorAll('main a[href*="/partner-edit/"]')].filter(
      (link) => !/\/\d+$/.test(link.getAttribute('href') ?? ''),
    ).length;
  await until('an empty outbox', async () => (await app.waiting()).length === 0);
  await until('rows of the server alone', async () => (await app.tab.run(unconfirmed)) === 0);
}
