import { describe, expect, test, vi } from 'vitest';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { queueState } from '../../src/offline/outbox/queries.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { acknowledgeLoss, noticeLoss } from '../../src/offline/storage/storage-loss.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { generatorDraft } from './support/drafts.ts';

const ABOUT = { administrator: '1', title: 'A generator' };
const [LOCAL_STORAGE, COOKIE, CACHE_STORAGE] = [0, 1, 2];
const EVERYWHERE = [LOCAL_STORAGE, COOKIE, CACHE_STORAGE];

function device(): Device {
  return new Device(contractOnlyBackend());
}

const save = (environment: Environment, mark: string) => enqueue(environment, generatorDraft(mark), ABOUT);

/** The same device after its browser has deleted the databases, and the notes outside except for these places. */
function wiped(before: Device, left: readonly number[] = EVERYWHERE): Device {
  const after = device();
  for (const place of left) {
    for (const [key, value] of before.places[place] ?? []) after.places[place]?.set(key, value);
  }
  return after;
}

/** Whether the loss is shown, after the look that each page takes at its start. */
async function isTold(environment: Environment): Promise<boolean> {
  await noticeLoss(environment);
  return (await queueState(environment)).lossNoticedAt !== undefined;
}

test('an outbox that was never used, or still exists, is not lost', async () => {
  const tablet = device();
  expect(await isTold(tablet.environment())).toBe(false);
  await save(tablet.environment(), 'kept');
  expect(await isTold(tablet.environment())).toBe(false);
});

describe('an outbox that the browser has deleted', () => {
  test.each([
    ['local storage', LOCAL_STORAGE],
    ['a cookie', COOKIE],
    ['the Cache Storage', CACHE_STORAGE],
  ])('is noticed from a note in %s alone', async (_where, place) => {
    const tablet = device();
    await save(tablet.environment(), 'lost');
    expect(await isTold(wiped(tablet, [place ?? 0]).environment())).toBe(true);
  });

  test('is reported until acknowledged, on every page and after every reload', async () => {
    const tablet = device();
    await save(tablet.environment(), 'lost');
    const later = wiped(tablet);
    expect(await isTold(later.environment())).toBe(true);
    later.time += 60_000;
    expect(await isTold(later.environment())).toBe(true);
    expect(await queueState(later.environment())).toMatchObject({ lossNoticedAt: later.time - 60_000 });
    await acknowledgeLoss(later.environment());
    expect(await isTold(later.environment())).toBe(false);
  });

  test('is reported even if something was saved since', async () => {
    const tablet = device();
    await save(tablet.environment(), 'lost');
    const later = wiped(tablet);
    await save(later.environment(), 'new');
    expect((await queueState(later.environment())).lossNoticedAt).toBeDefined();
    expect(await noticeLoss(later.environment())).toBe(true);
    await acknowledgeLoss(later.environment());
    expect(await isTold(later.environment())).toBe(false);
  });

  test('is reported again for a second loss, before or after the first one is acknowledged', async () => {
    const tablet = device();
    await save(tablet.environment(), 'first');
    const second = wiped(tablet);
    expect(await isTold(second.environment())).toBe(true);
    const third = wiped(second);
    expect(await isTold(third.environment())).toBe(true);
    await acknowledgeLoss(third.environment());
    await save(third.environment(), 'third');
    expect(await isTold(third.environment())).toBe(false);
    expect(await isTold(wiped(third).environment())).toBe(true);
  });

  test('is not reported again because of a note that a killed browser has brought back', async () => {
    const tablet = device();
    await save(tablet.environment(), 'lost');
    const later = wiped(tablet);
    await noticeLoss(later.environment());
    await acknowledgeLoss(later.environment());
    for (const [key, value] of tablet.places[LOCAL_STORAGE ?? 0] ?? []) later.places[0]?.set(key, value);
    expect(await isTold(later.environment())).toBe(false);
    await save(later.environment(), 'new');
    expect(await isTold(wiped(later, [LOCAL_STORAGE ?? 0]).environment())).toBe(true);
  });
});

test('an acknowledged loss is not reported again when the outbox is deleted again with nothing saved in between', async () => {
  const tablet = device();
  await save(tablet.environment(), 'lost');
  const second = wiped(tablet);
  await noticeLoss(second.environment());
  await acknowledgeLoss(second.environment());
  expect(await isTold(wiped(second).environment())).toBe(false);
});

test('a save after a failed one is marked too, so that its loss is reported', async () => {
  const tablet = device();
  const page = tablet.environment();
  vi.spyOn(page.outbox.meta, 'put').mockRejectedValueOnce(new Error('The disk is busy.'));
  await expect(save(page, 'failed')).rejects.toThrow('The disk is busy.');
  await save(page, 'saved');
  expect(await isTold(wiped(tablet).environment())).toBe(true);
});

test('an imported queue is marked like a saved change, so that its loss is reported', async () => {
  const old = device().environment();
  await save(old, 'carried');
  const tablet = device();
  await importQueue(tablet.environment(), await exportQueue(old, ABOUT.administrator));
  expect(await isTold(wiped(tablet).environment())).toBe(true);
});

test('recently acknowledged losses are remembered, however many there were', async () => {
  const tablet = device();
  await save(tablet.environment(), 'kept');
  const [noted] = tablet.places[LOCAL_STORAGE ?? 0]?.keys() ?? [];
  const bringBack = (mark: string) => tablet.places[LOCAL_STORAGE ?? 0]?.set(noted ?? '', mark);
  for (let times = 1; times <= 21; times += 1) {
    bringBack(`mark-${times}`);
    expect(await isTold(tablet.environment())).toBe(true);
    await acknowledgeLoss(tablet.environment());
  }
  bringBack('mark-21');
  expect(await isTold(tablet.environment())).toBe(false);
});

test('a save works without any of the places for notes', async () => {
  const forbidden = {
    read: () => Promise.reject(new DOMException('', 'SecurityError')),
    write: () => Promise.reject(new DOMException('', 'SecurityError')),
  };
  const page = device().environment({ notes: [forbidden] });
  await expect(save(page, 'saved')).resolves.toMatchObject({ state: 'pending' });
});
