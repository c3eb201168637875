import { mkdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StagingFolder } from '../../server/staging/staging-folder.ts';
import type { WholeFile } from '../../server/staging/staging.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { freshFolder, signedIn } from './harness.ts';
import { sha256 } from './samples.ts';
import { begin, bigPdf, stagedFiles } from './staging-client.ts';

test('lets only the newest of three senders write a piece, and tells the one before to check the offset', async () => {
  const { app, dataDir } = await signedIn();
  const { staging } = app.services;
  const bytes = Buffer.from(bigPdf(300));
  const hash = sha256(bytes);
  await staging.begin(1, hash, 300);
  const onDisk = async () => (await stat(join(dataDir, 'staging', '1', `${hash}.300.part`))).size;
  const append = (offset: number, content: Readable) =>
    staging.append(1, hash, { offset, content }).catch((error: unknown) => error);
  const stalled = new Readable({ read: () => undefined });
  stalled.push(bytes.subarray(0, 50));
  const first = append(0, stalled);
  await expect.poll(onDisk, { interval: 5 }).toBe(50);
  const rest = () => Readable.from([bytes.subarray(50)]);
  const [second, third] = [append(50, rest()), append(50, rest())];
  expect(await first).toBeInstanceOf(Error);
  expect(await second).toMatchObject({ status: 409 });
  expect(await third).toEqual({ offset: 300, length: 300 });
});

test('keeps nothing of an attached file that cannot be read, and says why', async () => {
  const { app, dataDir } = await signedIn();
  const [missing, damaged, sound] = ['missing', 'damaged', 'sound'].map((mark): WholeFile => {
    const bytes = bigPdf(1000, mark);
    return { sha256: sha256(bytes), size: 1000, path: join(dataDir, mark) };
  }) as [WholeFile, WholeFile, WholeFile];
  await writeFile(damaged.path, bigPdf(1000, 'another'));
  await writeFile(sound.path, bigPdf(1000, 'sound'));
  const lost: unknown[] = [];
  await app.services.staging.adopt(1, [missing, damaged, sound], (error) => lost.push(error));
  expect(lost).toMatchObject([{ code: 'ENOENT' }, { status: 460 }]);
  expect(await stagedFiles(dataDir)).toEqual([`${sound.sha256}.1000.used`]);
});

test('survives a file that is missing by the time a slow disk is ready for it', async () => {
  const append = async (path: string) => {
    await sleep(100);
    return realDisk.append(path);
  };
  const { app, dataDir } = await signedIn({}, { disk: { ...realDisk, append } });
  const lost: unknown[] = [];
  const file = { sha256: sha256(bigPdf(1000)), size: 1000, path: join(dataDir, 'missing') };
  await app.services.staging.adopt(1, [file], (error) => lost.push(error));
  expect(lost).toMatchObject([{ code: 'ENOENT' }]);
});

test('evicts no waiting file, however old, for one attached to another change', async () => {
  let at = Date.parse('2026-11-20T12:00:00Z');
  const { app, admin, dataDir } = await signedIn({ STAGING_MB: '10', MAX_FILE_MB: '6' }, { now: () => at });
  const waiting = bigPdf(6 * 1024 * 1024, 'waits');
  await begin(admin, waiting);
  at += 2 * 24 * 60 * 60_000;
  const bytes = bigPdf(5 * 1024 * 1024, 'came along');
  const path = join(dataDir, 'came-along');
  await writeFile(path, bytes);
  const lost: unknown[] = [];
  const file = { sha256: sha256(bytes), size: bytes.length, path };
  await app.services.staging.adopt(1, [file], (error) => lost.push(error));
  expect(lost).toMatchObject([{ status: 507 }]);
  expect(await stagedFiles(dataDir)).toEqual([`${sha256(waiting)}.${waiting.length}.part`]);
});

test('ignores an upload removed while the others are listed', async () => {
  const folder = await freshFolder();
  const own = join(folder, '1');
  await mkdir(own);
  const names = Array.from({ length: 100 }, (_, index) => `${sha256(Buffer.from([index]))}.5.part`);
  await Promise.all(names.map((name) => writeFile(join(own, name), 'x')));
  const uploads = new StagingFolder({ folder, disk: realDisk, now: Date.now });
  const looking = uploads.of(1);
  await Promise.all(names.map((name) => unlink(join(own, name))));
  expect((await looking).length).toBeLessThan(100);
  expect(await uploads.of(1)).toEqual([]);
});
