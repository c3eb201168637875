import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { generators } from '../../src/domain/resources/generators.ts';
import KeepDialog from '../../src/resource/catalogues/keep-dialog.tsx';
import { type Keeping, useKeeping, useWishes } from '../../src/stores/catalogues.ts';

const world = vi.hoisted(() => ({
  /** Undefined while the full records are not on the device. */
  addresses: [] as string[] | undefined,
  fetchRecords: vi.fn<() => Promise<void>>(),
  measured: undefined as unknown,
  measure: vi.fn<() => Promise<unknown>>(),
  room: 1e9,
  saves: false,
  keepKind: vi.fn<(kind: string) => Promise<void>>(),
  letKindGo: vi.fn<(kind: string) => Promise<void>>(),
  bring: vi.fn<(anyway: boolean) => Promise<void>>(),
}));
vi.mock('../../src/api/device.ts', () => ({
  device: async () => ({
    catalogues: { keptCatalogues: async () => new Map(), roomForCatalogues: async () => world.room },
  }),
}));
vi.mock('../../src/api/prefetch.ts', () => ({
  savesData: () => world.saves,
  keepWholeRecords: world.fetchRecords,
}));
vi.mock('../../src/resource/catalogues/measure.ts', () => ({ measure: world.measure }));
vi.mock('../../src/resource/catalogues/wanted.ts', () => ({
  cataloguesOf: async () => world.addresses?.map((address) => ({ address })),
}));
vi.mock('../../src/resource/catalogues/keep.ts', () => ({
  keepKind: world.keepKind,
  letKindGo: world.letKindGo,
  bringCatalogues: world.bring,
}));

/** What a page knows before it has looked for anything. */
const NOTHING: Keeping = useKeeping.getInitialState();

beforeEach(() => {
  Object.assign(world, {
    addresses: ['a', 'b', 'b'],
    measured: { bytes: 3_000_000, exact: true },
    room: 1e9,
    saves: false,
  });
  world.measure.mockReset().mockImplementation(async () => world.measured);
  for (const work of [world.keepKind, world.letKindGo, world.bring]) work.mockReset().mockResolvedValue();
  useWishes.setState({ kinds: [], records: [] });
  useKeeping.setState(NOTHING, true);
});
afterEach(cleanup);

const closed = vi.fn<() => void>();
const open = () => render(<KeepDialog resource={generators} onClose={closed} />);
const button = (name: string) => screen.queryByRole<HTMLButtonElement>('button', { name });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('shows the number and total size of the catalogues before the start, each counted once', async () => {
  open();
  expect(button('Keep offline')?.disabled).toBe(true);
  expect(await screen.findByText('2 catalogues · 3.0 MB')).toBeDefined();
  expect(screen.queryByText(/This device has space for|Data saving is on/)).toBeNull();
  expect(button('Remove from this device')).toBeNull();
  await press('Keep offline');
  expect(world.keepKind).toHaveBeenCalledExactlyOnceWith('generators');
});

test('marks an estimate, and mentions too little space and data saving', async () => {
  Object.assign(world, { measured: { bytes: 3_000_000, exact: false }, room: 2_000_000, saves: true });
  open();
  expect(await screen.findByText('2 catalogues · about 3.0 MB')).toBeDefined();
  expect(screen.getByText('This device has space for 2.0 MB. Anything beyond that is left out.')).toBeDefined();
  expect(screen.getByText('Data saving is on: new versions wait until it is off.')).toBeDefined();
});

test('requests missing records first, even while data saving is on', async () => {
  Object.assign(world, { addresses: undefined, saves: true });
  world.fetchRecords.mockImplementationOnce(async () => void (world.addresses = ['a', 'b']));
  const { unmount } = open();
  expect(await screen.findByText('2 catalogues · 3.0 MB')).toBeDefined();
  unmount();
  world.addresses = undefined;
  world.fetchRecords.mockRejectedValueOnce(new Error('No link.'));
  open();
  expect((await screen.findByRole('alert')).textContent).toBe('Can’t reach the server.');
});

test('offers nothing to keep if no record has a catalogue or the server cannot be reached', async () => {
  Object.assign(world, { addresses: [], measured: { bytes: 0, exact: true } });
  const { unmount } = open();
  expect(await screen.findByText('No record here has a catalogue yet.')).toBeDefined();
  expect(button('Keep offline')?.disabled).toBe(true);
  unmount();
  world.measured = undefined;
  open();
  expect((await screen.findByRole('alert')).textContent).toBe('Can’t reach the server.');
  expect(button('Keep offline')?.disabled).toBe(true);
});

test('also removes catalogues that are kept for single records', async () => {
  const one = { resource: 'generators', id: 1, title: 'A', address: 'a' } as const;
  useWishes.setState({ kinds: [], records: [{ ...one, resource: 'ups' }] });
  open();
  await screen.findByText(/2 catalogues/);
  expect(button('Remove from this device')).toBeNull();
  act(() => useWishes.setState({ records: [one] }));
  await press('Remove from this device');
  expect(world.letKindGo).toHaveBeenCalledExactlyOnceWith('generators');
});

/** All catalogues of one kind are wanted, and one of another kind. */
function keeping(more: Partial<Keeping>) {
  useWishes.setState({ kinds: ['generators'], records: [] });
  const wanted = new Map([
    ['a', { resource: 'generators', title: 'Perkins' }],
    ['b', { resource: 'generators', title: 'Cummins' }],
    ['u', { resource: 'ups', title: 'Ups' }],
  ] as const);
  useKeeping.setState({ ...NOTHING, wanted, ...more });
  open();
}

const said = () => document.querySelector('.keep-progress span')?.textContent;

test('shows the progress of this kind only', () => {
  keeping({
    running: true,
    kept: new Map([
      ['a', 1_000_000],
      ['u', 5_000_000],
    ]),
  });
  expect(screen.getByText('1 of 2 on this device · 1.0 MB')).toBeDefined();
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Catalogues offline' });
  expect([bar.value, bar.max]).toEqual([1, 2]);
  expect(said()).toBe('You can keep working. Downloads continue while Voltdesk is open.');
  expect(button('Try again')).toBeNull();
  expect(button('Keep offline')).toBeNull();
});

test('names what could not be kept with the reason, and retries on request', async () => {
  keeping({
    failed: new Map([
      ['a', 'gone'],
      ['b', 'room'],
      ['u', 'refused'],
    ]),
  });
  expect(screen.getByText('2 could not be kept:')).toBeDefined();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Perkins: no longer on the server',
    'Cummins: not enough space on this device',
  ]);
  await press('Try again');
  expect(world.bring).toHaveBeenCalledExactlyOnceWith(true);
});

test('says what it waits for, and offers no retry once all are here', () => {
  keeping({ waits: 'connection' });
  expect(said()).toBe('The rest downloads when the connection returns.');
  act(() => useKeeping.setState({ waits: 'data-saver' }));
  expect(said()).toBe('The rest downloads when data saving is off.');
  act(() =>
    useKeeping.setState({
      waits: undefined,
      kept: new Map([
        ['a', 1],
        ['b', 1],
      ]),
    }),
  );
  expect(said()).toBe('They open offline. New versions download automatically.');
  expect(button('Try again')).toBeNull();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('Close and Escape close the dialog, which is named', async () => {
  closed.mockReset();
  open();
  expect(await screen.findByRole('dialog', { name: 'Catalogues offline' })).toBeDefined();
  await press('Close');
  expect(closed).toHaveBeenCalledOnce();
  await userEvent.keyboard('{Escape}');
  expect(closed).toHaveBeenCalledTimes(2);
});

test('sizes are requested only for a kind that is not kept, and again once it has been removed', async () => {
  keeping({});
  await press('Remove from this device');
  expect(world.letKindGo).toHaveBeenCalledExactlyOnceWith('generators');
  expect(world.measure).not.toHaveBeenCalled();
  act(() => useWishes.setState({ kinds: [] }));
  expect(await screen.findByText('2 catalogues · 3.0 MB')).toBeDefined();
  expect(button('Keep offline')?.disabled).toBe(false);
  expect(world.measure).toHaveBeenCalledOnce();
});

test('a failure while measuring is reported, and nothing can be kept', async () => {
  world.measure.mockRejectedValue(new Error('The storage is locked.'));
  open();
  expect((await screen.findByRole('alert')).textContent).toBe('Can’t reach the server.');
  expect(button('Keep offline')?.disabled).toBe(true);
});

test('a single catalogue that could not be kept is listed too', () => {
  keeping({ failed: new Map([['b', 'refused']]) });
  expect(screen.getByText('1 could not be kept:')).toBeDefined();
  expect(screen.getByRole('listitem').textContent).toBe('Cummins: refused by the server');
});

test.each([
  ['is on', true, 1],
  ['is off', false, 0],
])('says beforehand whether new versions wait when data saving %s', async (_, saves, count) => {
  world.saves = saves;
  open();
  await screen.findByText(/New versions download automatically/);
  expect(screen.queryAllByText('Data saving is on: new versions wait until it is off.')).toHaveLength(count);
});
