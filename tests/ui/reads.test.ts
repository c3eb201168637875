import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { knownRows, listedRows, useList, useLookup, useRecord } from '../../src/api/reads.ts';
import { type Identities, identityKey } from '../../src/domain/outbox/optimistic-view.ts';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { ListRow, ServerRecord } from '../../src/domain/resource.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import type { openLive } from '../../src/stores/live-value.ts';
import { creating, deleting, editing, entryOf, NOW, partner } from '../domain/outbox/samples.ts';

type Told<T> = ReturnType<typeof openLive<T>>;
type State<T> = { value?: T; missing: boolean; refreshing: boolean; fetchedAt?: number; failure?: string };

const world = vi.hoisted(() => ({
  records: new Map<number, object>(),
  list: {} as object,
}));

vi.mock('../../src/api/live.ts', async () => {
  const { openLive, useLive } = await import('../../src/stores/live-value.ts');
  const liveIdentities = openLive<Identities>();
  return { liveIdentities, useIdentities: () => useLive(liveIdentities) };
});
vi.mock('../../src/api/confirmed-overlay.ts', async () => {
  const { openLive } = await import('../../src/stores/live-value.ts');
  return { liveOverlay: openLive<OutboxEntry[]>(), notIn: (entries: readonly OutboxEntry[]) => entries };
});
vi.mock('../../src/api/pending-creates.ts', async () => {
  const { openLive } = await import('../../src/stores/live-value.ts');
  return { liveArrivals: openLive<Identities>() };
});
vi.mock('../../src/api/sources.ts', () => {
  const copyOf = (state: object) => ({ state: () => state, subscribe: () => () => {}, load: async () => {} });
  return {
    recordCopy: (_owner: unknown, id: number) => copyOf(world.records.get(id) ?? NOT_READ),
    listCopy: () => copyOf(world.list),
    lookupCopy: (_lookup: unknown, parent: string) => copyOf({ ...NOT_READ, value: [`brand of ${parent}`] }),
  };
});

const NOT_READ: State<never> = { missing: false, refreshing: true };
const GONE: State<never> = { missing: true, refreshing: false };
const record = { id: 7, ...partner('Acme'), image: 'a.png', version: '3' } as unknown as ServerRecord;

/** What the device says of the outbox: `undefined` before it was read. */
async function told(entries?: readonly OutboxEntry[], identities?: Identities): Promise<void> {
  const { liveOverlay } = await import('../../src/api/confirmed-overlay.ts');
  const { liveIdentities } = await import('../../src/api/live.ts');
  act(() => {
    (liveOverlay as Told<readonly OutboxEntry[] | undefined>).tell(entries);
    (liveIdentities as Told<Identities | undefined>).tell(identities);
  });
}

const NONE: Identities = new Map();
const recordAt = (id: string) => renderHook(() => useRecord(partners, id)).result;

beforeEach(() => {
  world.records.clear();
  world.list = NOT_READ;
});
afterEach(async () => {
  await told();
  cleanup();
});

describe('a record', () => {
  test('is neither found nor missing before the outbox was read', async () => {
    world.records.set(7, GONE);
    const reading = recordAt('7');
    expect([reading.current.missing, reading.current.view]).toEqual([false, undefined]);
    await told([]);
    expect(reading.current.missing).toBe(false);
    await told([], NONE);
    expect(reading.current.missing).toBe(true);
  });

  test('is not missing before the server has answered, nor while a change of it waits', async () => {
    await told([], NONE);
    expect(recordAt('7').current.missing).toBe(false);
    world.records.set(7, GONE);
    await told([entryOf(editing('7', partner('Acme'), partner('B')))], NONE);
    expect(recordAt('7').current).toMatchObject({ missing: false, view: { values: partner('B') } });
  });

  test('is missing once its deletion is confirmed', async () => {
    world.records.set(7, { ...NOT_READ, value: record });
    await told([entryOf(deleting('7'), { state: 'done' })], NONE);
    expect(recordAt('7').current).toMatchObject({ missing: true });
  });

  test('created here is found by its local id, and by the server’s once that is known', async () => {
    const [made, receipt] = [creating('local-1'), { at: NOW, message: '', serverId: 7 }];
    await told([entryOf(made)], NONE);
    expect(recordAt('local-1').current).toMatchObject({ missing: false, view: { recordId: 'local-1' } });
    expect(recordAt('local-1').current).not.toHaveProperty('serverId');
    expect(recordAt('local-2').current.missing).toBe(true);
    world.records.set(7, { missing: false, refreshing: false, value: record });
    await told([entryOf(made, { state: 'done', receipt })], new Map([[identityKey(partners.name, 'local-1'), 7]]));
    expect(recordAt('local-1').current).toMatchObject({ serverId: 7, record: { version: '3' } });
    expect(recordAt('7').current).toMatchObject({ localId: 'local-1' });
    const ofOthers = new Map([[identityKey('sliders', 'local-9'), 7]]);
    await told([], new Map([...ofOthers, [identityKey('partners', 'local-1'), 7]]));
    expect(recordAt('7').current).toMatchObject({ localId: 'local-1' });
    await told([], ofOthers);
    expect(recordAt('7').current).not.toHaveProperty('localId');
  });
});

describe('a list', () => {
  const rows = [{ id: 7, ...partner('Acme') }] as unknown as readonly ListRow[];

  test('without a copy shows what was created here, and is not called empty', async () => {
    await told([], NONE);
    const list = renderHook(() => useList(partners)).result;
    expect(list.current.rows).toBeUndefined();
    await told([entryOf(creating('local-1', partner('Mine')))], NONE);
    expect(list.current.rows).toMatchObject([{ recordId: 'local-1', pending: 'create' }]);
  });

  test('keeps its rows when nothing waits, and says when only the first have arrived', async () => {
    world.list = { value: rows, missing: false, refreshing: false, fetchedAt: NOW, partial: true };
    await told([], NONE);
    const list = renderHook(() => useList(partners)).result;
    const before = list.current.rows;
    expect([before?.length, list.current.partial, list.current.fetchedAt]).toEqual([1, true, NOW]);
    await told([], NONE);
    expect(list.current.rows).toBe(before);
  });
});

test('merges a create that arrived without an answer with its server row, whatever was confirmed before', async () => {
  const { liveArrivals } = await import('../../src/api/pending-creates.ts');
  const rows = [{ id: 7, ...partner('Acme') }] as unknown as ListRow[];
  world.list = { value: rows, missing: false, refreshing: false, fetchedAt: NOW };
  const list = renderHook(() => useList(partners)).result;
  const confirmed = new Map([[identityKey('partners', 'local-1'), 5]]);
  const arrived = new Map([[identityKey('partners', 'local-2'), 7]]);
  await told([entryOf(creating('local-2', partner('Acme')))], confirmed);
  expect(list.current.rows).toHaveLength(2);
  act(() => (liveArrivals as Told<Identities>).tell(arrived));
  expect(list.current.rows).toHaveLength(1);
  expect(await listedRows(partners)).toHaveLength(1);
  act(() => (liveArrivals as Told<Identities>).tell(NONE));
});

test('lists rows only from a complete copy, with waiting changes', async () => {
  expect(await listedRows(partners)).toBeUndefined();
  const rows = [{ id: 7, ...partner('Acme') }] as unknown as ListRow[];
  world.list = { value: rows, missing: false, refreshing: false, fetchedAt: NOW, partial: true };
  expect(await listedRows(partners)).toBeUndefined();
  world.list = { value: rows, missing: false, refreshing: false, fetchedAt: NOW };
  await told([entryOf(editing('7', partner('Acme'), partner('Bolt')))], NONE);
  expect(await listedRows(partners)).toMatchObject([{ recordId: '7', name: 'Bolt', pending: 'update' }]);
});

test('includes records created here in a search, even with a partial list or none', async () => {
  await told([entryOf(creating('local-1', partner('Bolt')))], NONE);
  expect(await knownRows(partners)).toMatchObject([{ recordId: 'local-1', name: 'Bolt', pending: 'create' }]);
  const rows = [{ id: 7, ...partner('Acme') }] as unknown as ListRow[];
  world.list = { value: rows, missing: false, refreshing: false, fetchedAt: NOW, partial: true };
  expect((await knownRows(partners)).map(({ recordId }) => recordId)).toEqual(['7', 'local-1']);
});

test('offers and requests no brands until their type is known', () => {
  const { result, rerender } = renderHook(({ type }) => useLookup('gti-brands', type), { initialProps: { type: '' } });
  expect(result.current).toMatchObject({ refreshing: false });
  expect(result.current.options).toBeUndefined();
  rerender({ type: 'Three Phase' });
  expect(result.current.options).toEqual(['brand of Three Phase']);
});
