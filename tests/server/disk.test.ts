import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder } from './harness.ts';

/** A file system of its own on most machines that run Linux. */
const MEMORY = '/dev/shm';

test.runIf(existsSync(MEMORY))('gives a file a second name by a copy where its file system cannot', async () => {
  const elsewhere = await mkdtemp(join(MEMORY, 'voltdesk-test-'));
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  const [from, to] = [join(await freshFolder(), 'from'), join(elsewhere, 'to')];
  await writeFile(from, 'content');
  await realDisk.link(from, to);
  expect(await readFile(to, 'utf8')).toBe('content');
});

test('gives a file a second name without a copy of its bytes, and says so where there is no such file', async () => {
  const folder = await freshFolder();
  const [from, to, missing] = ['from', 'to', 'missing'].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(from, 'content');
  await realDisk.link(from, to);
  expect((await stat(to)).ino).toBe((await stat(from)).ino);
  await expect(realDisk.link(missing, join(folder, 'other'))).rejects.toThrow('ENOENT');
  expect(existsSync(join(folder, 'other'))).toBe(false);
});

test('begins no file that is there already, and goes on at the end of one', async () => {
  const path = join(await freshFolder(), 'file');
  const write = async (verb: 'create' | 'append', text: string) => {
    const file = await realDisk[verb](path);
    await file.write(Buffer.from(text));
    await file.close();
  };
  await write('create', 'one');
  await expect(write('create', 'two')).rejects.toThrow('EEXIST');
  await write('append', ' and two');
  expect(await readFile(path, 'utf8')).toBe('one and two');
  await realDisk.remove(path);
  await realDisk.remove(path);
  expect(existsSync(path)).toBe(false);
});
