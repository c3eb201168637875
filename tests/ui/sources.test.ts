import { beforeEach, describe, expect, it, vi } from 'vitest';
import { device } from '../../src/api/device.ts';
import { takeEarly } from '../../src/api/early-answers.ts';
import { readOn, readOnWhole } from '../../src/api/feed.ts';
import { noteArrivals } from '../../src/api/pending-creates.ts';
import { get, post } from '../../src/api/request.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { FIRST_ROWS } from '../../src/domain/limits.ts';
import type { Resource } from '../../src/domain/resource.ts';
import type { Taken } from '../../src/offline/cache/feed.ts';
import { soon } from '../harness/soon.ts';

/** What the page reads, from a fake device and server. */

vi.mock('../../src/api/device.ts', () => ({ device: vi.fn() }));
vi.mock('../../src/api/early-answers.ts', () => ({ takeEarly: vi.fn() }));
vi.mock('../../src/api/feed.ts', () => ({ readOn: vi.fn(), readOnWhole: vi.fn() }));
vi.mock('../../src/api/pending-creates.ts', () => ({ noteArrivals: vi.fn() }));
vi.mock('../../src/api/request.ts', () => ({ get: vi.fn(), post: vi.fn() }));

const cache = {
  readList: vi.fn(),
  writeList: vi.fn(),
  readRecord: vi.fn(),
  writeRecord: vi.fn(),
  forgetRecord: vi.fn(),
  readWhole: vi.fn(),
  readLookup: vi.fn(),
  writeLookup: vi.fn(),
  removeCopies: vi.fn(),
};

let sources: typeof import('../../src/api/sources.ts');
let failure: typeof import('../../src/api/failure.ts');

beforeEach(async () => {
  vi.clearAllMocks();
  for (const call of Object.values(cache)) call.mockReset().mockResolvedValue(undefined);
  vi.mocked(device).mockResolvedValue({ cache } as never);
  vi.mocked(readOn).mockReset().mockResolvedValue(undefined);
  vi.mocked(readOnWhole).mockReset().mockResolvedValue(undefined);
  vi.mocked(takeEarly).mockReset().mockResolvedValue(undefined);
  vi.mocked(noteArrivals).mockReset().mockResolvedValue(undefined);
  vi.mocked(get).mockReset();
  vi.mocked(post).mockReset();
  await loadPage();
});

/** A page that has read nothing yet. */
async function loadPage(): Promise<void> {
  vi.resetModules();
  sources = await import('../../src/api/sources.ts');
  failure = await import('../../src/api/failure.ts');
}

const asked = () => vi.mocked(get).mock.calls.map(([path]) => path);
const taken = (more: Partial<Taken> = {}): Taken => ({
  lists: new Map(),
  ids: new Map(),
  settings: false,
  lookups: false,
  fetchedAt: 50,
  ...more,
});

describe('a list', () => {
  it('is stored with its request time and ETag, and revalidated with that', async () => {
    vi.mocked(get).mockResolvedValue({ body: [{ id: 1 }], etag: '"a"' });
    const copy = sources.listCopy(partners);
    const before = Date.now();
    await copy.refresh();
    const [name, written] = cache.writeList.mock.calls[0] ?? [];
    expect([name, written.rows, written.etag]).toEqual(['partners', [{ id: 1 }], '"a"']);
    expect(written.fetchedAt).toBeGreaterThanOrEqual(before);
    vi.mocked(get).mockResolvedValue({ body: undefined });
    await copy.refresh();
    expect(get).toHaveBeenLastCalledWith(partners.endpoints.list, '"a"');
    expect(copy.state().value).toEqual([{ id: 1 }]);
  });

  it('on the device is revalidated with its stored ETag', async () => {
    cache.readList.mockResolvedValue({ rows: [{ id: 1 }], fetchedAt: 1, etag: '"kept"' });
    vi.mocked(get).mockResolvedValue({ body: undefined });
    await sources.listCopy(partners).refresh();
    expect(get).toHaveBeenCalledExactlyOnceWith(partners.endpoints.list, '"kept"');
  });

  it('is not taken for empty if the answer is not a list', async () => {
    vi.mocked(get).mockResolvedValue({ body: { message: 'Maintenance' } });
    const copy = sources.listCopy(partners);
    await copy.refresh();
    expect(copy.state().value).toBeUndefined();
    expect(copy.state().failure).not.toBe('');
  });

  it('is shown once the rows created here are identified', async () => {
    const order: string[] = [];
    vi.mocked(get).mockImplementation(async () => {
      order.push('asked');
      return { body: [] };
    });
    vi.mocked(noteArrivals).mockImplementation(async () => void order.push('noted'));
    await sources.listCopy(partners).refresh();
    expect(order).toEqual(['asked', 'noted']);
    expect(noteArrivals).toHaveBeenCalledWith(partners);
  });

  it('of a paged server is read page by page', async () => {
    const paged = { ...partners, name: 'paged', paged: true } as unknown as Resource;
    vi.mocked(get).mockImplementation(async (path) => ({ body: path.includes('page=1') ? [{ id: 1 }] : [] }));
    const copy = sources.listCopy(paged);
    await copy.refresh();
    expect(asked()).toEqual([`${partners.endpoints.list}?page=1`, `${partners.endpoints.list}?page=2`]);
    expect(copy.state().value).toEqual([{ id: 1 }]);
    vi.mocked(get).mockClear();
    expect(await sources.wholeRecords(paged, '"a"')).toEqual({ records: [{ id: 1 }] });
    expect(asked()).toEqual([`${partners.endpoints.list}?page=1&full=1`, `${partners.endpoints.list}?page=2&full=1`]);
  });

  it('of whole records is revalidated with its ETag', async () => {
    vi.mocked(get).mockResolvedValueOnce({ body: [{ id: 1 }], etag: '"b"' });
    expect(await sources.wholeRecords(partners, '"a"')).toEqual({ records: [{ id: 1 }], etag: '"b"' });
    expect(get).toHaveBeenCalledWith(`${partners.endpoints.list}?full=1`, '"a"');
    vi.mocked(get).mockResolvedValueOnce({ body: undefined });
    expect(await sources.wholeRecords(partners, '"b"')).toBe('unchanged');
    vi.mocked(get).mockResolvedValueOnce({ body: [] });
    expect(await sources.wholeRecords(partners, undefined)).toEqual({ records: [] });
  });

  it.each([
    [FIRST_ROWS, true],
    [FIRST_ROWS - 1, false],
    [FIRST_ROWS + 1, false],
  ])('with %i early rows is partial: %s', async (count, partial) => {
    const rows = Array.from({ length: count }, (_, id) => ({ id }));
    vi.mocked(takeEarly).mockResolvedValueOnce({ body: rows, askedAt: 7 });
    vi.mocked(get).mockReturnValue(new Promise(() => {}));
    const copy = sources.listCopy(partners);
    void copy.refresh();
    await soon(() => expect(copy.state().value).toHaveLength(count));
    expect(copy.state().partial).toBe(partial || undefined);
  });

  it('of a paged server is partial, however few rows its first page has', async () => {
    const paged = { ...partners, name: 'paged', paged: true } as unknown as Resource;
    vi.mocked(takeEarly).mockResolvedValueOnce({ body: [{ id: 1 }], askedAt: 7 });
    vi.mocked(get).mockReturnValue(new Promise(() => {}));
    const copy = sources.listCopy(paged);
    void copy.refresh();
    await soon(() => expect(copy.state()).toMatchObject({ value: [{ id: 1 }], partial: true }));
  });

  it('is shared by all subscribers, and replaced after a log-out, which discards late answers', async () => {
    const copy = sources.listCopy(partners);
    expect(sources.listCopy(partners)).toBe(copy);
    const answer = Promise.withResolvers<{ body: unknown }>();
    vi.mocked(get).mockReturnValue(answer.promise);
    const done = copy.refresh();
    await soon(() => expect(get).toHaveBeenCalled());
    await sources.forgetCopies();
    expect(cache.removeCopies).toHaveBeenCalledOnce();
    answer.resolve({ body: [{ id: 1 }] });
    await done;
    expect(cache.writeList).not.toHaveBeenCalled();
    expect(sources.listCopy(partners)).not.toBe(copy);
  });
});

describe('a list of choices', () => {
  it('without a dependency is read by its path', async () => {
    vi.mocked(get).mockResolvedValue({ body: ['A', 5, 'B'], etag: '"a"' });
    const copy = sources.lookupCopy('gti-brands', '');
    await copy.refresh();
    expect(asked()).toEqual(['/api/get-gti-brands']);
    expect(copy.state().value).toEqual(['A', 'B']);
    expect(cache.writeLookup).toHaveBeenCalledWith('gti-brands', expect.objectContaining({ options: ['A', 'B'] }), '');
  });

  it('with a dependency is requested and stored for its value', async () => {
    vi.mocked(post).mockResolvedValue({ body: ['P', 'Q'] });
    cache.readLookup.mockResolvedValue({ options: ['P'], fetchedAt: 1 });
    const copy = sources.lookupCopy('generator-series', 'Perkins');
    await copy.load();
    expect(copy.state().value).toEqual(['P']);
    await copy.refresh();
    expect(post).toHaveBeenCalledWith('/api/get-generators-series', { type: 'Perkins' });
    expect(get).not.toHaveBeenCalled();
    expect(cache.readLookup).toHaveBeenCalledWith('generator-series', 'Perkins');
    expect(cache.writeLookup.mock.calls[0]?.[2]).toBe('Perkins');
    expect(sources.lookupCopy('generator-series', 'Cummins')).not.toBe(copy);
  });
});

describe('a record', () => {
  const read = async (id = 1) => {
    const copy = sources.recordCopy(partners, id);
    await copy.load();
    return copy.state().value;
  };
  const own = (version: string | undefined, fetchedAt: number) =>
    cache.readRecord.mockResolvedValue({ record: { id: 1, name: 'own', version }, fetchedAt });
  const listed = (version: string | undefined, fetchedAt: number) =>
    cache.readWhole.mockResolvedValue({ records: [{ id: 2 }, { id: 1, name: 'listed', version }], fetchedAt });

  it('that was opened is shown in full, unless the list has a newer version', async () => {
    own('1', 10);
    expect(await read()).toMatchObject({ name: 'own' });
    await loadPage();
    listed('2', 20);
    expect(await read()).toMatchObject({ name: 'listed' });
  });

  it.each([
    ['the list was asked for earlier', '2', 9, 'own'],
    ['the list was asked for in the same moment', '2', 10, 'own'],
    ['the list is newer and knows the same version', '1', 20, 'own'],
    ['the list is newer', '2', 20, 'listed'],
    ['the list is newer, and no versions are known', undefined, 20, 'listed'],
  ])('where %s (version %s, read at %i) is the %s one', async (_, version, fetchedAt, name) => {
    own(version === undefined ? undefined : '1', 10);
    listed(version, fetchedAt);
    expect(await read()).toMatchObject({ name });
  });

  it('that was never opened is taken from the list, and is missing if it is not there', async () => {
    listed('1', 20);
    expect(await read()).toMatchObject({ id: 1, name: 'listed' });
    expect(await read(3)).toBeUndefined();
  });

  it('is stored under the id of its address, and removed when the server no longer has it', async () => {
    vi.mocked(get).mockResolvedValue({ body: { name: 'Acme' } });
    const copy = sources.recordCopy(partners, 1);
    await copy.refresh();
    expect(copy.state().value).toEqual({ name: 'Acme', id: 1 });
    expect(cache.writeRecord.mock.calls[0]).toEqual([
      'partners',
      expect.objectContaining({ record: { name: 'Acme', id: 1 } }),
    ]);
    vi.mocked(get).mockRejectedValue(new failure.ApiFailure('missing', 'Gone.'));
    await copy.refresh();
    expect(cache.forgetRecord).toHaveBeenCalledWith('partners', 1);
  });

  it('of the site settings is not looked up in a list', async () => {
    cache.readRecord.mockResolvedValue({ record: { id: 1, title: 'Site' }, fetchedAt: 1 });
    const copy = sources.recordCopy(siteMeta, 1);
    await copy.load();
    expect(copy.state().value).toMatchObject({ title: 'Site' });
    expect(cache.readWhole).not.toHaveBeenCalled();
  });
});

describe('an adopted change', () => {
  it('is matched with creates of this device, shown in its list, and reported to listeners', async () => {
    const copy = sources.listCopy(partners);
    const told = vi.fn();
    sources.onTaken(told);
    const change = taken({ lists: new Map([['partners', [{ id: 9 }]]]) });
    await sources.adoptTaken(change);
    expect(noteArrivals).toHaveBeenCalledExactlyOnceWith(partners);
    expect(copy.state()).toMatchObject({ value: [{ id: 9 }], fetchedAt: 50 });
    expect(told).toHaveBeenCalledExactlyOnceWith(change);
  });

  it('of another tab is read from the device', async () => {
    cache.readList.mockResolvedValue({ rows: [{ id: 5 }], fetchedAt: 60 });
    const copy = sources.listCopy(partners);
    await sources.adoptTaken(taken({ lists: new Map([['partners', undefined]]), fetchedAt: 0 }));
    expect(copy.state()).toMatchObject({ value: [{ id: 5 }], fetchedAt: 60 });
  });

  it('makes an unchanged list as fresh, never older, and skips one that was not read', async () => {
    cache.readList.mockImplementation(async (name) =>
      name === 'partners' ? { rows: [{ id: 5 }], fetchedAt: 40 } : undefined,
    );
    const [read, unread] = [sources.listCopy(partners), sources.listCopy(sliders)];
    await Promise.all([read.load(), unread.load()]);
    await sources.adoptTaken(taken());
    expect([read.state().fetchedAt, unread.state().fetchedAt]).toEqual([50, undefined]);
    await sources.adoptTaken(taken({ fetchedAt: 45 }));
    expect(read.state().fetchedAt).toBe(50);
  });

  /** Whether an open record is requested again after this change is adopted. */
  async function isAskedAgain(change: Taken, resource: typeof partners | typeof siteMeta = partners): Promise<boolean> {
    vi.mocked(get).mockResolvedValue({ body: {} });
    const copy = sources.recordCopy(resource, 1);
    const stop = copy.subscribe(() => {});
    await soon(() => expect(copy.state().refreshing).toBe(false));
    vi.mocked(get).mockClear();
    await sources.adoptTaken(change);
    await new Promise((resolve) => setTimeout(resolve, 5));
    stop();
    return asked().length > 0;
  }

  it.each([
    ['its own change', taken({ ids: new Map([['partners', [1]]]) }), true],
    ['a change of another record', taken({ ids: new Map([['partners', [2]]]) }), false],
    ['a change of another kind', taken({ ids: new Map([['sliders', [1]]]) }), false],
    ['a change of anything', { lists: new Map(), settings: false, lookups: false, fetchedAt: 50 }, true],
    ['settings', taken({ settings: true }), false],
    ['choices', taken({ lookups: true }), false],
  ])('reloads an open record only if it may have changed: %s', async (_, change, again) => {
    expect(await isAskedAgain(change)).toBe(again);
  });

  it.each([
    [taken({ settings: true }), true],
    [taken({ ids: new Map([['partners', [1]]]) }), false],
  ])('reloads the site settings only after their own change', async (change, again) => {
    expect(await isAskedAgain(change, siteMeta)).toBe(again);
  });

  it('reloads choices in use, and others when they are next used', async () => {
    vi.mocked(readOnWhole).mockResolvedValue(1);
    cache.readLookup.mockResolvedValue({ options: ['A'], fetchedAt: 1 });
    const looked = sources.lookupCopy('ups-types', '');
    looked.subscribe(() => {});
    const other = sources.lookupCopy('gti-brands', '');
    await Promise.all([looked.load(), other.load()]);
    cache.readLookup.mockResolvedValue({ options: ['A', 'B'], fetchedAt: 2 });
    await sources.adoptTaken(taken());
    expect(looked.state().value).toEqual(['A']);
    await sources.adoptTaken(taken({ lookups: true }));
    expect(looked.state().value).toEqual(['A', 'B']);
    expect(sources.lookupCopy('ups-types', '')).toBe(looked);
    expect(sources.lookupCopy('gti-brands', '')).not.toBe(other);
  });
});

describe('a reload', () => {
  it('on a return covers what a screen shows, and nothing else', async () => {
    vi.mocked(get).mockResolvedValue({ body: [] });
    const looked = sources.listCopy(partners);
    looked.subscribe(() => {});
    sources.listCopy(sliders);
    await soon(() => expect(looked.state().refreshing).toBe(false));
    vi.mocked(get).mockClear();
    sources.refreshWatched();
    await soon(() => expect(asked()).toEqual([partners.endpoints.list]));
  });

  it('of the feed ignores a lost connection, but no other failure', async () => {
    vi.mocked(readOn).mockRejectedValueOnce(new failure.ApiFailure('unreachable', 'No answer.'));
    await sources.bringUpToDate();
    vi.mocked(readOn).mockRejectedValueOnce(new TypeError('a fault of ours'));
    await expect(sources.bringUpToDate()).rejects.toThrow('a fault of ours');
    expect(readOn).toHaveBeenCalledWith(sources.adoptTaken);
  });

  it('of a record covers only one that was opened', () => {
    expect(sources.openRecordCopy(partners, 1)).toBeUndefined();
    const copy = sources.recordCopy(partners, 1);
    expect(sources.openRecordCopy(partners, 1)).toBe(copy);
    expect(sources.openRecordCopy(partners, 2)).toBeUndefined();
  });
});
