import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exists, makeFolder, realDisk } from '../../server/uploads/disk.ts';
import { withinRoom } from '../../server/uploads/file-cache.ts';
import { type FileStore, filesOnDisk } from '../../server/uploads/file-store.ts';
import { freshFolder } from './harness.ts';

const MINUTE = 60_000;

/** A folder with room for three files, a remote store that has any file, and a clock that the test moves. */
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

test('evicts the least recently used file, and fetches it again on demand', async () => {
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

test('keeps files used within the last minute, even beyond its limit', async () => {
  const { clock, open, names } = await caching();
  const files = open();
  for (const name of ['a', 'b', 'c', 'd']) await files.fetch(name);
  expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  clock.at += MINUTE;
  await files.fetch('d');
  expect(await names()).toEqual(['b', 'c', 'd']);
});

test('counts files of an earlier run and files kept here, but not removed ones', async () => {
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

test('counts kept and shared files as just used, and leaves files alone that are still being received', async () => {
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

test('counts files kept and shared after the first scan as just used', async () => {
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

test('does not count a file removed during the scan for files of an earlier run', async () => {
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

test('counts files of an earlier run with the first file that is fetched or shared', async () => {
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
