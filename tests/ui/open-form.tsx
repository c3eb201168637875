import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { MoreFacts } from '../domain/outbox/samples.ts';
import userEvent from '@testing-library/user-event';
import { useMemo } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { create } from 'zustand';
import type { FormDraft } from '../../src/api/drafts.ts';
import { type ChangeDraft, outbox as played } from '../../src/api/outbox.ts';
import { readHistory } from '../../src/api/record-history.ts';
import type { RecordReading } from '../../src/api/reads.ts';
import { overlayRecord } from '../../src/domain/outbox/optimistic-view.ts';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { Resource, ServerRecord } from '../../src/domain/resource.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { streetLights } from '../../src/domain/resources/street-lights.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import CreateScreen from '../../src/resource/create-screen.tsx';
import EditScreen from '../../src/resource/edit-screen.tsx';
import { useSession } from '../../src/stores/session.ts';

/** An open form on a fake device and server, with the real screens. */

const world = vi.hoisted(() => ({
  drafts: new Map<string, FormDraft>(),
  /** The draft shared by another app. */
  shared: undefined as FormDraft | undefined,
  /** Settles the change saved last. */
  answer: (_state: OutboxEntry['state']): void => undefined,
  made: 0,
}));

vi.mock('../../src/api/reads.ts', () => ({
  useRecord: ({ name }: Resource, id: string) => {
    const settings = useSettings();
    const known = useKnown((all) => all[id]) ?? READING;
    return name === (siteMeta.name as string) ? settings : known;
  },
  listedRows: async () => undefined,
  useListedRow: () => undefined,
  knownRows: async () => [],
}));
vi.mock('../../src/api/record-history.ts', () => ({ readHistory: vi.fn() }));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({
    queueState: async () => ({}),
    cache: { readList: async () => undefined, readWhole: async () => undefined },
  }),
}));
vi.mock('../../src/api/drafts.ts', () => ({
  drafts: {
    read: async (key: string) => world.drafts.get(key),
    write: async (key: string, draft: FormDraft) => void world.drafts.set(key, draft),
    remove: async (key: string) => void world.drafts.delete(key),
    shared: async () => world.shared,
    forgetShared: async (keys: readonly string[]) => {
      const left = world.shared?.files.filter(({ key }) => !keys.includes(key)) ?? [];
      world.shared = world.shared && left.length > 0 ? { ...world.shared, files: left } : undefined;
    },
  },
}));
vi.mock('../../src/api/outbox.ts', () => ({
  StorageFullError: class extends Error {},
  FileUnreadableError: class extends Error {},
  outbox: {
    enqueue: vi.fn(),
    repair: vi.fn(),
    follow: vi.fn(),
    withdraw: vi.fn(async () => true),
    file: vi.fn(),
    serverIdOf: vi.fn(),
    undo: vi.fn(),
  },
}));

/** The state of the device and the server as seen by the screens. */
export { world };

/** The mocked outbox. Tests must import it from here: their own import would run before the mock and get the real one. */
export const outbox = played;
export const history = readHistory;

/** The pending changes. */
export const useWaiting = create<OutboxEntry[]>()(() => []);

/** The device's reading of each record. */
const useKnown = create<Readonly<Record<string, RecordReading>>>()(() => ({}));

/** The site settings with their pending changes. */
function useSettings(): RecordReading {
  const entries = useWaiting();
  return useMemo(() => {
    const record = { id: 1, ...SETTINGS, version: 'v1' };
    return { ...READING, record, serverId: 1, view: overlayRecord(siteMeta, record, { entries }, '1') };
  }, [entries]);
}

const READING = { refreshing: false, refresh: () => undefined, missing: false } as const;
export const SETTINGS = { title: 'Volt', phone: '1', email: 'a@example.com', address: 'Road 1' };
export const NADIA = { id: 7, name: 'Nadia Rahman' };
export const OMAR = { id: 8, name: 'Omar Faruk' };

beforeEach(() => {
  useWaiting.setState([], true);
  useKnown.setState({}, true);
  world.drafts.clear();
  world.shared = undefined;
  useSession.setState({ user: NADIA, token: 'token-1' });
  vi.mocked(outbox.enqueue).mockImplementation(async (draft) => follows(entryOf(changeOf(draft))));
  vi.mocked(outbox.repair).mockImplementation(async (id, draft) => follows(entryOf(changeOf(draft), { id })));
  vi.mocked(outbox.serverIdOf).mockResolvedValue(undefined);
});

afterEach(async () => {
  cleanup();
  vi.clearAllMocks();
  await vi.dynamicImportSettled();
});

/** The change of a draft. It has no files, because their bytes are stored separately. */
export function changeOf(draft: ChangeDraft): Change {
  return { recordId: 'local-1', ...draft, files: [] } as Change;
}

export function entryOf(change: Change, more: MoreFacts = {}): OutboxEntry {
  world.made += 1;
  const entry = {
    id: `entry-${world.made}`,
    state: 'pending',
    delivery: [],
    administrator: '7',
    createdAt: Date.now(),
    change,
    ...more,
  };
  return entry as OutboxEntry;
}

/** Makes the outbox wait for the answer to this change. */
export function follows(entry: OutboxEntry): OutboxEntry {
  vi.mocked(outbox.follow).mockReturnValue(
    new Promise((resolve) => {
      world.answer = (state) => resolve({ ...entry, state } as OutboxEntry);
    }),
  );
  return entry;
}

/** Settles the change with this state, and lets the form react. */
export async function answer(state: OutboxEntry['state']): Promise<void> {
  await act(async () => world.answer(state));
}

/** Sets a known record with its pending changes applied, and optionally its local id. */
export function know(
  id: string,
  record: ServerRecord | undefined,
  entries: readonly OutboxEntry[] = [],
  localId?: string,
  resource: Resource = partners,
): void {
  const view = overlayRecord(resource, record, { entries }, id);
  const reading = { ...READING, view, ...(record && { record, serverId: record.id }), ...(localId && { localId }) };
  act(() => useKnown.setState({ [id]: reading }));
}

/** Adds to the reading of a record, such as its refresh state. */
export function reads(id: string, more: Partial<RecordReading>): void {
  act(() => useKnown.setState((all) => ({ [id]: { ...READING, ...all[id], ...more } })));
}

export function partner(id: number, name: string): ServerRecord {
  return { id, name, link: '', image: 'logo.png', version: 'v1' } as unknown as ServerRecord;
}

export function open(address: string, state?: object) {
  const router = createMemoryRouter(
    [
      { path: '/sete-meta-update', element: <EditScreen resource={siteMeta} /> },
      { path: '/partner-create', element: <CreateScreen resource={partners} /> },
      { path: '/partner-edit/:id', element: <EditScreen resource={partners} /> },
      { path: '/st-edit/:id', element: <EditScreen resource={streetLights} /> },
      { path: '/st-create', element: <CreateScreen resource={streetLights} /> },
      { path: '/project-create', element: <CreateScreen resource={projects} /> },
      { path: '/partner-all', element: <p>All Partners</p> },
      { path: '/st-all', element: <p>All Street Light</p> },
      { path: '/outbox/conflict/:id', element: <p>Compare</p> },
    ],
    { initialEntries: [{ pathname: address, state }] },
  );
  return { router, ...render(<RouterProvider router={router} />) };
}

export const control = async (label: string) => await screen.findByLabelText<HTMLInputElement>(label);

/** Replaces the text of a control, as by pasting: a form that renders at every letter would take most of the time here. */
export async function type(label: string, text: string): Promise<void> {
  const input = await control(label);
  await userEvent.clear(input);
  await userEvent.paste(text);
}

export const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

/** Presses Save and waits until the change is on the device. */
export async function submit(name: string): Promise<void> {
  const saved = () => vi.mocked(outbox.enqueue).mock.calls.length + vi.mocked(outbox.repair).mock.calls.length;
  const before = saved();
  await press(name);
  await waitFor(() => expect(saved()).toBe(before + 1));
}

type Typed = readonly [label: string, text: string];

/** Types, saves, and types on before the answer. `saved` runs in between, to update the device's copy. */
export async function typeOn(first: Typed, button: string, then: Typed, saved = () => {}): Promise<void> {
  await type(...first);
  await submit(button);
  saved();
  await type(...then);
}

/** The draft saved last. */
export function lastSaved(): ChangeDraft | undefined {
  return vi.mocked(outbox.enqueue).mock.lastCall?.[0];
}

/** A rejected create of a partner with a logo. */
export function refusedCreate(): OutboxEntry {
  const logo = { id: 'logo-1', field: 'image', name: 'logo.png', type: 'image/png', size: 4, sha256: 'ab' };
  const values = { name: 'Delta', link: '' };
  const change = { op: 'create', resource: 'partners', recordId: 'local-1', values, files: [logo] } as const;
  vi.mocked(outbox.file).mockImplementation(async () => new File(['logo'], 'logo.png', { type: 'image/png' }));
  const reason = { code: 'refused', message: 'Too long.', errors: { name: ['Too long.'] } } as const;
  return entryOf(change, { id: 'refused-1', state: 'attention', createdAt: 1000, lastAttemptAt: 1000, reason });
}

/** A rejected create of a street light with one photo of four bytes. */
export function refusedStreetLight(photo: string): OutboxEntry {
  const file = { id: 'photo-1', field: 'images', name: photo, type: 'image/gif', size: 4, sha256: 'ab' };
  const values = { brand: '', capacity: '90W', model: 'S1', origin: 'Japan' };
  vi.mocked(outbox.file).mockImplementation(async () => new File(['GIF8'], photo, { type: 'image/gif' }));
  const change = { op: 'create', resource: 'street-lights', recordId: 'local-1', values, files: [file] } as const;
  const reason = { code: 'refused', message: 'Brand is missing.', errors: { brand: ['Brand is missing.'] } } as const;
  return entryOf(change, { id: 'refused-2', state: 'attention', createdAt: 1000, lastAttemptAt: 1000, reason });
}

/** A rejected edit of a partner. */
export function refusedEdit(recordId: string): OutboxEntry {
  const { change, ...entry } = refusedCreate();
  const base = { values: { name: 'Delta', link: '' }, imageIds: [] };
  return { ...entry, change: { ...change, op: 'update', recordId, base } as Change };
}
