import { expect, test } from 'vitest';
import { isUsed, makeRoom } from '../../server/staging/room.ts';
import type { KeptUpload, UploadState } from '../../server/staging/upload-store.ts';

const HOUR = 60 * 60 * 1000;

function upload(sha256: string, state: UploadState, hours: number): KeptUpload {
  return { userId: 1, sha256, length: 10, state, restsFor: hours * HOUR };
}

const USED = [upload('used', 'used', 30), upload('used-longer', 'used', 40)];
const WAITING = [upload('fresh', 'whole', 23), upload('rests', 'whole', 25), upload('rests-longer', 'part', 50)];

/** Which of these are removed for a new upload with space for that many bytes, and the message. */
async function removedFor(
  bytes: number,
  uploads: readonly KeptUpload[],
  more: object = {},
  own = upload('new', 'part', 0),
) {
  const removed: string[] = [];
  const store = {
    of: async () => [...uploads, own],
    remove: async ({ sha256 }: Pick<KeptUpload, 'sha256'>) => void removed.push(sha256),
  };
  const said = await makeRoom(store, [own], { maxStagedBytes: bytes, ...more }).then(
    () => 'fits',
    (error: Error) => error.message,
  );
  return [removed, said];
}

test('removes no more than a new upload needs: used ones first, then those idle for a day, oldest first', async () => {
  const order = ['used-longer', 'used', 'rests-longer', 'rests'];
  for (const gone of [0, 1, 2, 3, 4])
    expect(await removedFor(60 - gone * 10, [...WAITING, ...USED])).toEqual([order.slice(0, gone), 'fits']);
});

test('keeps waiting uploads, and says so when a new one does not fit', async () => {
  const said = 'Too many files of yours wait here for their changes: at most 3 MB and 1000 files.';
  const heavy = { ...upload('fresh', 'whole', 23), length: 3 * 1024 * 1024 };
  expect(await removedFor(3 * 1024 * 1024, [heavy])).toEqual([[], said]);
});

test('removes no waiting upload for an attached file, however old, nor that file itself', async () => {
  const own = upload('new', 'used', 0);
  const [removed, said] = await removedFor(20, [...WAITING, ...USED], { mayGo: isUsed }, own);
  expect(removed).toEqual(['used-longer', 'used']);
  expect(said).not.toBe('fits');
});

test('keeps a thousand uploads, and removes one for one more', async () => {
  const many = Array.from({ length: 999 }, (_, n) => upload(`u${n}`, 'used', 1000 - n));
  expect(await removedFor(1e9, many)).toEqual([[], 'fits']);
  expect(await removedFor(1e9, [...many, upload('one-more', 'whole', 1)])).toEqual([['u0'], 'fits']);
});
