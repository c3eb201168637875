import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { useConnection } from '../../src/stores/connection.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { hasUnsavedWork, isFormInUse } from '../../src/stores/unsaved.ts';
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
  refusedCreate,
  submit,
  type,
  world,
} from './open-form.tsx';

const toasts = () =>
  useNotifications
    .getState()
    .take()
    .map(({ kind, message }) => `${kind}: ${message}`);

beforeEach(() => {
  useNotifications.getState().take();
});
afterEach(() => useConnection.setState({ radio: true, answers: undefined, portal: false }));

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const leaveField = () => userEvent.tab();
const withdrawn = () => vi.mocked(outbox.withdraw).mock.calls.map(([{ id }]) => id);

/** From now on the server refuses what is saved, with errors per field. */
function refuses(errors: Record<string, readonly string[]>, message = 'The given data was invalid.'): void {
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => {
    const entry = entryOf(changeOf(draft), { id: 'refused-now' });
    const refused = { ...entry, state: 'attention', reason: { code: 'refused', message, errors } } as OutboxEntry;
    vi.mocked(outbox.follow).mockResolvedValue(refused);
    return entry;
  });
}

test('shows refusals beside fields and in the focused summary, and leaves nothing queued', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  refuses({ name: ['The name is taken.', 'Second.'], licence: ['The licence has expired.'] });
  await type('Name', 'Epsilon');
  await submit('Update');
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toBe('Check 1 fieldThe name is taken.The licence has expired.');
  await waitFor(() => expect(document.activeElement).toBe(summary));
  const name = await control('Name');
  expect(name.getAttribute('aria-invalid')).toBe('true');
  expect((await control('Link')).getAttribute('aria-invalid')).not.toBe('true');
  expect(document.getElementById(name.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent).toContain(
    'The name is taken.',
  );
  await userEvent.click(within(summary).getByRole('link', { name: 'The name is taken.' }));
  expect(document.activeElement).toBe(name);
  expect(withdrawn()).toEqual(['refused-now']);
  expect(toasts()).toEqual(['error: The given data was invalid.']);
  expect(router.state.location.pathname).toBe('/partner-edit/1');
  expect(name.value).toBe('Epsilon');
  expect(button('Update').disabled).toBe(false);
});

test('clears the error of a field when it is edited, and keeps the others', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  refuses({ name: ['The name is taken.'], link: ['The link is bad.'] });
  await type('Name', 'Epsilon');
  await submit('Update');
  await screen.findByRole('alert');
  await type('Name', 'Zeta');
  expect(screen.queryByText('The name is taken.')).toBeNull();
  expect((await control('Name')).getAttribute('aria-invalid')).not.toBe('true');
  expect((await control('Link')).getAttribute('aria-invalid')).toBe('true');
});

test('reports a sent change in the server’s words, and removes the draft', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await waitFor(() => expect(world.drafts.size).toBe(1));
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => {
    const entry = entryOf(changeOf(draft));
    const receipt = { at: Date.now(), message: 'Partner Updated Successfully' };
    vi.mocked(outbox.follow).mockResolvedValue({ ...entry, state: 'done', receipt } as OutboxEntry);
    return entry;
  });
  await submit('Update');
  await screen.findByText('All Partners');
  expect(router.state.location.state).toMatchObject({ back: true, saved: '1' });
  expect(toasts()).toEqual(['success: Partner Updated Successfully']);
  await waitFor(() => expect(world.drafts.size).toBe(0));
});

test('names a waiting change by what was typed, also when it repairs a refused one', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await submit('Update');
  expect(vi.mocked(outbox.enqueue).mock.lastCall?.[1]).toEqual({ administrator: '7', title: 'Epsilon' });
  cleanup();
  know('local-1', undefined, [refusedCreate()]);
  open('/partner-edit/local-1');
  await type('Name', 'Sigma');
  await submit('Update');
  expect(vi.mocked(outbox.repair).mock.lastCall?.[2]).toEqual({ administrator: '7', title: 'Sigma' });
});

test('says that a change without an answer is on this device, and returns to the list', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await submit('Update');
  await answer('pending');
  await screen.findByText('All Partners');
  expect(toasts()).toEqual(['info: Saved on this device. It will be sent when the connection returns.']);
  await waitFor(() => expect(world.drafts.size).toBe(0));
});

test('keeps what is typed as an unsaved draft until it is reverted', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await control('Name');
  expect([hasUnsavedWork(), screen.queryByText('Not saved yet')]).toEqual([false, null]);
  await type('Name', 'Epsilon');
  expect(hasUnsavedWork()).toBe(true);
  expect(screen.getByText('Not saved yet')).toBeDefined();
  // with its base, in case somebody else saves the record before the form is reopened
  const kept = { values: { name: 'Epsilon' }, base: { version: 'v1', values: { name: 'Delta' } } };
  await waitFor(() => expect([...world.drafts.values()]).toMatchObject([kept]));
  await type('Name', 'Delta');
  expect(hasUnsavedWork()).toBe(false);
  expect(screen.queryByText('Not saved yet')).toBeNull();
  await waitFor(() => expect(world.drafts.size).toBe(0));
});

test('a form that waits for its answer is in use, and its button says that it is busy', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  expect(button('Update').disabled).toBe(false);
  await submit('Update');
  expect(isFormInUse()).toBe(true);
  expect(button('Update').disabled).toBe(true);
  await answer('done');
  await screen.findByText('All Partners');
  expect(isFormInUse()).toBe(false);
});

test('keeps the form open with its content, and says that nothing was saved, when the storage fails', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  vi.mocked(outbox.enqueue).mockRejectedValue(new Error('locked'));
  await type('Name', 'Epsilon');
  await submit('Update');
  await waitFor(() =>
    expect(toasts()).toEqual([expect.stringMatching(/^error: This device’s storage isn’t responding\./)]),
  );
  expect(router.state.location.pathname).toBe('/partner-edit/1');
  expect((await control('Name')).value).toBe('Epsilon');
  expect([hasUnsavedWork(), button('Update').disabled]).toEqual([true, false]);
});

test('shows what is wrong below a field after it was left, not while typing, nor for an empty one', async () => {
  open('/partner-create');
  const hint = () => screen.queryByText('The link must be a valid URL.');
  await userEvent.click(await control('Link'));
  await leaveField();
  await type('Link', 'no address');
  await userEvent.clear(await control('Name'));
  await leaveField();
  expect(screen.queryByText(/field is required/)).toBeNull();
  await userEvent.click(await control('Link'));
  await leaveField();
  expect(hint()).not.toBeNull();
  await type('Link', 'https://example.com');
  expect(hint()).toBeNull();
});

test('does not call a field wrong that was not left yet, although another one was', async () => {
  open('/partner-create');
  await userEvent.click(await control('Name'));
  await leaveField();
  await type('Link', 'no address');
  expect(screen.queryByText('The link must be a valid URL.')).toBeNull();
});

test('offline, shows what is missing below its field and above the form, and saves nothing', async () => {
  act(() => useConnection.setState({ radio: false }));
  open('/partner-create');
  await type('Link', 'https://example.com');
  await press('Add Partner');
  const summary = await screen.findByRole('alert');
  expect(summary.textContent).toMatch(/^You’re offline, and the server will probably reject this: check 2 fields/);
  expect(summary.dataset['warning']).toBe('true');
  expect(within(summary).getByRole('button', { name: 'Save anyway' })).toBeDefined();
  expect(screen.getAllByText('The name field is required.').length).toBeGreaterThan(1);
  expect(outbox.enqueue).not.toHaveBeenCalled();
});

test('offline, saves a change at once that the server would accept', async () => {
  act(() => useConnection.setState({ radio: false }));
  know('1', { ...partner(1, 'Delta'), link: 'https://delta.example' });
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await submit('Update');
  expect(lastSaved()).toMatchObject({ op: 'update', values: { name: 'Epsilon', link: 'https://delta.example' } });
  expect(screen.queryByRole('alert')).toBeNull();
  await answer('pending');
});

test('online, leaves it to the server to say what is missing', async () => {
  open('/partner-create');
  await type('Link', 'https://example.com');
  await submit('Add Partner');
  expect(lastSaved()).toMatchObject({ op: 'create', values: { name: '', link: 'https://example.com' } });
  expect(screen.queryByRole('button', { name: 'Save anyway' })).toBeNull();
  await answer('done');
});

test('says that a draft is from yesterday', async () => {
  know('1', partner(1, 'Delta'));
  const { unmount } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await waitFor(() => expect([...world.drafts.values()]).toMatchObject([{ values: { name: 'Epsilon' } }]));
  unmount();
  for (const [key, draft] of world.drafts) world.drafts.set(key, { ...draft, savedAt: Date.now() - 86_400_000 });
  open('/partner-edit/1');
  expect((await screen.findByText('Unsaved draft restored')).parentElement?.textContent).toContain('(yesterday ');
});

test('says when a restored draft was saved, and Discard returns to the record', async () => {
  know('1', partner(1, 'Delta'));
  const { unmount } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await waitFor(() => expect([...world.drafts.values()]).toMatchObject([{ values: { name: 'Epsilon' } }]));
  unmount();
  open('/partner-edit/1');
  expect((await screen.findByText('Unsaved draft restored')).parentElement?.textContent).toMatch(/\(\d\d:\d\d/);
  expect((await control('Name')).value).toBe('Epsilon');
  await press('Discard');
  expect((await control('Name')).value).toBe('Delta');
  expect(document.activeElement).toBe(await control('Name'));
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
  expect(hasUnsavedWork()).toBe(false);
  await waitFor(() => expect(world.drafts.size).toBe(0));
});

test('does not call a form that was started with shared photos a restored draft', async () => {
  const photo = { key: 'a', field: 'image', name: 'roof.png', type: 'image/png', blob: new Blob(['roof']) };
  world.drafts.set('7/partners/new', { values: { name: '', link: '' }, files: [photo], savedAt: 0 });
  open('/partner-create');
  await screen.findByRole('button', { name: 'Remove roof.png' });
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
  await waitFor(() => expect(world.drafts.get('7/partners/new')?.savedAt).toBeGreaterThan(0));
});

test('no longer mentions a restored draft once its text equals what is stored', async () => {
  know('1', partner(1, 'Delta'));
  const { unmount } = open('/partner-edit/1');
  await type('Name', 'Epsilon');
  await waitFor(() => expect([...world.drafts.values()]).toMatchObject([{ values: { name: 'Epsilon' } }]));
  unmount();
  open('/partner-edit/1');
  await screen.findByText('Unsaved draft restored');
  await type('Name', 'Delta');
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
});

test('disables every control for a viewer, and links back', async () => {
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  const name = await control('Name');
  expect(name.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Update' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/partner-all');
});

test('disables Save while a photo is being read', async () => {
  open('/st-create');
  const photo = new File(['GIF89a'], 'lamp.gif', { type: 'image/gif' });
  const bytes = Promise.withResolvers<ArrayBuffer>();
  photo.arrayBuffer = () => bytes.promise;
  await userEvent.upload(await control('Images'), photo);
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Reading photos…' })).disabled).toBe(true);
  bytes.resolve(new TextEncoder().encode('GIF89a').buffer as ArrayBuffer);
  await waitFor(() => expect(button('Add Street Light').disabled).toBe(false));
});

test('Cancel leads to the list as a step back', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  await userEvent.click(await screen.findByRole('link', { name: 'Cancel' }));
  await screen.findByText('All Partners');
  expect(router.state.location.state).toMatchObject({ back: true });
});

test('Cancel with Ctrl leaves the press to the browser, which opens the list in another tab', async () => {
  know('1', partner(1, 'Delta'));
  const { router } = open('/partner-edit/1');
  const link = await screen.findByRole('link', { name: 'Cancel' });
  expect(fireEvent.click(link, { ctrlKey: true })).toBe(true);
  expect(router.state.location.pathname).toBe('/partner-edit/1');
});

test('does not report a record as a duplicate of itself', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  expect(screen.queryByText('Already exists:')).toBeNull();
});
