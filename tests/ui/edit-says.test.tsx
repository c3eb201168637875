import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { rememberOrder } from '../../src/resource/list/list-order.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';
import { TAKING_SHARED } from '../../src/resource/paths.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import {
  NADIA,
  answer,
  changeOf,
  control,
  entryOf,
  know,
  lastSaved,
  open,
  outbox,
  partner,
  press,
  submit,
  type,
  world,
} from './open-form.tsx';

beforeEach(() => {
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = vi.fn<(url: string) => void>();
});
afterEach(() => rememberOrder(partners, []));

const lamp = {
  id: 1,
  brand: 'Lumen',
  capacity: '90W',
  model: 'S1',
  origin: 'Japan',
  images: [{ id: 8, image: 'a.jpg' }],
  version: 'v1',
} as unknown as ServerRecord;
const rows = (...ids: readonly string[]) => ids.map((recordId) => ({ recordId }));

/** Three partners in the order of their list, of which the second is open. */
async function openSecond() {
  rememberOrder(partners, rows('1', '2', '3'));
  for (const id of [1, 2, 3]) know(String(id), partner(id, `Partner ${id}`));
  const { router } = open('/partner-edit/2');
  await control('Name');
  return router;
}

test('Save and next opens the next record at the same field, ready to be typed over', async () => {
  const router = await openSecond();
  await type('Link', 'https://example.com');
  await submit('Save and next');
  expect(lastSaved()).toMatchObject({ op: 'update', recordId: '2', values: { link: 'https://example.com' } });
  await answer('done');
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/3'));
  const link = await control('Link');
  await waitFor(() => expect(document.activeElement).toBe(link));
});

test('Update returns to the list, even if there is a next record', async () => {
  await openSecond();
  await type('Link', 'https://example.com');
  await submit('Update');
  await answer('done');
  expect(await screen.findByText('All Partners')).toBeDefined();
});

test('shows the place in the list, and no next record after the last', async () => {
  const router = await openSecond();
  const place = within(screen.getByRole('navigation', { name: 'In the list' }));
  expect(place.getByText('2 of 3')).toBeDefined();
  expect(place.getByRole('link', { name: 'Previous' }).getAttribute('href')).toBe('/partner-edit/1');
  await userEvent.click(place.getByRole('link', { name: 'Next' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/3'));
  expect(await screen.findByText('3 of 3')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next' }).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save and next' })).toBeNull();
});

test('a list of one record has no neighbours to show', async () => {
  rememberOrder(partners, rows('1'));
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await control('Name');
  expect(screen.queryByRole('navigation', { name: 'In the list' })).toBeNull();
});

test('asks once before deleting an edited record, and Cancel leaves everything as it is', async () => {
  render(<ConfirmHost />);
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await press('Delete Partner');
  const question = 'Are you sure? You want to delete this partner?';
  const ask = async (label: string) => {
    const dialog = within(await screen.findByRole('alertdialog', { name: question }));
    await userEvent.click(dialog.getByRole('button', { name: label }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  };
  await ask('Cancel');
  await act(async () => {});
  expect([outbox.enqueue, router.state.location.pathname, hasUnsavedWork()]).toEqual([
    expect.anything(),
    '/partner-edit/1',
    true,
  ]);
  expect(outbox.enqueue).not.toHaveBeenCalled();
  await press('Delete Partner');
  await ask('Delete');
  expect(await screen.findByText('All Partners')).toBeDefined();
  expect(lastSaved()).toMatchObject({ op: 'delete', recordId: '1', base: { version: 'v1' } });
  expect([router.state.location.state, hasUnsavedWork()]).toEqual([{ back: true }, false]);
});

test('deletes a just saved record based on the version of that save', async () => {
  render(<ConfirmHost />);
  const values = { name: 'Epsilon', link: '' };
  const base = { version: 'v1', values: { name: 'Delta', link: '' }, imageIds: [] };
  const change: Change = { op: 'update', resource: 'partners', recordId: '1', values, base, files: [] };
  const receipt = { at: Date.now(), message: 'Partner Updated Successfully', version: 'v2' };
  know('1', partner(1, 'Delta'), [entryOf(change, { state: 'done', receipt })]);
  open('/partner-edit/1');
  await control('Name');
  await press('Delete Partner');
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(lastSaved()).toMatchObject({ op: 'delete', recordId: '1', base: { version: 'v2' } }));
});

test('opens a record whose deletion was refused as usual', async () => {
  const reason = { code: 'refused', message: 'It is in use.' };
  const deletion = { op: 'delete', resource: 'partners', recordId: '1' } as Change;
  know('1', partner(1, 'Delta'), [entryOf(deletion, { state: 'attention', reason } as never)]);
  open('/partner-edit/1');
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.queryByText('The server refused this change.')).toBeNull();
  expect(screen.queryByText('Will be deleted when sent')).toBeNull();
});

test('Duplicate links to the create form with the record’s id', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  const link = await screen.findByRole('link', { name: 'Duplicate' });
  expect(link.getAttribute('href')).toBe('/partner-create?from=1');
});

test('shows a viewer the record’s name as the heading, and no actions', async () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  expect(await screen.findByRole('heading', { name: 'Delta' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Delete Partner' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Duplicate' })).toBeNull();
});

test('lets a viewer enlarge photos, without Delete or a picker', async () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  know('1', lamp, [], undefined, streetLights);
  open('/st-edit/1');
  await userEvent.click(await screen.findByRole('button', { name: 'Enlarge Photo 1' }));
  expect(await screen.findByRole('dialog')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Delete photo 1', hidden: true })).toBeNull();
  expect(document.querySelector('input[type="file"]')).toBeNull();
});

/** An edit that waits, with these files. */
function waiting(...files: readonly { id: string; field: string; name: string }[]): OutboxEntry {
  const whole = files.map((file) => ({ type: 'image/gif', size: 4, sha256: 'ab', ...file }));
  const values = { brand: 'Lumen', capacity: '90W', model: 'S1', origin: 'Japan' };
  const change = {
    op: 'update',
    resource: 'street-lights',
    recordId: '1',
    values,
    files: whole,
    base: { values, imageIds: [8] },
  };
  return entryOf(change as unknown as Change, { id: 'waiting-1' });
}

test('shows waiting photos behind the stored ones, each in its field, and releases their bytes', async () => {
  vi.mocked(outbox.file).mockImplementation(async ({ name }) => new File(['GIF8'], name));
  const entry = waiting(
    { id: 'f-1', field: 'images', name: 'new.gif' },
    { id: 'f-2', field: 'catalog', name: 'plan.gif' },
  );
  know('1', lamp, [entry], undefined, streetLights);
  const { unmount } = open('/st-edit/1');
  const section = (await screen.findByRole('heading', { name: 'Previous Images' })).closest('section') ?? document.body;
  await waitFor(() => expect(section.querySelector('img[src="blob:photo"]')).not.toBeNull());
  const tiles = within(section).getAllByRole('listitem');
  expect(tiles.map(({ textContent }) => textContent.includes('Waiting to be sent'))).toEqual([false, true]);
  expect(document.querySelectorAll('.document')).toHaveLength(1);
  unmount();
  expect(URL.revokeObjectURL).toHaveBeenCalledTimes(2);
});

test('adds shared photos to the form once, and reports and keeps a file that is not a photo', async () => {
  const shared = (name: string, content: string) => ({
    key: name,
    field: '',
    name,
    type: 'image/gif',
    blob: new Blob([content]),
  });
  world.shared = { values: {}, files: [shared('roof.gif', 'GIF89a-roof'), shared('text.gif', 'text')], savedAt: 1 };
  know('1', lamp, [], undefined, streetLights);
  useNotifications.getState().take();
  open('/st-edit/1', TAKING_SHARED);
  expect(await screen.findByRole('button', { name: 'Remove roof.gif' })).toBeDefined();
  await waitFor(() => expect(world.shared?.files.map(({ name }) => name)).toEqual(['text.gif']));
  expect(screen.queryByRole('button', { name: 'Remove text.gif' })).toBeNull();
  expect(useNotifications.getState().take()).toMatchObject([
    { kind: 'error', message: expect.stringContaining('text.gif') },
  ]);
  await submit('Update');
  expect(lastSaved()).toMatchObject({ op: 'update', files: [{ name: 'roof.gif' }] });
  await answer('done');
});

test('takes one of several shared photos for a single picture, says so, and keeps the others shared', async () => {
  const shared = (name: string) => ({
    key: name,
    field: '',
    name,
    type: 'image/gif',
    blob: new Blob([`GIF89a-${name}`]),
  });
  world.shared = { values: {}, files: [shared('a.gif'), shared('b.gif')], savedAt: 1 };
  know('1', partner(1, 'Delta'));
  useNotifications.getState().take();
  const { router } = open('/partner-edit/1', TAKING_SHARED);
  expect(await screen.findByRole('button', { name: 'Remove a.gif' })).toBeDefined();
  await waitFor(() => expect(world.shared?.files.map(({ name }) => name)).toEqual(['b.gif']));
  expect(useNotifications.getState().take()).toMatchObject([
    { kind: 'info', message: 'There is space for one photo. The others stay shared.' },
  ]);
  // A reload would take the next one in its place.
  await waitFor(() => expect(router.state.location.state).not.toMatchObject(TAKING_SHARED));
});

test('a stored photo is deleted by its own id', async () => {
  render(<ConfirmHost />);
  know('1', lamp, [], undefined, streetLights);
  open('/st-edit/1');
  await press('Delete photo 1');
  const dialog = within(
    await screen.findByRole('alertdialog', { name: 'Are you sure? You want to delete this image?' }),
  );
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(lastSaved()).toMatchObject({ op: 'delete-image', imageId: 8, image: 'a.jpg' }));
});

test('shows the refusal of a photo at that photo', async () => {
  open('/st-create');
  const pick = (name: string) => new File([`GIF89a-${name}`], name, { type: 'image/gif' });
  await userEvent.upload(await control('Images'), [pick('one.gif'), pick('two.gif')]);
  await screen.findByRole('button', { name: 'Remove two.gif' });
  const reason = { code: 'refused', message: 'No.', errors: { 'images.1': ['The photo is too dark.'] } };
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => {
    const entry = entryOf(changeOf(draft));
    vi.mocked(outbox.follow).mockResolvedValue({ ...entry, state: 'attention', reason } as OutboxEntry);
    return entry;
  });
  await submit('Add Street Light');
  await screen.findByRole('alert');
  const tiles = within(screen.getByRole('list', { name: 'New photos' })).getAllByRole('listitem');
  expect(tiles.map(({ textContent }) => textContent.includes('The photo is too dark.'))).toEqual([false, true]);
});

test('adds a pasted picture to the only picture field of a partner', async () => {
  open('/partner-create');
  await control('Name');
  const files = [new File(['GIF89a'], 'pasted.gif', { type: 'image/gif' })];
  // the page listens for it once it is idle
  await waitFor(() => {
    const paste = Object.assign(new Event('paste', { cancelable: true }), { clipboardData: { files } });
    act(() => void document.dispatchEvent(paste));
    expect(paste.defaultPrevented).toBe(true);
  });
  expect(await screen.findByRole('button', { name: 'Remove pasted.gif' })).toBeDefined();
});

test('clears the form for another record after a save, and focuses the first field', async () => {
  open('/st-create');
  await type('Brand', 'Lumen');
  await submit('Add Street Light');
  await answer('done');
  const brand = await control('Brand');
  await waitFor(() => expect(brand.value).toBe(''));
  await waitFor(() => expect(document.activeElement).toBe(brand));
  expect(hasUnsavedWork()).toBe(false);
});
