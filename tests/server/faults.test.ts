import { Readable } from 'node:stream';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isBusy, isFull, isReadOnly } from '../../server/errors/faults.ts';
import { matches, tooMany } from '../../server/errors/refusal.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { receiveFile } from '../../server/uploads/received.ts';
import { reserveIn } from '../../server/uploads/reserve.ts';
import { freshFolder } from './harness.ts';
import { picture } from './samples.ts';

test('recognises a disk or database error by its code, whichever of them reports it', () => {
  const full = [{ code: 'ENOSPC' }, { code: 'EDQUOT' }, { code: '53100' }, { errcode: 13 }];
  const readOnly = [{ code: 'EROFS' }, { code: 'EACCES' }, { code: 'EPERM' }, { errcode: 8 }];
  const busy = [{ code: '55P03' }, { code: '57014' }, { code: '40P01' }, { errcode: 5 }];
  const kindsOf = (fault: object) => [isFull(fault), isReadOnly(fault), isBusy(fault)];
  for (const fault of full) expect(kindsOf(fault)).toEqual([true, false, false]);
  for (const fault of readOnly) expect(kindsOf(fault)).toEqual([false, true, false]);
  for (const fault of busy) expect(kindsOf(fault)).toEqual([false, false, true]);
  expect(kindsOf({ code: 'ENOENT' })).toEqual([false, false, false]);
});

test('spends the disk reserve only on a full disk, and does not retry other errors', async () => {
  const folder = await freshFolder();
  const reserve = reserveIn(folder, realDisk, (count) => Buffer.alloc(count));
  let runs = 0;
  const failing = () => {
    runs += 1;
    return Promise.reject(Object.assign(new Error('no'), { code: 'EIO' }));
  };
  await expect(reserve.spend(failing)).rejects.toThrow('no');
  expect(runs).toBe(1);
});

test('recognises a file by its first bytes, even when they arrive in small parts', async () => {
  const bytes = Buffer.from(await picture('webp'));
  const parts = Array.from({ length: Math.ceil(bytes.length / 5) }, (_, n) => bytes.subarray(n * 5, n * 5 + 5));
  const arriving = { field: 'image', originalName: 'a', path: join(await freshFolder(), 'a'), maxBytes: 1e6 };
  expect(await receiveFile(realDisk, Readable.from(parts), arriving)).toMatchObject({
    type: 'image/webp',
    size: bytes.length,
  });
});

test('states the waiting time in words and in a header', () => {
  expect(tooMany(1).body.message).toBe('Too many attempts. Please try again in 1 second.');
  expect(tooMany(60)).toMatchObject({
    status: 429,
    body: { message: 'Too many attempts. Please try again in 60 seconds.' },
    headers: { 'Retry-After': '60' },
  });
});

test('matches a version among those named, weak or not, or any with a wildcard', () => {
  for (const header of [undefined, '*', ' * ', '"v1"', 'W/"v1"', '"v0", "v1"', 'W/"v0",W/"v1"'])
    expect([header, matches(header, 'v1')]).toEqual([header, true]);
  for (const header of ['', '"v0"', '"v0", "v2"', 'v10'])
    expect([header, matches(header, 'v1')]).toEqual([header, false]);
});
