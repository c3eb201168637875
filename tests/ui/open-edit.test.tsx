import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useSession } from '../../src/stores/session.ts';
import {
  NADIA,
  OMAR,
  answer,
  changeOf,
  control,
  entryOf,
  follows,
  know,
  lastSaved,
  open,
  outbox,
  partner,
  press,
  refusedCreate,
  refusedEdit,
  refusedStreetLight,
  submit,
  type,
  typeOn,
  world,
} from './open-form.tsx';

test('keeps the form open for text typed during a save, based on what was saved', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  await typeOn(['Name', 'Epsilon'], 'Update', ['Link', 'https://example.com']);
  await answer('done');
  expect((await control('Link')).value).toBe('https://example.com');
  expect(screen.getByText('Not saved yet')).toBeDefined();
  expect(router.state.location.pathname).toBe('/partner-edit/1');
  await submit('Update');
  const values = { name: 'Epsilon', link: 'https://example.com' };
  expect(lastSaved()).toMatchObject({ values, files: [], base: { values: { name: 'Epsilon', link: '' } } });
  await answer('done');
  await screen.findByText('All Partners');
  expect(world.drafts.size).toBe(0);
});

test('does not call a slow save of one’s own a change on the server', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await typeOn(['Name', 'Epsilon'], 'Update', ['Link', 'https://example.com'], () =>
    know('1', { ...partner(1, 'Epsilon'), version: 'v2' }),
  );
  expect((await control('Link')).value).toBe('https://example.com');
  expect(screen.queryByText(/changed on the server/)).toBeNull();
  await answer('done');
  expect(screen.queryByText(/changed on the server/)).toBeNull();
});

test('reports a change by someone else while the record is being edited', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  know('1', { ...partner(1, 'Sigma'), version: 'v2' });
  await type('Link', 'https://example.com');
  expect(screen.getByText(/changed on the server/)).toBeDefined();
});

test('shows someone else’s value below its field, and applies it only on request', async () => {
  know('1', { ...partner(1, 'Delta'), link: 'https://a.example' });
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  know('1', { ...partner(1, 'Sigma'), link: '', version: 'v2' });
  expect(await screen.findByText('Someone else: “Sigma”')).toBeDefined();
  expect(screen.getByText('Emptied by someone else')).toBeDefined();
  expect((await control('Name')).value).toBe('Epsilon');
  await userEvent.click(screen.getAllByRole('button', { name: 'Use this' })[0] as HTMLElement);
  expect((await control('Name')).value).toBe('Sigma');
  expect(screen.queryByText('Someone else: “Sigma”')).toBeNull();
});

test('adds a new photo with the name of an existing one to a repaired change', async () => {
  const refused = refusedStreetLight('image.jpg');
  know('local-1', undefined, [refused], undefined, streetLights);
  open('/st-edit/local-1');
  await screen.findByRole('button', { name: 'Remove image.jpg' });
  await userEvent.upload(await control('Images'), new File(['GIF89a another'], 'image.jpg', { type: 'image/jpeg' }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Remove image.jpg' })).toHaveLength(2));
  await submit('Update');
  const [, draft] = vi.mocked(outbox.repair).mock.lastCall ?? [];
  const sizes = draft !== undefined && 'files' in draft ? draft.files.map(({ name, blob }) => [name, blob.size]) : [];
  expect(sizes).toEqual([
    ['image.jpg', 4],
    ['image.jpg', 14],
  ]);
});

test('Undo keeps a photo whose deletion waits', async () => {
  const images = [{ id: 4, image: 'four.jpg' }];
  const lamp = { id: 1, brand: 'Lumen', images, version: 'v1' } as unknown as ServerRecord;
  const change = { op: 'delete-image', resource: 'street-lights', recordId: '1', imageId: 4, image: 'four.jpg' };
  know('1', lamp, [entryOf(change as Change, { id: 'deletion-1' })], undefined, streetLights);
  vi.mocked(outbox.undo).mockImplementation(async () => {
    know('1', lamp, [], undefined, streetLights);
    return true;
  });
  open('/st-edit/1');
  expect(await screen.findByText('Will be deleted when sent')).toBeDefined();
  await press('Undo: keep photo 1');
  expect(outbox.undo).toHaveBeenCalledWith('deletion-1');
  expect(await screen.findByRole('button', { name: 'Delete photo 1' })).toBeDefined();
});

test('bases later typing on what was saved, even if the record shows that already', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await typeOn(['Name', 'Epsilon'], 'Update', ['Name', 'Delta'], () =>
    know('1', partner(1, 'Delta'), [entryOf({ recordId: '1', ...lastSaved() } as Change)]),
  );
  await answer('pending');
  expect((await control('Name')).value).toBe('Delta');
  await submit('Update');
  expect(lastSaved()).toMatchObject({ values: { name: 'Delta' }, base: { values: { name: 'Epsilon' } } });
});

test('keeps the form of a repaired change open for later typing, and no longer repairs it', async () => {
  const refused = refusedCreate();
  know('local-1', undefined, [refused]);
  open('/partner-edit/local-1');
  await typeOn(['Name', 'Mended'], 'Update', ['Link', 'https://example.com'], () =>
    know('local-1', undefined, [entryOf({ ...refused.change, values: { name: 'Mended' } } as Change)]),
  );
  await answer('pending');
  expect(screen.queryByText('The server refused this change.')).toBeNull();
  await submit('Update');
  expect(outbox.repair).toHaveBeenCalledTimes(1);
  expect(lastSaved()).toMatchObject({ op: 'update', recordId: 'local-1', files: [], base: { values: { link: '' } } });
});

test('restores later typing in the form of a record that gets its server id', async () => {
  const typed = { values: { name: 'Delta', link: 'https://example.com' }, files: [], savedAt: Date.now() };
  world.drafts.set('7/partners/local-1', typed);
  know('local-1', partner(1, 'Delta'));
  know('1', partner(1, 'Delta'), [], 'local-1');
  const { router } = open('/partner-edit/local-1');
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/1'));
  expect((await control('Link')).value).toBe('https://example.com');
  await waitFor(() => expect([...world.drafts.keys()]).toEqual(['7/partners/1']));
});

test('restores a draft whose record was sent while the app was closed', async () => {
  const typed = { values: { name: 'Delta', link: 'https://example.com' }, files: [], savedAt: Date.now() };
  world.drafts.set('7/partners/local-1', typed);
  know('1', partner(1, 'Delta'), [], 'local-1');
  open('/partner-edit/1');
  expect((await control('Link')).value).toBe('https://example.com');
  expect([...world.drafts.keys()]).toEqual(['7/partners/1']);
});

test('lays later typing over the refused change that the edit was merged into', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  const earlier = refusedEdit('1');
  vi.mocked(outbox.enqueue).mockImplementationOnce(async () =>
    follows({ ...earlier, state: 'pending' } as OutboxEntry),
  );
  await typeOn(['Name', 'Too long'], 'Update', ['Link', 'https://example.com']);
  const values = { name: 'Too long', link: '' };
  const merged = { ...earlier.change, values } as Change;
  know('1', partner(1, 'Delta'), [{ ...earlier, change: merged }]);
  await answer('attention');
  await screen.findByText('The server refused this change.');
  expect((await control('Link')).value).toBe('https://example.com');
  expect((await control('Name')).value).toBe('Too long');
  await submit('Update');
  const [entryId, draft] = vi.mocked(outbox.repair).mock.lastCall ?? [];
  expect(entryId).toBe('refused-1');
  expect(draft).toMatchObject({ values: { link: 'https://example.com' }, files: [{ name: 'logo.png' }] });
});

test('a refused change keeps its files when what was typed over it is discarded', async () => {
  know('local-1', undefined, [refusedCreate()]);
  const typed = { values: { name: 'Half typed', link: '' }, files: [], savedAt: Date.now() };
  world.drafts.set('7/partners/local-1', typed);
  open('/partner-edit/local-1');
  expect((await control('Name')).value).toBe('Half typed');
  await press('Discard');
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.getByRole('button', { name: 'Remove logo.png' })).toBeDefined();
  expect(screen.getAllByText('Too long.').length).toBeGreaterThan(0);
  await submit('Update');
  const [entryId, draft] = vi.mocked(outbox.repair).mock.lastCall ?? [];
  expect(entryId).toBe('refused-1');
  expect(draft).toMatchObject({ op: 'create', values: { name: 'Delta' }, files: [{ name: 'logo.png' }] });
});

test('can open another record after an edit was merged into a refused change', async () => {
  know('1', partner(1, 'Delta'));
  know('2', partner(2, 'Sigma'));
  const { router } = open('/partner-edit/1');
  const earlier = refusedEdit('1');
  vi.mocked(outbox.enqueue).mockImplementationOnce(async () =>
    follows({ ...earlier, state: 'pending' } as OutboxEntry),
  );
  await type('Name', 'Too long');
  await submit('Update');
  know('1', partner(1, 'Delta'), [earlier]);
  await answer('attention');
  await screen.findByText('The server refused this change.');
  await act(() => router.navigate('/partner-edit/2'));
  expect((await control('Name')).value).toBe('Sigma');
  await act(() => router.navigate('/partner-edit/1'));
  expect(await screen.findByText('The server refused this change.')).toBeDefined();
});

test('reopens the form for another user, and keeps the first one’s draft for them', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Typed by Nadia');
  await waitFor(() => expect(world.drafts.get('7/partners/1')?.values).toMatchObject({ name: 'Typed by Nadia' }));
  act(() => useSession.setState({ user: OMAR, token: 'token-2' }));
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.queryByText('Not saved yet')).toBeNull();
  expect([...world.drafts.keys()]).toEqual(['7/partners/1']);
  act(() => useSession.setState({ user: NADIA, token: 'token-3' }));
  expect((await control('Name')).value).toBe('Typed by Nadia');
});

test('compares a restored draft with the base it was typed on, even if the record has changed since', async () => {
  const base = { version: 'v0', values: { name: 'Delta', link: 'https://old.example' }, imageIds: [] };
  const values = { name: 'Delta Ltd', link: 'https://old.example' };
  world.drafts.set('7/partners/1', { values, files: [], savedAt: Date.now(), base });
  know('1', { ...partner(1, 'Delta'), link: 'https://new.example' } as ReturnType<typeof partner>);
  open('/partner-edit/1');
  await screen.findByText('Unsaved draft restored');
  expect((await control('Link')).value).toBe('https://old.example');
  expect(screen.getByText('Someone else: “https://new.example”')).toBeDefined();
  await submit('Update');
  expect(lastSaved()).toMatchObject({ values, base });
});

test('names a file that a refused change has lost, and shows the others once', async () => {
  const refused = refusedCreate();
  know('local-1', undefined, [refused]);
  open('/partner-edit/local-1');
  expect(await screen.findAllByRole('button', { name: 'Remove logo.png' })).toHaveLength(1);
  expect(screen.queryByText(/Lost on this device/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete logo.png' })).toBeNull();
  cleanup();

  vi.mocked(outbox.file).mockRejectedValue(new Error('Lost.'));
  open('/partner-edit/local-1');
  await screen.findByText(/Lost on this device\. Please attach again: logo\.png\./);
});

test('prefers a refused change to an older draft', async () => {
  const refused = { ...refusedEdit('1'), createdAt: 1000, lastAttemptAt: 5000 };
  world.drafts.set('7/partners/1', { values: { name: 'Older', link: '' }, files: [], savedAt: 3000 });
  know('1', partner(1, 'Delta'), [refused]);
  open('/partner-edit/1');
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
});

test('Keep editing closes the notice and keeps the text', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  know('1', { ...partner(1, 'Sigma'), version: 'v2' });
  await press('Keep editing');
  expect(screen.queryByText(/changed on the server/)).toBeNull();
  expect((await control('Name')).value).toBe('Epsilon');
});

test('keeps the form, under the new address, when its record gets the server id', async () => {
  know('local-1', undefined, [
    entryOf({
      op: 'create',
      resource: 'partners',
      recordId: 'local-1',
      values: { name: 'Delta', link: '' },
      files: [],
    }),
  ]);
  const { router } = open('/partner-edit/local-1');
  await type('Link', 'https://example.com');
  know('1', partner(1, 'Delta'), [], 'local-1');
  know('local-1', partner(1, 'Delta'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/1'));
  expect(router.state.historyAction).toBe('REPLACE');
  expect(router.state.location.state).toMatchObject({ samePage: true });
  expect((await control('Link')).value).toBe('https://example.com');
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
});

test('a viewer cannot save, not even by keyboard', async () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await screen.findByText(/Your role is viewer/);
  await userEvent.keyboard('{Control>}s{/Control}');
  expect(outbox.enqueue).not.toHaveBeenCalled();
});

test('offers an editor the Update button, and saves by keyboard', async () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  expect(await screen.findByRole('heading', { name: 'Edit Delta' })).toBeDefined();
  await type('Name', 'Epsilon');
  expect(screen.getByRole('button', { name: 'Update' })).toBeDefined();
  await userEvent.keyboard('{Control>}s{/Control}');
  await waitFor(() => expect(lastSaved()).toMatchObject({ values: { name: 'Epsilon' } }));
});

test('offline, asks before a save that the server would refuse, and allows it', async () => {
  useConnection.setState({ radio: false });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await userEvent.clear(await control('Name'));
  await press('Update');
  expect(outbox.enqueue).not.toHaveBeenCalled();
  await submit('Save anyway');
  expect(lastSaved()).toMatchObject({ values: { name: '' } });
  useConnection.setState({ radio: true });
});

test('saves once when Save is pressed again during a save', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await userEvent.keyboard('{Control>}ss{/Control}');
  await waitFor(() => expect(outbox.enqueue).toHaveBeenCalled());
  expect(outbox.enqueue).toHaveBeenCalledTimes(1);
  await answer('done');
});

test('opens the comparison when a save conflicts with someone else’s change', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  vi.mocked(outbox.enqueue).mockImplementationOnce(async (draft) =>
    follows({ ...entryOf(changeOf(draft), { id: 'mine' }), conflict: {} } as OutboxEntry),
  );
  await type('Name', 'Epsilon');
  await submit('Update');
  await answer('attention');
  await waitFor(() => expect(router.state.location.pathname).toBe('/outbox/conflict/mine'));
});
