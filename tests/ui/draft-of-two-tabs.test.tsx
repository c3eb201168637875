import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { answer, know, lastSaved, open, partner, world } from './open-form.tsx';

test('the unsaved form of one tab stays kept when another tab saves the same record', async () => {
  know('1', partner(1, 'Delta'));
  const one = open('/partner-edit/1');
  const two = open('/partner-edit/1');
  const field = async (tab: typeof one, called: string) =>
    waitFor(() => {
      const found = tab.container.querySelector<HTMLInputElement>(`input[name="${called}"]`);
      if (found === null) throw new Error('Not there yet.');
      return found;
    });
  const name = (tab: typeof one) => field(tab, 'name');
  const link = (tab: typeof one) => field(tab, 'link');
  await userEvent.type(await link(one), 'https://an-hour-of-typing.example');
  await waitFor(() =>
    expect(world.drafts.get('7/partners/1')?.values['link']).toBe('https://an-hour-of-typing.example'),
  );
  await userEvent.type(await name(two), ' Ltd');
  await waitFor(() => expect(world.drafts.get('7/partners/1')?.values['name']).toBe('Delta Ltd'));
  const overwritten = world.drafts.get('7/partners/1')?.values['link'];
  await userEvent.click(within(two.container).getByRole('button', { name: 'Update' }));
  await waitFor(() => expect(lastSaved()).toBeDefined());
  await answer('done');
  await new Promise((resolve) => setTimeout(resolve, 700));
  // tab one is now discarded by the phone: what is left of its hour?
  expect({ overwritten, left: world.drafts.get('7/partners/1')?.values['link'] }).toEqual({
    overwritten: 'https://an-hour-of-typing.example',
    left: 'https://an-hour-of-typing.example',
  });
});

test('shared photos are not deleted before the form that took them is kept', async () => {
  const blob = new Blob(['GIF89a roof'], { type: 'image/gif' });
  world.shared = {
    values: {},
    files: [{ key: 's1', field: 'images', blob, name: 'roof.gif', type: 'image/gif' }],
    savedAt: 1,
  } as never;
  const lamp = {
    id: 1,
    brand: 'Lumen',
    capacity: '9',
    model: 'M',
    origin: 'X',
    images: [],
    version: 'v1',
  } as unknown as ServerRecord;
  know('1', lamp, [], undefined, streetLights);
  // the device has no room for drafts
  const set = vi.spyOn(world.drafts, 'set').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  open('/st-edit/1', { takeShared: true });
  await screen.findByRole('button', { name: /Remove roof/ });
  await new Promise((resolve) => setTimeout(resolve, 900));
  const shared = (world as { shared?: { readonly files: readonly unknown[] } }).shared?.files.length ?? 0;
  const kept = { shared, draft: world.drafts.size };
  set.mockRestore();
  expect(kept).not.toEqual({ shared: 0, draft: 0 });
});
