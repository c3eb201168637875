import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { create } from 'zustand';
import type { FormDraft } from '../../src/api/drafts.ts';
import { type ChangeDraft, outbox } from '../../src/api/outbox.ts';
import type { RecordReading } from '../../src/api/reads.ts';
import type { SiteMeta } from '../../src/api/sources.ts';
import { overlayRecord } from '../../src/domain/outbox/overlay.ts';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { ServerRecord } from '../../src/domain/resource.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import SiteMetaScreen from '../../src/features/site-meta/site-meta-screen.tsx';
import CreateScreen from '../../src/resource/create-screen.tsx';
import EditScreen from '../../src/resource/edit-screen.tsx';
import { useSession } from '../../src/stores/session.ts';

/** What the device and the server hold, as the screens are told of it. */
const world = vi.hoisted(() => ({
  siteMeta: undefined as SiteMeta | undefined,
  records: new Map<string, RecordReading>(),
  drafts: new Map<string, FormDraft>(),
  /** Ends the wait for the answer to the change that was saved last. */
  answer: (_state: OutboxEntry['state']): void => undefined,
  made: 0,
}));

vi.mock('../../src/api/reads.ts', () => ({
  useSiteMeta: () => ({ siteMeta: world.siteMeta, refreshing: false, refresh: () => undefined }),
  useOverlay: () => useWaiting(),
  useRecord: (_: unknown, id: string) => world.records.get(id) ?? READING,
}));
vi.mock('../../src/api/record-history.ts', () => ({ readHistory: vi.fn() }));
vi.mock('../../src/api/device.ts', () => ({ device: async () => ({ queueState: async () => ({}) }) }));
vi.mock('../../src/api/drafts.ts', () => ({
  drafts: {
    read: async (key: string) => world.drafts.get(key),
    write: async (key: string, draft: FormDraft) => void world.drafts.set(key, draft),
    remove: async (key: string) => void world.drafts.delete(key),
  },
}));
vi.mock('../../src/api/outbox.ts', () => ({
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
  outbox: {
    enqueue: vi.fn(),
    repair: vi.fn(),
    follow: vi.fn(),
    withdraw: vi.fn(),
    contentToMend: vi.fn(),
    file: vi.fn(),
    serverIdOf: vi.fn(),
  },
}));

/** What waits in the outbox. */
const useWaiting = create<OutboxEntry[]>()(() => []);

const READING = { refreshing: false, refresh: () => undefined, missing: false } as const;
const SETTINGS = { title: 'Volt', phone: '1', email: 'a@example.com', address: 'Road 1' };
const NADIA = { id: 7, name: 'Nadia Rahman' };
const OMAR = { id: 8, name: 'Omar Faruk' };

beforeEach(() => {
  world.siteMeta = { values: SETTINGS, version: 'v1' };
  useWaiting.setState([], true);
  world.records.clear();
  world.drafts.clear();
  useSession.setState({ user: NADIA, token: 'token-1' });
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => follows(entryOf(changeOf(draft))));
  vi.mocked(outbox.repair).mockImplementation(async (id, draft) => follows(entryOf(changeOf(draft), { id })));
  vi.mocked(outbox.contentToMend).mockResolvedValue({ values: {}, files: [] });
  vi.mocked(outbox.serverIdOf).mockResolvedValue(undefined);
});

afterEach(async () => {
  cleanup();
  vi.clearAllMocks();
  await vi.dynamicImportSettled();
});

/** The change of a draft, whose files have bytes of their own. */
function changeOf(draft: ChangeDraft): Change {
  return { recordId: 'local-1', ...draft, files: [] } as Change;
}

function entryOf(change: Change, more: Partial<OutboxEntry> = {}): OutboxEntry {
  world.made += 1;
  const entry = {
    id: `entry-${world.made}`,
    state: 'queued',
    administrator: '7',
    createdAt: Date.now(),
    change,
    ...more,
  };
  return entry as OutboxEntry;
}

/** From now on the answer to this change is waited for. */
function follows(entry: OutboxEntry): OutboxEntry {
  vi.mocked(outbox.follow).mockReturnValue(
    new Promise((resolve) => {
      world.answer = (state) => resolve({ ...entry, state });
    }),
  );
  return entry;
}

/** Ends the wait, and lets the form have its way. */
async function answer(state: OutboxEntry['state']): Promise<void> {
  await act(async () => world.answer(state));
}

/** A record that the device knows, with what waits for it laid over, and the id that it was made under here. */
function know(
  id: string,
  record: ServerRecord | undefined,
  entries: readonly OutboxEntry[] = [],
  localId?: string,
): void {
  const view = overlayRecord(partners, record, entries, id);
  world.records.set(id, {
    ...READING,
    view,
    ...(record && { record, serverId: record.id }),
    ...(localId && { localId }),
  });
}

function partner(id: number, name: string): ServerRecord {
  return { id, name, link: '', image: 'logo.png', version: 'v1' } as unknown as ServerRecord;
}

function open(address: string) {
  const router = createMemoryRouter(
    [
      { path: '/sete-meta-update', element: <SiteMetaScreen /> },
      { path: '/partner-create', element: <CreateScreen resource={partners} /> },
      { path: '/partner-edit/:id', element: <EditScreen resource={partners} /> },
      { path: '/partner-all', element: <p>All Partners</p> },
    ],
    { initialEntries: [address] },
  );
  return { router, ...render(<RouterProvider router={router} />) };
}

const control = async (label: string) => await screen.findByLabelText<HTMLInputElement>(label);

async function type(label: string, text: string): Promise<void> {
  const input = await control(label);
  await userEvent.clear(input);
  await userEvent.type(input, text);
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** Presses Save and waits until the change is on the device. */
async function submit(name: string): Promise<void> {
  const saved = () => vi.mocked(outbox.enqueue).mock.calls.length + vi.mocked(outbox.repair).mock.calls.length;
  const before = saved();
  await press(name);
  await waitFor(() => expect(saved()).toBe(before + 1));
}

/** What was saved last. */
function lastSaved(): ChangeDraft | undefined {
  return vi.mocked(outbox.enqueue).mock.lastCall?.[0];
}

describe('what is typed while the answer is waited for', () => {
  test('stands in the site meta, is kept as a draft, and is saved by the next press', async () => {
    open('/sete-meta-update');
    await type('Phone', '22');
    await submit('Submit');
    await type('Title', 'Typed on');
    await waitFor(() => expect(world.drafts.get('7/site-meta')?.values).toMatchObject({ title: 'Typed on' }));
    await answer('done');
    expect((await control('Title')).value).toBe('Typed on');
    expect((await control('Phone')).value).toBe('22');
    expect(screen.getByText('Not saved yet')).toBeDefined();
    expect(world.drafts.get('7/site-meta')?.values).toMatchObject({ title: 'Typed on', phone: '22' });
    await submit('Submit');
    expect(lastSaved()).toMatchObject({ values: { title: 'Typed on', phone: '22' } });
  });

  test('is told from what was saved, also where it takes a part of that back', async () => {
    open('/sete-meta-update');
    await type('Phone', '22');
    await submit('Submit');
    await type('Phone', '1');
    await answer('queued');
    expect((await control('Phone')).value).toBe('1');
    await submit('Submit');
    expect(lastSaved()).toMatchObject({ values: { phone: '1' }, base: { values: { phone: '22' } } });
  });

  test('keeps an edit open, which then goes on from what was saved', async () => {
    know('1', partner(1, 'Delta'));
    const { router } = open('/partner-edit/1');
    await type('Name', 'Epsilon');
    await submit('Update');
    await type('Link', 'https://example.com');
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

  test('is told from what was saved in an edit as well, whose record shows that already', async () => {
    know('1', partner(1, 'Delta'));
    open('/partner-edit/1');
    await type('Name', 'Epsilon');
    await submit('Update');
    know('1', partner(1, 'Delta'), [entryOf({ recordId: '1', ...lastSaved() } as Change)]);
    await type('Name', 'Delta');
    await answer('queued');
    expect((await control('Name')).value).toBe('Delta');
    await submit('Update');
    expect(lastSaved()).toMatchObject({ values: { name: 'Delta' }, base: { values: { name: 'Epsilon' } } });
  });

  test('keeps an edit open that mends a refused change, which is then mended no more', async () => {
    const refused = refusedCreate();
    know('local-1', undefined, [refused]);
    open('/partner-edit/local-1');
    await type('Name', 'Mended');
    await submit('Update');
    know('local-1', undefined, [entryOf({ ...refused.change, values: { name: 'Mended' } } as Change)]);
    await type('Link', 'https://example.com');
    await answer('queued');
    expect(screen.queryByText('The server refused this change.')).toBeNull();
    await submit('Update');
    expect(outbox.repair).toHaveBeenCalledTimes(1);
    expect(lastSaved()).toMatchObject({ op: 'update', recordId: 'local-1', files: [], base: { values: { link: '' } } });
  });

  test('goes on in the edit form of a record that was new', async () => {
    const { router } = open('/partner-create');
    await type('Name', 'Delta');
    await submit('Add Partner');
    know('local-1', undefined, [entryOf(changeOf(lastSaved() as ChangeDraft))]);
    await type('Link', 'https://example.com');
    await answer('queued');
    await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/local-1'));
    expect((await control('Link')).value).toBe('https://example.com');
    expect((await control('Name')).value).toBe('Delta');
    expect(screen.getByText('Not saved yet')).toBeDefined();
    await waitFor(() => expect([...world.drafts.keys()]).toEqual(['7/partners/local-1']));
    await submit('Update');
    expect(lastSaved()).toMatchObject({ op: 'update', recordId: 'local-1', values: { link: 'https://example.com' } });
  });

  test('is under the id of the server once the new record has one', async () => {
    vi.mocked(outbox.serverIdOf).mockResolvedValue(1);
    know('1', partner(1, 'Delta'));
    const { router } = open('/partner-create');
    await type('Name', 'Delta');
    await submit('Add Partner');
    await type('Link', 'https://example.com');
    await answer('done');
    await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/1'));
    expect((await control('Link')).value).toBe('https://example.com');
  });

  test('is in the edit form that opens while its record gets the id of the server', async () => {
    const typed = { values: { name: 'Delta', link: 'https://example.com' }, files: [], savedAt: Date.now() };
    world.drafts.set('7/partners/local-1', typed);
    know('local-1', partner(1, 'Delta'));
    know('1', partner(1, 'Delta'), [], 'local-1');
    const { router } = open('/partner-edit/local-1');
    await waitFor(() => expect(router.state.location.pathname).toBe('/partner-edit/1'));
    expect((await control('Link')).value).toBe('https://example.com');
    await waitFor(() => expect([...world.drafts.keys()]).toEqual(['7/partners/1']));
  });

  test('is found again where its record was sent while the app was closed', async () => {
    const typed = { values: { name: 'Delta', link: 'https://example.com' }, files: [], savedAt: Date.now() };
    world.drafts.set('7/partners/local-1', typed);
    know('1', partner(1, 'Delta'), [], 'local-1');
    open('/partner-edit/1');
    expect((await control('Link')).value).toBe('https://example.com');
    expect([...world.drafts.keys()]).toEqual(['7/partners/1']);
  });

  test('is laid over the refused change that the edit was merged into', async () => {
    know('1', partner(1, 'Delta'));
    open('/partner-edit/1');
    const earlier = refusedEdit('1');
    vi.mocked(outbox.enqueue).mockImplementationOnce(async () => follows({ ...earlier, state: 'queued' }));
    await type('Name', 'Too long');
    await submit('Update');
    await type('Link', 'https://example.com');
    const values = { name: 'Too long', link: '' };
    const merged = { ...earlier.change, values } as Change;
    const { files } = await outbox.contentToMend(earlier.id);
    vi.mocked(outbox.contentToMend).mockResolvedValue({ values, files });
    know('1', partner(1, 'Delta'), [{ ...earlier, change: merged }]);
    await answer('refused');
    await screen.findByText('The server refused this change.');
    expect((await control('Link')).value).toBe('https://example.com');
    expect((await control('Name')).value).toBe('Too long');
    await submit('Update');
    const [entryId, draft] = vi.mocked(outbox.repair).mock.lastCall ?? [];
    expect(entryId).toBe('refused-1');
    expect(draft).toMatchObject({ values: { link: 'https://example.com' }, files: [{ name: 'logo.png' }] });
  });

  test('is not asked for where nothing was typed: the form is left as ever', async () => {
    open('/partner-create');
    await type('Name', 'Delta');
    await submit('Add Partner');
    await answer('done');
    await screen.findByText('All Partners');
    expect(world.drafts.size).toBe(0);
  });
});

/** A new partner that the server refused, with its logo. */
function refusedCreate(): OutboxEntry {
  const logo = { id: 'logo-1', field: 'image', name: 'logo.png', type: 'image/png', size: 4, sha256: 'ab' };
  const values = { name: 'Delta', link: '' };
  const change = { op: 'create', resource: 'partners', recordId: 'local-1', values, files: [logo] } as const;
  vi.mocked(outbox.contentToMend).mockResolvedValue({ values, files: [logo] });
  vi.mocked(outbox.file).mockImplementation(async () => new File(['logo'], 'logo.png', { type: 'image/png' }));
  const reason = { code: 'refused', message: 'Too long.', errors: { name: ['Too long.'] } } as const;
  return entryOf(change, { id: 'refused-1', state: 'refused', createdAt: 1000, lastAttemptAt: 1000, reason });
}

/** An edit of a partner that the server refused. */
function refusedEdit(recordId: string): OutboxEntry {
  const { change, ...entry } = refusedCreate();
  const base = { values: { name: 'Delta', link: '' }, imageIds: [] };
  return { ...entry, change: { ...change, op: 'update', recordId, base } as Change };
}

describe('a refused change', () => {
  test('of the site meta that was mended is mended no more by the next save', async () => {
    const values = { ...SETTINGS, title: 'Refused' };
    const change = { op: 'save-settings', values, base: { values: SETTINGS, imageIds: [] } } as const;
    useWaiting.setState([entryOf(change, { id: 'refused-1', state: 'refused' })], true);
    open('/sete-meta-update');
    await submit('Submit');
    await answer('refused');
    await type('Title', 'Mended');
    await submit('Submit');
    expect(outbox.repair).toHaveBeenCalledTimes(2);
    expect(vi.mocked(outbox.repair).mock.lastCall?.[1]).toMatchObject({
      values: { title: 'Mended' },
      base: change.base,
    });
    expect(vi.mocked(outbox.repair).mock.lastCall?.[1]).not.toHaveProperty('base.version');
    act(() => useWaiting.setState([], true));
    await answer('done');
    await type('Title', 'Another');
    await submit('Submit');
    expect(outbox.repair).toHaveBeenCalledTimes(2);
    expect(lastSaved()).toMatchObject({ values: { title: 'Another' } });
  });

  test('keeps its files when what was typed over it is discarded', async () => {
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
});

test('a text of the site meta that waits can be taken back', async () => {
  const change = {
    op: 'save-settings',
    values: { ...SETTINGS, phone: '22' },
    base: { values: SETTINGS, imageIds: [] },
  };
  useWaiting.setState([entryOf(change as Change)], true);
  open('/sete-meta-update');
  await type('Phone', '1');
  await submit('Submit');
  expect(lastSaved()).toMatchObject({ values: { phone: '1' }, base: { values: { phone: '22' } } });
});

describe('the edit screen', () => {
  test('opens another record after an edit went into a change that was then refused', async () => {
    know('1', partner(1, 'Delta'));
    know('2', partner(2, 'Sigma'));
    const { router } = open('/partner-edit/1');
    const earlier = refusedEdit('1');
    vi.mocked(outbox.enqueue).mockImplementationOnce(async () => follows({ ...earlier, state: 'queued' }));
    await type('Name', 'Too long');
    await submit('Update');
    know('1', partner(1, 'Delta'), [earlier]);
    await answer('refused');
    await screen.findByText('The server refused this change.');
    await act(() => router.navigate('/partner-edit/2'));
    expect((await control('Name')).value).toBe('Sigma');
    await act(() => router.navigate('/partner-edit/1'));
    expect(await screen.findByText('The server refused this change.')).toBeDefined();
  });

  test('opens anew for another administrator; what the first one typed stays with them', async () => {
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
});
