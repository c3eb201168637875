import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { browser, device, generator, path } from './catalogue-world.ts';
import { openApp } from './page.tsx';

beforeEach(() => openApp('/about'));

/** Presses the item of a generator's menu for its catalogue. */
async function press(id: number): Promise<void> {
  const { catalogueAction } = await import('../../src/resource/catalogues/keep-one.ts');
  const { resourceOf } = await import('../../src/domain/resources/index.ts');
  const row = { recordId: String(id), id, brand: 'Perkins', generator_model: `P${id}`, has_catalog: 1 };
  catalogueAction(resourceOf('generators'), row)?.run();
}

/** The role of the toast with this message: an alert for a failure, a status for a success. */
async function roleOf(message: string): Promise<string | null | undefined> {
  return (await screen.findByText(message)).closest('[role=alert], [role=status]')?.getAttribute('role');
}

test('says that a kept catalogue is on the device once it is', async () => {
  const { kept } = browser({ [path('a')]: 50 });
  await device([generator(1, 'a.pdf')]);
  await press(1);
  expect(await roleOf('The catalogue of Perkins P1 is on this device.')).toBe('status');
  expect(kept()).toEqual([path('a')]);
});

test('says that a catalogue is not there yet when it is unavailable or unknown to the device', async () => {
  browser({});
  await device([generator(1, 'a.pdf'), generator(2, null)]);
  for (const id of [1, 2]) {
    await press(id);
    expect(await roleOf(`The catalogue of Perkins P${id} couldn’t be downloaded yet.`)).toBe('alert');
  }
});
