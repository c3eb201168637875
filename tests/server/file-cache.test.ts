import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, makeFolder, realDisk } from '../../server/uploads/disk.ts';
import { withinRoom } from '../../server/uploads/file-cache.ts';
import { type FileStore, filesOnDisk } from '../../server/uploads/file-store.ts';
import { freshFolder } from './harness.ts';

const MINUTE = 60_000;

/** A folder with room for three files, a store elsewhere that has any file, and a clock of the test's. */
async function caching() {
  const folder = await freshFolder();
  await makeFolder(join(folder, '.sizes', '100'));
  const clock = { at: Date.now() };
  const pathOf = (name: string) => join(folder, name);
  const put = (name: string) => writeFile(pathOf(name), Buffer.alloc(1000));
  const fetched: string[] = [];
  const elsewhere: FileStore = {
    ...filesOnDisk(folder, realDisk),
    async fetch(name) {
      if (await exists(pathOf(name))) return;
      fetched.push(name);
      await put(name);
    },
  };
  const open = () => withinRoom(elsewhere, { folder, disk: realDisk }, { most: 3000, now: () => clock.at });
  const names = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted();
  return { folder, clock, put, pathOf, fetched, open, names };
}

test('gives up what was not asked for the longest, and fetches it again when it is', async () => {
  const { clock, fetched, open, names } = await caching();
  const files = open();
  for (const name of ['a', 'b', '.sizes/100/c']) {
    await files.fetch(name);
    clock.at += MINUTE;
  }
  await files.fetch('a');
  await files.fetch('d');
  expect(await names()).toEqual(['a', 'c', 'd']);
  await files.fetch('b');
  expect(fetched).toEqual(['a', 'b', '.sizes/100/c', 'd', 'b']);
  expect(await names()).toEqual(['a', 'b', 'd']);
});

test('leaves what was asked for within a minute, though that is more than there may be', async () => {
  const { clock, open, names } = await caching();
  const files = open();
  for (const name of ['a', 'b', 'c', 'd']) await files.fetch(name);
  expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  clock.at += MINUTE;
  await files.fetch('d');
  expect(await names()).toEqual(['b', 'c', 'd']);
});

test('counts what an earlier run has left, what is kept here, and not what is removed', async () => {
  const { folder, clock, put, pathOf, open, names } = await caching();
  for (const [index, name] of ['old', 'older'].entries()) {
    await put(name);
    const at = new Date(clock.at - (index + 1) * 60 * MINUTE);
    await utimes(pathOf(name), at, at);
  }
  const files = open();
  await put('mine');
  await files.keep(['mine']);
  expect(await names()).toEqual(['mine', 'old', 'older']);
  await files.remove(['mine']);
  await realDisk.remove(join(folder, 'mine'));
  await files.fetch('new');
  expect(await names()).toEqual(['new', 'old', 'older']);
  await files.fetch('newer');
  expect(await names()).toEqual(['new', 'newer', 'old']);
});

test('counts what is kept and shared here as used now, and leaves alone what is still being received', async () => {
  const { clock, put, pathOf, open, names } = await caching();
  await makeFolder(pathOf('.incoming'));
  await put('.incoming/half');
  const at = new Date(clock.at - 60 * MINUTE);
  await utimes(pathOf('.incoming/half'), at, at);
  const files = open();
  for (const name of ['kept', 'shared']) await put(name);
  await files.keep(['kept']);
  await files.share('shared');
  for (const name of ['a', 'b', 'c']) {
    clock.at += MINUTE;
    await files.fetch(name);
  }
  expect(await names()).toEqual(['a', 'b', 'c', 'half']);
});

test('counts as used now what is kept and shared here once its files are known', async () => {
  const { clock, put, open, names } = await caching();
  const files = open();
  await files.fetch('first');
  clock.at += 2 * MINUTE;
  for (const name of ['kept', 'shared']) await put(name);
  await files.keep(['kept']);
  await files.share('shared');
  clock.at += 2 * MINUTE;
  await files.fetch('a');
  expect(await names()).toEqual(['a', 'kept', 'shared']);
  clock.at += 2 * MINUTE;
  for (const name of ['b', 'c']) await files.fetch(name);
  expect(await names()).toEqual(['a', 'b', 'c']);
});

test('counts no file that is removed while those of an earlier run are still looked for', async () => {
  const { clock, put, pathOf, open, names } = await caching();
  for (const [minutes, name] of [
    [60, 'older'],
    [30, 'gone'],
  ] as const) {
    await put(name);
    const at = new Date(clock.at - minutes * MINUTE);
    await utimes(pathOf(name), at, at);
  }
  const files = open();
  await Promise.all([files.fetch('a'), files.remove(['gone'])]);
  await realDisk.remove(pathOf('gone'));
  await files.fetch('b');
  expect(await names()).toEqual(['a', 'b', 'older']);
});

test('counts what an earlier run has left with the first file that is asked for or shared', async () => {
  for (const verb of ['fetch', 'share'] as const) {
    const { clock, put, pathOf, open, names } = await caching();
    for (const [index, name] of ['oldest', 'older', 'old'].entries()) {
      await put(name);
      const at = new Date(clock.at - (60 - index) * MINUTE);
      await utimes(pathOf(name), at, at);
    }
    const files = open();
    if (verb === 'share') await put('new');
    await files[verb]('new');
    expect(await names()).toEqual(['new', 'old', 'older']);
  }
});
