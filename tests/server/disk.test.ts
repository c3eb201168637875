import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder } from './harness.ts';

/** A separate file system on most Linux machines. */
const MEMORY = '/dev/shm';

test.runIf(existsSync(MEMORY))('copies a file to its second name on another file system', async () => {
  const elsewhere = await mkdtemp(join(MEMORY, 'voltdesk-test-'));
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  const [from, to] = [join(await freshFolder(), 'from'), join(elsewhere, 'to')];
  await writeFile(from, 'content');
  await realDisk.link(from, to);
  expect(await readFile(to, 'utf8')).toBe('content');
});

test('links a file to its second name without copying its bytes, and reports a missing file', async () => {
  const folder = await freshFolder();
  const [from, to, missing] = ['from', 'to', 'missing'].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(from, 'content');
  await realDisk.link(from, to);
  expect((await stat(to)).ino).toBe((await stat(from)).ino);
  await expect(realDisk.link(missing, join(folder, 'other'))).rejects.toThrow('ENOENT');
  expect(existsSync(join(folder, 'other'))).toBe(false);
});

test('refuses to create an existing file, and appends to the end of one', async () => {
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
