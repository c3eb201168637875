import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ChangeDraft } from '../../src/api/outbox.ts';
import {
  answer,
  changeOf,
  control,
  entryOf,
  know,
  lastSaved,
  open,
  outbox,
  partner,
  submit,
  type,
  typeOn,
  world,
} from './open-form.tsx';

test('carries text typed during a save over to the edit form of the new record', async () => {
  const { router } = open('/partner-create');
  await typeOn(['Name', 'Delta'], 'Add Partner', ['Link', 'https://example.com'], () =>
    know('local-1', undefined, [entryOf(changeOf(lastSaved() as ChangeDraft))]),
  );
  await answer('pending');
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/local-1'));
  expect((await control('Link')).value).toBe('https://example.com');
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.getByText('Not saved yet')).toBeDefined();
  await waitFor(() => expect([...world.drafts.keys()]).toEqual(['7/partners/local-1']));
  await submit('Update');
  expect(lastSaved()).toMatchObject({ op: 'update', recordId: 'local-1', values: { link: 'https://example.com' } });
});

test('carries later typing over to the server’s id once the new record has one', async () => {
  vi.mocked(outbox.serverIdOf).mockResolvedValue(1);
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-create');
  await typeOn(['Name', 'Delta'], 'Add Partner', ['Link', 'https://example.com']);
  await answer('done');
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/1'));
  expect((await control('Link')).value).toBe('https://example.com');
});

/** Puts the page away, as by going to another tab: what a form would store a moment later, it stores now. */
async function putAway(): Promise<void> {
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  seen.mockRestore();
}

test('stores a create draft when the page is put away', async () => {
  open('/partner-create');
  await type('Name', 'Alpha');
  await putAway();
  expect([...world.drafts.keys()]).toEqual(['7/partners/new']);
});

test('stores no create draft of later typing in an already saved record', async () => {
  open('/partner-create');
  await typeOn(['Name', 'Alpha'], 'Add Partner', ['Link', 'https://example.com']);
  await putAway();
  expect([...world.drafts.keys()]).toEqual([]);
});

test('leaves the form as usual if nothing more was typed', async () => {
  open('/partner-create');
  await type('Name', 'Delta');
  await submit('Add Partner');
  await answer('done');
  await screen.findByText('All Partners');
  expect(world.drafts.size).toBe(0);
});

test('the first field of a new record has the focus', async () => {
  open('/partner-create');
  const name = await control('Name');
  await waitFor(() => expect(document.activeElement).toBe(name));
});

test('saves nothing while a photo is being read, however Save is triggered', async () => {
  open('/st-create');
  const bytes = Promise.withResolvers<ArrayBuffer>();
  const photo = new File(['GIF89a'], 'lamp.gif', { type: 'image/gif' });
  photo.arrayBuffer = () => bytes.promise;
  await type('Capacity', '90W');
  await userEvent.upload(await control('Images'), photo);
  const save = await screen.findByRole('button', { name: 'Reading photos…' });
  fireEvent.submit(save.closest('form') as HTMLFormElement);
  await userEvent.keyboard('{Control>}s{/Control}');
  expect(outbox.enqueue).not.toHaveBeenCalled();
  bytes.resolve(new TextEncoder().encode('GIF89a').buffer as ArrayBuffer);
  await submit('Add Street Light');
  expect(lastSaved()).toMatchObject({ values: { capacity: '90W' }, files: [{ name: 'lamp.gif' }] });
});

test('clears the message about a picked photo with its form', async () => {
  open('/st-create');
  const photo = () => new File(['GIF89a'], 'lamp.gif', { type: 'image/gif' });
  await userEvent.upload(await control('Images'), photo());
  await screen.findByRole('button', { name: 'Remove lamp.gif' });
  await userEvent.upload(await control('Images'), photo());
  expect(await screen.findByText(/already here/)).toBeDefined();
  await submit('Add Street Light');
  await answer('done');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove lamp.gif' })).toBeNull());
  expect(screen.queryByText(/already here/)).toBeNull();
});
