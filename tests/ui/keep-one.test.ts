import { expect, test, vi } from 'vitest';
import { browser, device, generator, path } from './catalogue-world.ts';

/** Presses the item of a generator's menu for its catalogue. Returns what is said. */
async function press(id: number): Promise<readonly object[]> {
  const { catalogueAction } = await import('../../src/resource/catalogues/keep-one.ts');
  const { resourceOf } = await import('../../src/domain/resources/index.ts');
  const { useNotifications } = await import('../../src/stores/notifications.ts');
  const row = { recordId: String(id), id, brand: 'Perkins', generator_model: `P${id}`, has_catalog: 1 };
  catalogueAction(resourceOf('generators'), row)?.run();
  await vi.waitFor(() => expect(useNotifications.getState().waiting).toHaveLength(1), { timeout: 10_000 });
  return useNotifications.getState().take();
}

test('a catalogue that somebody keeps is said to be on the device once it is', async () => {
  const { kept } = browser({ [path('a')]: 50 });
  await device([generator(1, 'a.pdf')]);
  expect(await press(1)).toMatchObject([
    { kind: 'success', message: 'The catalogue of Perkins P1 is on this device.' },
  ]);
  expect(kept()).toEqual([path('a')]);
});

test('one that does not come, or that the device does not know, is said not to be there yet', async () => {
  browser({});
  await device([generator(1, 'a.pdf'), generator(2, null)]);
  for (const id of [1, 2]) {
    const message = `The catalogue of Perkins P${id} couldn’t be downloaded yet.`;
    expect(await press(id)).toMatchObject([{ kind: 'error', message }]);
  }
});
