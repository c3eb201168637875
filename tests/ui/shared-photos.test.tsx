import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation, useNavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drafts } from '../../src/api/drafts.ts';
import ShareScreen from '../../src/features/share/share-screen.tsx';
import { takeFile } from '../../src/fields/photos/take-file.ts';
import { openPanel, usePanel } from '../../src/stores/panels.ts';
import { useNotifications } from '../../src/stores/notifications.ts';
import { useSession } from '../../src/stores/session.ts';
import { soon } from '../harness/soon.ts';

/** What happens to shared photos: the record they go into, the draft they start, and when they are discarded. */

const device = vi.hoisted(() => ({ rows: new Map<string, readonly object[]>() }));
vi.mock('../../src/api/drafts.ts', () => ({
  drafts: { shared: vi.fn(), forgetShared: vi.fn(), read: vi.fn(), write: vi.fn() },
}));
vi.mock('../../src/fields/photos/take-file.ts', () => ({ takeFile: vi.fn() }));
vi.mock('../../src/api/reads.ts', () => ({
  useListedRow: () => undefined,
  knownRows: async ({ name }: { name: string }) => device.rows.get(name) ?? [],
}));

const NOW = Date.UTC(2026, 10, 20, 10);
const photoOf = (name: string) => ({ key: name, field: 'photos', name, type: 'image/png', blob: new Blob([name]) });
const [roof, cable] = [photoOf('roof.png'), photoOf('cable.png')];
const light = (id: number, model: string) => ({
  recordId: String(id),
  id,
  brand: 'Osram',
  model,
  capacity: '',
  origin: '',
});

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  device.rows = new Map<string, readonly object[]>([
    ['street-lights', Array.from({ length: 12 }, (_, place) => light(place + 1, `SL-${100 + place}`))],
    ['partners', [{ recordId: '4', id: 4, name: 'Osram Partner', image: '' }]],
  ]);
  // jsdom has no object URLs
  Object.assign(URL, { createObjectURL: () => 'blob:roof', revokeObjectURL: () => undefined });
  useSession.setState({ user: { id: 7, name: 'Nadia Rahman' }, token: 'token-1' });
  useNotifications.getState().take();
  openPanel(undefined);
  vi.mocked(drafts.write).mockResolvedValue();
  vi.mocked(drafts.forgetShared).mockResolvedValue();
  vi.mocked(drafts.shared).mockResolvedValue({ values: {}, files: [roof, cable], savedAt: 1 });
  vi.mocked(drafts.read).mockResolvedValue(undefined);
  vi.mocked(takeFile).mockImplementation(async (field, file) => ({
    ok: true,
    file: { key: `taken-${file.name}`, field: field.name, name: file.name, type: file.type, blob: file } as never,
  }));
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
  vi.useRealTimers();
});

function Elsewhere() {
  const { pathname, state } = useLocation();
  return <p>{`${useNavigationType()} ${pathname} ${JSON.stringify(state)}`}</p>;
}

function open() {
  return render(
    <MemoryRouter initialEntries={['/share']}>
      <Routes>
        <Route path="/share" element={<ShareScreen />} />
        <Route path="/*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const search = async (text: string) =>
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Find a record for these photos' }), {
    target: { value: text },
  });
const found = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));
const toasts = () => useNotifications.getState().take();

test('counts the photos and shows them with their names', async () => {
  open();
  expect(await screen.findByText('2 photos')).toBeDefined();
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['roof.png', 'cable.png']);
});

test('says that nothing was shared only once the device has been read', async () => {
  vi.mocked(drafts.shared).mockResolvedValue(undefined);
  open();
  expect(screen.queryByText('Nothing was shared')).toBeNull();
  expect(await screen.findByText('Nothing was shared')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('Discard removes the photos from the device', async () => {
  open();
  await press('Discard');
  expect(await screen.findByText('Nothing was shared')).toBeDefined();
  expect(drafts.forgetShared).toHaveBeenCalledOnce();
});

test('adds the photos to a new record before it removes them', async () => {
  open();
  await press('New Generator');
  expect(await screen.findByText('REPLACE /generator-create null')).toBeDefined();
  const taken = vi.mocked(takeFile).mock.calls.map(([field, { name, type }]) => [field.name, name, type]);
  expect(taken).toEqual([
    ['images', 'roof.png', 'image/png'],
    ['images', 'cable.png', 'image/png'],
  ]);
  const [[key, draft] = []] = vi.mocked(drafts.write).mock.calls;
  expect(key).toBe('7/generators/new');
  expect(draft).toMatchObject({ savedAt: 0, values: { brand: '', origin: '' } });
  expect(draft?.files.map(({ name }) => name)).toEqual(['roof.png', 'cable.png']);
  const [written, forgotten] = [drafts.write, drafts.forgetShared].map(
    (work) => vi.mocked(work).mock.invocationCallOrder[0] ?? 0,
  );
  expect(written).toBeLessThan(forgotten ?? 0);
});

test('adds one photo to a new record that has a single picture, says so, and keeps the others', async () => {
  vi.mocked(takeFile).mockResolvedValueOnce({ ok: false, reason: 'This is no picture.' } as never);
  const hall = photoOf('hall.png');
  vi.mocked(drafts.shared).mockResolvedValue({ values: {}, files: [roof, cable, hall], savedAt: 1 });
  open();
  await press('New Partner');
  await screen.findByText(/^REPLACE/);
  expect(vi.mocked(drafts.write).mock.calls[0]?.[1].files.map(({ name }) => name)).toEqual(['cable.png']);
  expect(vi.mocked(drafts.forgetShared).mock.calls).toEqual([[['cable.png']]]);
  expect(toasts().map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'error: This is no picture.',
    'info: There is space for one photo. The others stay shared.',
  ]);
});

test('keeps the texts and photos of a draft that was already started', async () => {
  const begun = { ...photoOf('begun.png'), field: 'images' };
  vi.mocked(drafts.read).mockResolvedValue({ values: { brand: 'Cummins' }, files: [begun], savedAt: 1 });
  open();
  await press('New Generator');
  await screen.findByText(/^REPLACE/);
  expect(drafts.read).toHaveBeenCalledExactlyOnceWith('7/generators/new');
  const draft = vi.mocked(drafts.write).mock.calls[0]?.[1];
  expect(draft).toMatchObject({ values: { brand: 'Cummins' }, savedAt: 1 });
  expect(draft?.files.map(({ name }) => name)).toEqual(['begun.png', 'roof.png', 'cable.png']);
});

test('adds the photos to the draft that the form will open, and not to that of a form in another tab', async () => {
  const query = async () => ({ held: [{ name: 'voltdesk-draft 7/generators/new' }] });
  Object.defineProperty(navigator, 'locks', { value: { query }, configurable: true });
  open();
  await press('New Generator');
  await screen.findByText(/^REPLACE/);
  Reflect.deleteProperty(navigator, 'locks');
  expect(vi.mocked(drafts.write).mock.calls[0]?.[0]).toBe('7/generators/new/2');
});

test('keeps the photos and reports each reason when none can be added', async () => {
  vi.mocked(takeFile).mockResolvedValue({ ok: false, reason: 'This is no picture.' } as never);
  open();
  await press('New Generator');
  await soon(() => expect(takeFile).toHaveBeenCalledTimes(2));
  await act(async () => {});
  expect(toasts().map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'error: This is no picture.',
    'error: This is no picture.',
  ]);
  expect(drafts.forgetShared).not.toHaveBeenCalled();
  expect(drafts.write).not.toHaveBeenCalled();
  expect(screen.getByText('2 photos')).toBeDefined();
});

const STORAGE_FAILED = 'error: This device’s storage isn’t responding. Nothing was changed. Try again. (locked)';

test.each([
  ['photos that no draft can be written for', 'write', 'New Generator'],
  ['photos that cannot be discarded', 'forgetShared', 'Discard'],
] as const)('%s are reported, and the photos are kept for another try', async (_, work, button) => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(drafts[work]).mockRejectedValueOnce(new Error('locked'));
  open();
  await press(button);
  await soon(() => expect(toasts().map(({ kind, message }) => `${kind}: ${message}`)).toEqual([STORAGE_FAILED]));
  expect(screen.getByText('2 photos')).toBeDefined();
  expect(screen.getByRole('button', { name: button })).toHaveProperty('disabled', false);
});

test('reports photos that cannot be read, and does not call them absent', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(drafts.shared).mockRejectedValue(new Error('locked'));
  open();
  await soon(() => expect(toasts().map(({ kind, message }) => `${kind}: ${message}`)).toEqual([STORAGE_FAILED]));
  expect(screen.queryByText('Nothing was shared')).toBeNull();
});

test('finds up to eight records of any kind by name', async () => {
  open();
  await search('osram');
  await soon(() => expect(found()).toHaveLength(8));
  await search('osram sl-105');
  await soon(() => expect(found()).toEqual(['/st-edit/6']));
  await search('osram partner');
  await soon(() => expect(found()).toEqual(['/partner-edit/4']));
  await search('osram sl-1 pole');
  expect(await screen.findByText('Nothing on this device matches “osram sl-1 pole”.')).toBeDefined();
});

test('finds a record that only this device knows yet, and none that is being deleted', async () => {
  device.rows.set('partners', [
    { recordId: 'local-1', name: 'Osram Norway', pending: 'create' },
    { recordId: '5', id: 5, name: 'Osram Denmark', pending: 'delete' },
  ]);
  open();
  await search('osram norway');
  await soon(() => expect(found()).toEqual(['/partner-edit/local-1']));
  await search('osram denmark');
  expect(await screen.findByText('Nothing on this device matches “osram denmark”.')).toBeDefined();
});

test('shows no results and no notice for an empty search', async () => {
  open();
  await screen.findByRole('searchbox');
  await act(async () => {});
  await search('  ');
  expect(found()).toEqual([]);
  expect(screen.queryByText(/^Nothing on this device/)).toBeNull();
});

test('replaces the page with the chosen record and its photos', async () => {
  open();
  await search('osram sl-105');
  await userEvent.click(await screen.findByRole('link', { name: /Osram SL-105/ }));
  expect(screen.getByText('REPLACE /st-edit/6 {"takeShared":true}')).toBeDefined();
});

test('ignores the query of another panel, and forgets a scan when the page closes', async () => {
  openPanel('find', 'pole');
  const { unmount } = open();
  expect(await screen.findByRole('searchbox')).toHaveProperty('value', '');
  act(() => openPanel(undefined, 'SL-105'));
  await soon(() => expect(screen.getByRole('searchbox')).toHaveProperty('value', 'SL-105'));
  unmount();
  expect(usePanel.getState()).toEqual({ open: undefined, query: '' });
});
