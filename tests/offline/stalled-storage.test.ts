import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readList, writeList } from '../../src/offline/cache/cache.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { pendingEntries } from '../../src/offline/outbox/queries.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { StorageStalledError } from '../../src/offline/storage/errors.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { leaveNothingOpen, transact, watchStorage } from '../../src/offline/storage/transactions.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { generatorDraft } from './support/drafts.ts';

const SECOND = 1_000;
/** Without files, nothing has to be read before the write. */
const DRAFT = { ...generatorDraft('typed'), files: [] };
const ABOUT = { administrator: '1', title: '' };

/** Another tab that holds the outbox in an endless transaction until it is released. */
function hold({ outbox, cache }: Environment): () => void {
  const tab = { holds: true };
  const wait = async (look: () => PromiseLike<unknown>) => {
    while (tab.holds) await look();
  };
  void outbox.transaction('rw', outbox.tables, async () => wait(() => outbox.entries.get(0)));
  void cache.transaction('rw', cache.tables, async () => wait(() => cache.values.get('')));
  return () => {
    tab.holds = false;
  };
}

/** A page, another tab beside it, and the page's reports about its storage. */
async function twoTabs() {
  const device = new Device(contractOnlyBackend());
  const [page, other] = [device.environment(), device.environment()];
  await writeList('generators', { rows: [], fetchedAt: 1 }, page.cache);
  await Promise.all([page.outbox.open(), other.outbox.open(), other.cache.open()]);
  const told: boolean[] = [];
  watchStorage((stalled) => told.push(stalled));
  return { page, other, told };
}

const turns = async (count = 50) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  watchStorage(() => {});
});

describe('storage that another tab blocks', () => {
  test('is reported after a few seconds, and again when it answers', async () => {
    const { page, other, told } = await twoTabs();
    const letGo = hold(other);
    const saved = enqueue(page, DRAFT, ABOUT);
    await turns();
    await vi.advanceTimersByTimeAsync(6 * SECOND);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    expect(told).toEqual([true]);
    letGo();
    await expect(saved).resolves.toMatchObject({ state: 'pending' });
    expect(told).toEqual([true, false]);
  });

  test('fails a save with an explanation, and writes nothing of it later', async () => {
    const { page, other, told } = await twoTabs();
    const letGo = hold(other);
    const saved = enqueue(page, DRAFT, ABOUT);
    const refused = expect(saved).rejects.toThrow('Close the other Voltdesk tabs, then try again.');
    await turns();
    await vi.advanceTimersByTimeAsync(61 * SECOND);
    await refused;
    letGo();
    await turns();
    expect(await page.outbox.entries.count()).toBe(0);
    expect(told).toEqual([true, false]);
  });

  test('writes nothing that timed out before the database was open', async () => {
    const { outbox } = new Device(contractOnlyBackend()).environment();
    let open = () => {};
    outbox.on('ready', () => new Promise<void>((resolve) => (open = resolve)));
    const written = transact(outbox, 'rw', [outbox.meta], () => writeMeta(outbox, 'mark', 'late'));
    const refused = expect(written).rejects.toThrow(StorageStalledError);
    await turns();
    await vi.advanceTimersByTimeAsync(61 * SECOND);
    await refused;
    open();
    await turns();
    expect(await readMeta(outbox, 'mark')).toBeUndefined();
  });

  test('allows a minute for a write, since a slow disk takes long for many photos', async () => {
    const { page } = await twoTabs();
    const { outbox } = page;
    const disk = { isBusy: true };
    const written = transact(outbox, 'rw', [outbox.meta], async () => {
      while (disk.isBusy) await readMeta(outbox, 'mark');
      await writeMeta(outbox, 'mark', 'slow');
    });
    await turns();
    await vi.advanceTimersByTimeAsync(55 * SECOND);
    disk.isBusy = false;
    await written;
    expect(await readMeta(outbox, 'mark')).toBe('slow');
  });

  test('times out sooner for a read', async () => {
    const { page, other } = await twoTabs();
    const letGo = hold(other);
    const reads = [pendingEntries(page), readList('generators', page.cache)];
    const refused = Promise.all(reads.map((read) => expect(read).rejects.toThrow(StorageStalledError)));
    await turns();
    await vi.advanceTimersByTimeAsync(22 * SECOND);
    await refused;
    letGo();
    await turns();
    expect(await readList('generators', page.cache)).toBeDefined();
  });
});

test('a transaction that completes at its time limit returns its result', async () => {
  const { page } = await twoTabs();
  const { outbox } = page;
  const work = { goesOn: true };
  const written = transact(outbox, 'r', [outbox.meta], async () => {
    // as in a browser that is completing the transaction
    const abort = () => {
      throw new DOMException('It is over.', 'InvalidStateError');
    };
    Object.assign(Dexie.currentTransaction, { abort });
    while (work.goesOn) await readMeta(outbox, 'mark');
    return 'completed';
  });
  const told = expect(written).resolves.toBe('completed');
  await turns();
  await vi.advanceTimersByTimeAsync(22 * SECOND);
  work.goesOn = false;
  await told;
});

describe('a page hidden in the middle of a transaction', () => {
  /** A page whose write continues until it is released, with ways to hide and show the page. */
  async function writing() {
    const { page, other } = await twoTabs();
    const frame = new EventTarget();
    leaveNothingOpen(frame);
    let runs = 0;
    const work = { goesOn: true };
    const { outbox } = page;
    const written = transact(outbox, 'rw', [outbox.meta], async () => {
      runs += 1;
      while (work.goesOn) await readMeta(outbox, 'mark');
      await writeMeta(outbox, 'mark', `run ${runs}`);
    });
    await turns();
    return {
      other: other.outbox,
      page: outbox,
      written,
      letGo: () => {
        work.goesOn = false;
      },
      hide: (persisted: boolean) => frame.dispatchEvent(Object.assign(new Event('pagehide'), { persisted })),
      show: () => frame.dispatchEvent(new Event('pageshow')),
    };
  }

  test('leaves nothing open, and repeats its work when it is back', async () => {
    const { other, page, written, letGo, hide, show } = await writing();
    hide(true);
    const begunWhileAway = transact(page, 'rw', [page.meta], () => writeMeta(page, 'tidied', 7));
    await other.meta.put({ key: 'tidied', value: 5 });
    expect(await readMeta(other, 'mark')).toBeUndefined();
    letGo();
    show();
    await written;
    await begunWhileAway;
    expect(await readMeta(other, 'mark')).toBe('run 2');
    expect(await readMeta(other, 'tidied')).toBe(7);
  });

  test('repeats its work even if it is hidden again before that is done', async () => {
    const { other, written, letGo, hide, show } = await writing();
    hide(true);
    show();
    await turns();
    hide(true);
    letGo();
    show();
    await written;
    expect(await readMeta(other, 'mark')).toBe('run 3');
  });

  test('continues when it is closed for good, since the browser ends its transactions', async () => {
    const { other, written, letGo, hide } = await writing();
    hide(false);
    letGo();
    await written;
    expect(await readMeta(other, 'mark')).toBe('run 1');
  });
});
