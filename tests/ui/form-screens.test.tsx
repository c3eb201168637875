import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSession } from '../../src/stores/session.ts';
import {
  NADIA,
  control,
  entryOf,
  history,
  know,
  lastSaved,
  open,
  partner,
  press,
  reads,
  submit,
  type,
  world,
} from './open-form.tsx';

/** The screens around a form: what is shown when it cannot be opened, and who may do what in it. */

beforeEach(() => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No link.'))));
afterEach(() => vi.unstubAllGlobals());

async function duplicate() {
  const { router } = open('/partner-all');
  await act(() => router.navigate('/partner-create?from=5'));
}

const viewer = () => useSession.setState({ user: { ...NADIA, role: 'viewer' } });

test('says that a record no longer exists, with a link to its list', async () => {
  reads('1', { missing: true });
  open('/partner-edit/1');
  expect(await screen.findByText('This Partner no longer exists')).toBeDefined();
  expect(screen.getByRole('link', { name: /Partner/ }).getAttribute('href')).toBe('/partner-all');
  expect(screen.queryByText(/not on this device/)).toBeNull();
  expect(screen.queryByText('Loading')).toBeNull();
});

test('keeps what is typed into a record that somebody deletes meanwhile', async () => {
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  expect(screen.queryByText('Loading')).toBeNull();
  reads('1', { missing: true });
  expect((await control('Name')).value).toBe('Epsilon');
  expect(screen.queryByText(/no longer exists/)).toBeNull();
});

test('reports a record that cannot be read, and retries once at a time', async () => {
  const refresh = vi.fn<() => void>();
  reads('1', { failure: 'Can’t reach the server.', refresh });
  open('/partner-edit/1');
  expect(await screen.findByText('Can’t reach the server.')).toBeDefined();
  expect(screen.queryByText('Loading')).toBeNull();
  await press('Retry');
  expect(refresh).toHaveBeenCalledOnce();
  reads('1', { refreshing: true });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled).toBe(true);
});

test('opens a stored record even if the server cannot be reached', async () => {
  know('1', partner(1, 'Delta'));
  reads('1', { failure: 'Can’t reach the server.' });
  open('/partner-edit/1');
  expect((await control('Name')).value).toBe('Delta');
  expect(screen.queryByText('Loading')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test.each([
  ['editor', 1],
  ['viewer', 0],
] as const)('offers to restore earlier texts only to those who may edit (%s)', async (role, offered) => {
  useSession.setState({ user: { ...NADIA, role } });
  const changes = [
    { field: 'name', before: 'Older', after: 'Delta' },
    { field: 'link', before: '', after: 'https://delta.test' },
  ];
  const entry = { id: 2, at: '2026-11-20T10:00:00.000Z', administrator: 'Omar', action: 'update', changes } as const;
  const created = { ...entry, id: 1, action: 'create', changes: [] } as const;
  vi.mocked(history).mockResolvedValue([entry, created]);
  know('1', partner(1, 'Delta'));
  const { container } = open('/partner-edit/1');
  await userEvent.click(await screen.findByText('History'));
  act(() => void container.querySelector('details')?.dispatchEvent(new Event('toggle')));
  expect(await screen.findByText('Changed by Omar')).toBeDefined();
  const buttons = screen.queryAllByRole('button', { name: 'Restore this version' });
  expect(buttons).toHaveLength(offered);
  if (buttons[0] === undefined) return;
  await userEvent.click(buttons[0]);
  expect([(await control('Name')).value, (await control('Link')).value]).toEqual(['Older', '']);
  expect(screen.getByText('Not saved yet')).toBeDefined();
  // What came back is led to and marked, until something else is typed.
  expect(screen.getAllByText('From the earlier version')).toHaveLength(1);
  expect(document.activeElement).toBe(await control('Name'));
  await type('Name', 'Other');
  expect(screen.queryByText('From the earlier version')).toBeNull();
});

test('restores the version that a form was opened on after somebody changed the record', async () => {
  const change = (id: number, before: string, after: string) =>
    ({
      id,
      at: '2026-11-20T10:00:00.000Z',
      administrator: 'Omar',
      action: 'update',
      changes: [{ field: 'name', before, after }],
    }) as const;
  vi.mocked(history).mockResolvedValue([change(3, 'Delta', 'Sigma'), change(2, 'Older', 'Delta')]);
  know('1', partner(1, 'Delta'));
  const { container } = open('/partner-edit/1');
  await type('Link', 'https://delta.test');
  know('1', { ...partner(1, 'Sigma'), version: 'v2' });
  act(() => void container.querySelector('details')?.setAttribute('open', ''));
  act(() => void container.querySelector('details')?.dispatchEvent(new Event('toggle')));
  await userEvent.click(await screen.findByRole('button', { name: 'Restore this version' }));
  expect((await control('Name')).value).toBe('Delta');
  await submit('Update');
  expect(lastSaved()).toMatchObject({
    values: { name: 'Delta', link: '' },
    base: { version: 'v2', values: { name: 'Sigma', link: '' } },
  });
});

test('offers a viewer no form for a new record', async () => {
  viewer();
  open('/partner-create');
  expect(await screen.findByText('Your role is viewer')).toBeDefined();
  expect(screen.queryByLabelText('Name')).toBeNull();
});

test('an editor adds and edits records', async () => {
  useSession.setState({ user: { ...NADIA, role: 'editor' } });
  open('/partner-create');
  await type('Name', 'Delta');
  await submit('Add Partner');
  expect(lastSaved()).toMatchObject({ op: 'create', values: { name: 'Delta' } });
  cleanup();
  know('1', partner(1, 'Delta'));
  open('/partner-edit/1');
  await type('Name', 'Epsilon');
  expect(screen.getByRole('heading', { name: 'Edit Delta' })).toBeDefined();
  await submit('Update');
  expect(lastSaved()).toMatchObject({ op: 'update', values: { name: 'Epsilon' } });
});

test('starts a duplicate once the restored draft in its place is discarded', async () => {
  know('5', partner(5, 'Lumen'));
  world.drafts.set('7/partners/new', { values: { name: 'Half typed' }, files: [], savedAt: Date.now() });
  await duplicate();
  expect((await control('Name')).value).toBe('Half typed');
  await press('Discard');
  await waitFor(async () => expect((await control('Name')).value).toBe('Lumen'));
  expect(screen.queryByText('Unsaved draft restored')).toBeNull();
});

test('opens an empty form for a duplicate of a record that no longer exists', async () => {
  reads('5', { missing: true });
  await duplicate();
  expect((await control('Name')).value).toBe('');
});

test('retries reading the record to duplicate once at a time', async () => {
  reads('5', { failure: 'Can’t reach the server.', refreshing: true });
  await duplicate();
  expect(await screen.findByText('The Partner to duplicate is not on this device yet.')).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Retry' }).disabled).toBe(true);
});

test('a duplicate of a record with an unsent edit waits for the record, whose files it copies', async () => {
  const values = { name: 'Lumen II', link: '' };
  const base = { values: { ...values, name: 'Lumen' }, imageIds: [] };
  const edit = entryOf({ op: 'update', resource: 'partners', recordId: '5', values, files: [], base });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  know('5', undefined, [edit]);
  reads('5', { refreshing: true });
  await duplicate();
  expect(screen.queryByLabelText('Name')).toBeNull();
  know('5', partner(5, 'Lumen'), [edit]);
  expect((await control('Name')).value).toBe('Lumen II');
  expect(await screen.findByText('Copying the files too: 1 of 1…')).toBeDefined();
});
