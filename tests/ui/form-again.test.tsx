import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { photoField, type ServerRecord } from '../../src/domain/resource.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { takeFile } from '../../src/fields/photos/take-file.ts';
import { rememberOrder } from '../../src/resource/list/list-order.ts';
import { TAKING_SHARED } from '../../src/resource/paths.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { hasUnsavedWork } from '../../src/stores/unsaved.ts';
import { ConfirmHost } from '../../src/ui/confirm.tsx';
import {
  answer,
  changeOf,
  control,
  entryOf,
  follows,
  know,
  open,
  outbox,
  partner,
  press,
  refusedCreate,
  refusedEdit,
  submit,
  type,
  typeOn,
  world,
} from './open-form.tsx';

/** Forms that are opened, refused or left a second time: what they keep, and what they discard. */

afterEach(() => {
  rememberOrder(partners, []);
  useNotifications.getState().take();
});

const lamp = { id: 1, brand: 'Lumen', model: 'S1', images: [], version: 'v1' } as unknown as ServerRecord;
const toasts = () =>
  useNotifications
    .getState()
    .take()
    .map(({ message }) => message);

test('keeps a change that is refused twice in its form with what was typed, and focuses the errors', async () => {
  know('local-1', undefined, [refusedCreate()]);
  open('/partner-edit/local-1');
  await typeOn(['Name', 'Still too long'], 'Update', ['Link', 'https://example.com']);
  const name = await control('Name');
  await answer('attention');
  const summary = await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect(await control('Name')).toBe(name);
  expect((await control('Link')).value).toBe('https://example.com');
});

test('lays only later typing over the refused change that an edit was merged into', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  const earlier = refusedEdit('1');
  vi.mocked(outbox.enqueue).mockImplementationOnce(async () =>
    follows({ ...earlier, state: 'pending' } as OutboxEntry),
  );
  await typeOn(['Name', 'Too long'], 'Update', ['Name', 'Shorter']);
  const values = { name: 'Too long', link: 'https://merged.example' };
  know('1', partner(1, 'Delta'), [{ ...earlier, change: { ...earlier.change, values } as Change }]);
  await answer('attention');
  await screen.findByText('The server refused this change.');
  expect((await control('Name')).value).toBe('Shorter');
  expect((await control('Link')).value).toBe('https://merged.example');
});

test('removes an older draft once the refused change that replaced it is saved', async () => {
  world.drafts.set('7/partners/1', { values: { name: 'Older', link: '' }, files: [], savedAt: 3000 });
  know('1', partner(1, 'Delta'), [{ ...refusedEdit('1'), lastAttemptAt: 5000 }]);
  open('/partner-edit/1');
  await control('Name');
  await submit('Update');
  await answer('done');
  await screen.findByText('All Partners');
  await waitFor(() => expect(world.drafts.size).toBe(0));
});

test('a refused change stays in its form when the record changes on the server meanwhile', async () => {
  const refused = refusedEdit('1');
  know('1', partner(1, 'Delta'), [refused]);
  open('/partner-edit/1');
  await screen.findByText('The server refused this change.');
  know('1', { ...partner(1, 'Sigma'), version: 'v2' }, [refused]);
  expect(screen.getAllByText('Too long.').length).toBeGreaterThan(0);
  expect((await control('Name')).value).toBe('Delta');
  await submit('Update');
  expect(vi.mocked(outbox.repair).mock.lastCall?.[0]).toBe('refused-1');
});

test('repairs a refused change on its original base, not on the current record', async () => {
  know('1', { ...partner(1, 'Sigma'), version: 'v2' } as ServerRecord, [refusedEdit('1')]);
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await submit('Update');
  const [, draft] = vi.mocked(outbox.repair).mock.lastCall ?? [];
  expect(draft).toMatchObject({ op: 'update', base: { values: { name: 'Delta', link: '' } } });
});

test('the files of a refused change are in its form only, not beside the stored ones as well', async () => {
  know('local-1', undefined, [refusedCreate()]);
  open('/partner-edit/local-1');
  await screen.findByRole('button', { name: 'Remove logo.png' });
  expect(screen.queryByText('Previous image')).toBeNull();
});

test('the form of a refused change opens only once the files of that change have been read', async () => {
  const bytes = Promise.withResolvers<File>();
  know('1', partner(1, 'Sigma'), [refusedEdit('1')]);
  vi.mocked(outbox.file).mockReturnValue(bytes.promise);
  open('/partner-edit/1');
  await screen.findByRole('heading', { name: 'Edit Sigma' });
  await act(() => vi.dynamicImportSettled());
  expect(screen.queryByLabelText('Name')).toBeNull();
  await act(async () => bytes.resolve(new File(['logo'], 'logo.png', { type: 'image/png' })));
  expect((await control('Name')).value).toBe('Delta');
  // in the colour of the errors of its fields
  const notice = screen.getByText('The server refused this change.').closest('output');
  expect(notice?.dataset['refused']).toBe('true');
  expect(screen.getByRole('button', { name: 'Remove logo.png' })).toBeDefined();
});

test('all files that a refused change has lost are named', async () => {
  const refused = refusedCreate();
  const file = { id: 'logo-2', field: 'image', name: 'second.png', type: 'image/png', size: 4, sha256: 'cd' };
  const files = 'files' in refused.change ? [...refused.change.files, file] : [];
  vi.mocked(outbox.file).mockRejectedValue(new Error('Lost.'));
  know('local-1', undefined, [{ ...refused, change: { ...refused.change, files } as Change }]);
  open('/partner-edit/local-1');
  expect(await screen.findByText(/Please attach again: logo\.png, second\.png\./)).toBeDefined();
});

test('keeps what was typed while the deletion can be undone', async () => {
  render(<ConfirmHost />);
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await waitFor(() => expect([...world.drafts.keys()]).toEqual(['7/partners/1']));
  await press('Delete Partner');
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByText('All Partners');
  expect(hasUnsavedWork()).toBe(false);
  await waitFor(() => expect(world.drafts.get('7/partners/1')?.values['name']).toBe('Epsilon'));
});

test('disables Save and next while a save is pending, and selects the text of the next field', async () => {
  rememberOrder(partners, [{ recordId: '1' }, { recordId: '2' }]);
  know('1', partner(1, 'Delta'));
  know('2', partner(2, 'Sigma'));
  const { router } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await submit('Save and next');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save and next' }).disabled).toBe(true);
  await answer('done');
  await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/2'));
  const name = await control('Name');
  await waitFor(() => expect([name.selectionStart, name.selectionEnd]).toEqual([0, 'Sigma'.length]));
});

test('reports a conflict while more is typed, but not one that opens the comparison', async () => {
  const conflicted = async (draft: Parameters<typeof changeOf>[0]) =>
    follows({ ...entryOf(changeOf(draft), { id: 'mine' }), conflict: {} } as OutboxEntry);
  vi.mocked(outbox.enqueue).mockImplementation(conflicted);
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  await typeOn(['Name', 'Epsilon'], 'Update', ['Link', 'https://example.com']);
  await answer('attention');
  expect(toasts()).toEqual(['The same fields have changed since. Compare both versions.']);
  expect(router.state.location.pathname).toBe('/partner-edit/1');
  await submit('Update');
  await answer('attention');
  await screen.findByText('Compare');
  expect(toasts()).toEqual([]);
});

test.each([
  ['a conflict', { conflict: {} }],
  ['a refusal', { reason: { code: 'refused', message: 'Too long.', errors: {} } }],
])('%s after the form was left stays in the outbox', async (_, more) => {
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) =>
    follows({ ...entryOf(changeOf(draft), { createdAt: Date.now() + 1000 }), ...more } as OutboxEntry),
  );
  know('1', partner(1, 'Delta'));
  const { unmount } = open('/partner-edit/1');
  await typeOn(['Name', 'Epsilon'], 'Update', ['Link', 'https://example.com']);
  unmount();
  await answer('attention');
  expect(outbox.withdraw).not.toHaveBeenCalled();
  expect(toasts()).not.toContain('The same fields have changed since. Compare both versions.');
});

test('mentions a conflict or a waiting deletion only where there is one', async () => {
  const edit = entryOf({ ...refusedEdit('1').change } as Change, { id: 'mine', state: 'attention' });
  const deletion = entryOf({ op: 'delete', resource: 'partners', recordId: '2' } as Change);
  know('1', partner(1, 'Delta'), [{ ...edit, conflict: {} } as OutboxEntry]);
  know('2', partner(2, 'Sigma'), [deletion]);
  const first = open('/partner-edit/1');
  const compare = await screen.findByRole('link', { name: 'Compare' });
  expect(compare.getAttribute('href')).toBe('/outbox/conflict/mine');
  expect(screen.queryByText('Will be deleted when sent')).toBeNull();
  first.unmount();
  open('/partner-edit/2');
  expect(await screen.findByText('Will be deleted when sent')).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Compare' })).toBeNull();
});

test.each([
  ['a deletion', { op: 'delete' }, {}, 'Someone has changed it since. Delete anyway?'],
  ['the user’s own edit', {}, { own: true }, 'You edited the same fields twice.'],
  ['someone else’s edit', {}, {}, 'You and someone else edited the same fields.'],
])('says what kind of conflict it is: %s', async (_what, change, conflict, words) => {
  const entry = entryOf({ ...refusedEdit('1').change, ...change } as Change, { id: 'mine', state: 'attention' });
  know('1', partner(1, 'Delta'), [{ ...entry, conflict } as OutboxEntry]);
  open('/partner-edit/1');
  const compare = await screen.findByRole('link', { name: 'Compare' });
  expect(compare.closest('output')?.textContent).toBe(`${words}Compare`);
  expect(screen.queryByText('Will be deleted when sent')).toBeNull();
});

test('marks a new record as only on this device, unlike one of the server', async () => {
  know('local-1', undefined, [entryOf({ ...refusedCreate().change, recordId: 'local-1' } as Change)]);
  const first = open('/partner-edit/local-1');
  expect(await screen.findByText('Only on this device so far')).toBeDefined();
  first.unmount();
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await control('Name');
  expect(screen.queryByText('Only on this device so far')).toBeNull();
});

test.each([
  ['is being sent', { state: 'sending', delivery: ['attempt'] }, 'Sending'],
  ['may have arrived', { delivery: ['attempt'] }, 'New, checking whether it was saved'],
] as const)('does not call a new record only on this device when it %s', async (_, more, words) => {
  know('local-1', undefined, [entryOf({ ...refusedCreate().change, recordId: 'local-1' } as Change, more)]);
  open('/partner-edit/local-1');
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.queryByText('Only on this device so far')).toBeNull();
});

test('does not take shared photos that were meant for another form', async () => {
  const blob = new Blob(['GIF89a'], { type: 'image/gif' });
  world.shared = { values: {}, files: [{ key: 'a', field: '', name: 'a.gif', type: 'image/gif', blob }], savedAt: 1 };
  know('1', lamp, [], undefined, streetLights);
  open('/st-edit/1');
  await control('Images');
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.queryByRole('button', { name: 'Remove a.gif' })).toBeNull();
  expect(world.shared).toBeDefined();
});

test('Save waits for shared photos that are still being read', async () => {
  const bytes = Promise.withResolvers<ArrayBuffer>();
  const reading = vi.spyOn(Blob.prototype, 'arrayBuffer').mockReturnValueOnce(bytes.promise);
  const blob = new Blob(['GIF89a'], { type: 'image/gif' });
  world.shared = { values: {}, files: [{ key: 'a', field: '', name: 'a.gif', type: 'image/gif', blob }], savedAt: 1 };
  rememberOrder(streetLights, [{ recordId: '1' }, { recordId: '2' }]);
  know('1', lamp, [], undefined, streetLights);
  open('/st-edit/1', TAKING_SHARED);
  for (const name of ['Reading photos…', 'Save and next'])
    expect(await screen.findByRole<HTMLButtonElement>('button', { name })).toHaveProperty('disabled', true);
  await act(async () => bytes.resolve(new TextEncoder().encode('GIF89a').buffer as ArrayBuffer));
  expect(await screen.findByRole('button', { name: 'Remove a.gif' })).toBeDefined();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update' }).disabled).toBe(false));
  reading.mockRestore();
});

test('keeps photos shared when the form is left while they are being read', async () => {
  const bytes = Promise.withResolvers<ArrayBuffer>();
  const reading = vi.spyOn(Blob.prototype, 'arrayBuffer').mockReturnValueOnce(bytes.promise);
  const blob = new Blob(['GIF89a'], { type: 'image/gif' });
  world.shared = { values: {}, files: [{ key: 'a', field: '', name: 'a.gif', type: 'image/gif', blob }], savedAt: 1 };
  know('1', lamp, [], undefined, streetLights);
  const { router } = open('/st-edit/1', TAKING_SHARED);
  await screen.findByRole('button', { name: 'Reading photos…' });
  await act(() => router.navigate('/st-all'));
  await act(async () => bytes.resolve(new TextEncoder().encode('GIF89a').buffer as ArrayBuffer));
  // The same steps, started after it.
  const field = photoField(streetLights);
  if (field !== undefined) await takeFile(field, new File([blob], 'b.gif'));
  await act(async () => {});
  expect(world.shared).toBeDefined();
  reading.mockRestore();
});

test('no longer calls a draft restored once it is saved while more is typed', async () => {
  world.drafts.set('7/partners/1', { values: { name: 'Epsilon', link: '' }, files: [], savedAt: Date.now() });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await screen.findByText('Unsaved draft restored');
  await submit('Update');
  await type('Link', 'https://example.com');
  await answer('done');
  expect(await screen.findByText('Not saved yet')).toBeDefined();
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
});

test('leaves already saved photos out of the draft of later typing, so they are not sent twice', async () => {
  know('1', lamp, [], undefined, streetLights);
  open('/st-edit/1');
  await userEvent.upload(await control('Images'), new File(['GIF89a'], 'a.gif', { type: 'image/gif' }));
  await screen.findByRole('button', { name: 'Remove a.gif' });
  await submit('Update');
  await type('Capacity', '100W');
  const kept = () => world.drafts.get('7/street-lights/1');
  await waitFor(() => expect(kept()?.values).toMatchObject({ capacity: '100W' }));
  expect(kept()?.files).toEqual([]);
});
