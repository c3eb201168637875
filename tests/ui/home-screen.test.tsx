import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import HomeScreen from '../../src/features/home/home-screen.tsx';
import { KindTile } from '../../src/features/home/kind-tile.tsx';
import { UNTOUCHED, usePreferences } from '../../src/stores/preferences.ts';
import { useSession } from '../../src/stores/session.ts';
import { editing, entryOf } from '../domain/outbox/samples.ts';
import { NADIA, press, show } from './open-screen.tsx';

/** The dashboard: whether the app opens with it, and what its tiles show of each kind of record. */

const device = vi.hoisted(() => ({
  reading: {} as object,
  queue: undefined as object | undefined,
  receipts: [] as object[],
}));
vi.mock('../../src/api/live.ts', () => ({
  useEntries: () => [],
  useReceipts: () => device.receipts,
  useQueueState: () => device.queue,
}));
vi.mock('../../src/api/reads.ts', () => ({ useList: () => device.reading, useListedRow: () => undefined }));
vi.mock('../../src/api/self-check.ts', () => ({
  readPersistence: async () => 'refused',
  askPersistence: async () => 'refused',
  sendsWhenClosed: () => true,
}));

const NOW = new Date(2026, 10, 20, 12).getTime();
const generators = resourceOf('generators');

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
  Object.assign(device, { reading: { refreshing: false }, queue: undefined, receipts: [] });
  usePreferences.setState({ ...UNTOUCHED, landing: '/outbox' }, true);
});
afterEach(() => {
  vi.useRealTimers();
  usePreferences.setState(UNTOUCHED, true);
});

function Elsewhere() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const how = useNavigationType();
  return <button onClick={() => void navigate('/')}>{`${pathname} by ${how}`}</button>;
}

/** Opens the app at an address. */
function openAt(address: string): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/" element={<HomeScreen />} />
        <Route path="*" element={<Elsewhere />} />
      </Routes>
    </MemoryRouter>,
  );
}

test('opens with the chosen screen, which replaces the dashboard in the history', () => {
  openAt('/');
  expect(screen.getByText('/outbox by REPLACE')).toBeDefined();
});

test('stays on the dashboard after a navigation to it', async () => {
  openAt('/about');
  await press('/about by POP');
  expect(screen.getByRole('heading', { name: 'Dashboard' })).toBeDefined();
});

test('opens with the dashboard by default', () => {
  usePreferences.setState({ landing: '/' });
  openAt('/');
  expect(screen.getByRole('heading', { name: 'Dashboard' })).toBeDefined();
});

test('shows the queue first and a tile for every kind of record last', () => {
  usePreferences.setState({ landing: '/' });
  device.queue = { waiting: 1, needAttention: 0, otherAdministratorsWaiting: 0, lossNoticedAt: NOW };
  openAt('/');
  const order = [
    screen.getByRole('heading', { name: 'Dashboard' }),
    screen.getByRole('button', { name: 'I’ve checked' }),
    screen.getByText('1 change waits to be sent'),
    screen.getByRole('region', { name: 'Quick actions' }),
    screen.getByRole('heading', { name: 'On this device' }),
    ...screen.getAllByRole('link', { name: /^New / }),
  ];
  expect(order.toSorted((one, other) => (one.compareDocumentPosition(other) & 4 ? -1 : 1))).toEqual(order);
  expect(screen.getAllByRole('link', { name: /^New / })).toHaveLength(10);
});

test('shows the storage hint for any waiting change', async () => {
  usePreferences.setState({ landing: '/' });
  device.queue = { waiting: 2, needAttention: 0, otherAdministratorsWaiting: 0 };
  openAt('/');
  expect(await screen.findByText('This browser may delete what is saved here')).toBeDefined();
});

test('no longer counts changes as sent today on the next day', () => {
  usePreferences.setState({ landing: '/' });
  device.receipts = [entryOf(editing('7', {}, {}), { state: 'done', receipt: { at: NOW, message: '' } })];
  openAt('/');
  expect(screen.getByText('1 change sent today')).toBeDefined();
  act(() => vi.advanceTimersByTime(13 * 3_600_000));
  expect(screen.queryByText('1 change sent today')).toBeNull();
});

const tile = () => screen.getByRole('listitem');
const age = () => tile().querySelector('a + div')?.textContent;

test.each([
  ['is on this device, with its read time', { rows: [], fetchedAt: NOW - 60_000 }, 'Updated 11:59'],
  ['is being reloaded, with its previous read time', { rows: [], fetchedAt: NOW, refreshing: true }, 'Updated 12:00'],
  ['is loading for the first time, without a text', { refreshing: true }, '\u00a0'],
  ['is not on this device, and says so', { refreshing: false }, 'Not on this device yet'],
])('a tile shows a list that %s', (_, reading, words) => {
  device.reading = reading;
  show(<KindTile resource={generators} />);
  expect(age()).toBe(words);
});

test('a tile counts the cached records, and shows no count before they are loaded', () => {
  device.reading = { rows: Array.from({ length: 1204 }), fetchedAt: NOW, refreshing: false };
  const { unmount } = show(<KindTile resource={generators} />);
  expect(screen.getByText('1,204')).toBeDefined();
  unmount();
  device.reading = { refreshing: true };
  show(<KindTile resource={generators} />);
  expect(tile().textContent).toBe('Generators\u00a0');
});

test.each([
  ['the first rows of a list that is on its way', { partial: true, refreshing: true }],
  ['a new record of this device in a list that was never read', { partial: false, refreshing: false }],
])('a tile does not count %s', (_, reading) => {
  device.reading = { rows: [{ id: 1 }], ...reading };
  show(<KindTile resource={generators} />);
  expect(tile().textContent).not.toContain('1');
});

test('a tile links to its list, and for editors to a new record', async () => {
  const { unmount } = show(<KindTile resource={generators} />);
  await userEvent.click(screen.getByRole('link', { name: 'New Generator' }));
  expect(screen.getByText(/^went to \/generator-create/)).toBeDefined();
  unmount();
  useSession.setState({ user: { ...NADIA, role: 'viewer' } });
  show(<KindTile resource={generators} />);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/generator-all']);
});
