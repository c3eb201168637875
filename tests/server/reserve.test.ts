import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { reserveIn } from '../../server/uploads/reserve.ts';
import { freshFolder } from './harness.ts';

const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** A reserve on a disk that can be full, and what was written for it. */
async function world() {
  const folder = await freshFolder();
  const path = join(folder, 'reserve');
  const state = { isFull: false, written: 0 };
  const create: Disk['create'] = async (name) => {
    if (state.isFull) throw FULL;
    state.written += 1;
    return realDisk.create(name);
  };
  const begin = () => reserveIn(folder, { ...realDisk, create }, randomBytes);
  return { folder, path, state, begin, reserve: begin() };
}

test('reserves four megabytes, written once for simultaneous calls, and not again at the next start', async () => {
  const { folder, path, state, begin, reserve } = await world();
  await Promise.all([reserve.keep(), reserve.keep(), reserve.keep()]);
  await reserve.keep();
  expect([(await stat(path)).size, state.written]).toEqual([4 * 1024 * 1024, 1]);
  state.isFull = true;
  await begin().keep();
  expect(await readdir(folder)).toEqual(['reserve']);
});

test('reserves nothing on a full disk, and reports that each time, until there is space', async () => {
  const { folder, path, state, reserve } = await world();
  state.isFull = true;
  for (const keeping of [reserve.keep(), reserve.keep()]) await expect(keeping).rejects.toBe(FULL);
  expect(await readdir(folder)).toEqual([]);
  state.isFull = false;
  await reserve.keep();
  expect(existsSync(path)).toBe(true);
});

test('repeats a task that finds the disk full with the reserved space, and reserves it again', async () => {
  const { path, state, reserve } = await world();
  await reserve.keep();
  let runs = 0;
  const task = async () => {
    runs += 1;
    if (existsSync(path)) throw FULL;
    return 'done';
  };
  expect(await reserve.spend(task)).toBe('done');
  expect([runs, existsSync(path)]).toEqual([2, false]);
  await reserve.keep();
  expect([existsSync(path), state.written]).toEqual([true, 2]);
});

test('does not spend the reserve on other errors, and restores it after a task that fails again', async () => {
  const { path, reserve } = await world();
  await reserve.keep();
  const other = new Error('another');
  await expect(reserve.spend(() => Promise.reject(other))).rejects.toBe(other);
  expect(existsSync(path)).toBe(true);
  await expect(reserve.spend(() => Promise.reject(FULL))).rejects.toBe(FULL);
  await writeFile(path, '');
  expect(await reserve.spend(async () => 'kept')).toBe('kept');
  expect(existsSync(path)).toBe(true);
});
