import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FileReference } from '../../src/domain/outbox/vocabulary.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { FileLostError, FileUnreadableError } from '../../src/offline/storage/errors.ts';
import {
  openFile,
  type PickedFile,
  type PreparedFile,
  prepareFiles,
  removeFiles,
  storedBytes,
  storeFiles,
} from '../../src/offline/storage/files.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const LARGE = 256 * 1024 + 1;

function page(overrides: Partial<Environment> = {}): Environment {
  return new Device(contractOnlyBackend()).environment(overrides);
}

function pickedOf(size: number, more: Partial<PickedFile> = {}): PickedFile {
  const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
  return { field: 'images', blob: new Blob([bytes]), name: 'photo.jpg', type: 'image/jpeg', ...more };
}

const hashOf = (bytes: ArrayBuffer) => createHash('sha256').update(new Uint8Array(bytes)).digest('hex');

/** A file as stored in the database. */
async function stored(environment: Environment, file: PickedFile): Promise<PreparedFile> {
  const [prepared] = await prepareFiles(environment, [file]);
  if (prepared === undefined) throw new Error('Nothing was prepared.');
  await storeFiles(environment.outbox, 'entry', [prepared]);
  return prepared;
}

/** Replaces the stored bytes. */
async function spoil({ outbox }: Environment, { id }: FileReference, bytes: Blob | ArrayBuffer): Promise<void> {
  await outbox.files.update(id, { bytes });
}

describe('a stored file', () => {
  test.each([
    ['small', 300, {}, false],
    ['just small enough to be stored as bytes', LARGE - 1, {}, false],
    ['large', LARGE, {}, true],
    ['large, on an engine that loses Blobs', LARGE, { keepsBlobs: false }, false],
  ])('is restored byte for byte with its name and type: %s', async (_what, size, overrides, asBlob) => {
    const environment = page(overrides);
    const file = pickedOf(size);
    const { reference, bytes } = await stored(environment, file);
    expect(bytes instanceof Blob).toBe(asBlob);
    const opened = await openFile(environment, reference);
    expect([opened.name, opened.type, opened.size]).toEqual(['photo.jpg', 'image/jpeg', size]);
    expect(hashOf(await opened.arrayBuffer())).toBe(hashOf(await file.blob.arrayBuffer()));
    expect(reference).toMatchObject({ field: 'images', size, sha256: hashOf(await file.blob.arrayBuffer()) });
  });

  test('is not read again when it is large and was hashed when picked', async () => {
    const file = pickedOf(LARGE, { sha256: 'told by the form' });
    const [prepared] = await prepareFiles(page(), [file]);
    expect(prepared?.bytes).toBe(file.blob);
    expect(prepared?.reference.sha256).toBe('told by the form');
  });

  test('is stored as bytes on an engine that loses Blobs, even if its hash is known', async () => {
    const file = pickedOf(LARGE, { sha256: 'told by the form' });
    const [prepared] = await prepareFiles(page({ keepsBlobs: false }), [file]);
    expect(prepared?.bytes).toBeInstanceOf(ArrayBuffer);
    expect(prepared?.reference.sha256).toBe('told by the form');
  });

  test('is not read in pieces when some of its bytes are gone', async () => {
    const environment = page();
    const { reference } = await stored(environment, pickedOf(300));
    expect((await storedBytes(environment, reference))?.size).toBe(300);
    await spoil(environment, reference, new Blob([new ArrayBuffer(299)]));
    expect(await storedBytes(environment, reference)).toBeUndefined();
    await removeFiles(environment.outbox, [reference]);
    expect(await storedBytes(environment, reference)).toBeUndefined();
  });

  test.each([
    ['gone', undefined],
    ['empty', new ArrayBuffer(0)],
    ['of another size', new ArrayBuffer(301)],
    ['other bytes of the same size', new ArrayBuffer(300)],
    ['other bytes in a Blob', new Blob([new ArrayBuffer(300)])],
  ])('is lost, never sent, when its bytes are %s', async (_how, bytes) => {
    const environment = page();
    const { reference } = await stored(environment, pickedOf(300));
    if (bytes === undefined) await removeFiles(environment.outbox, [reference]);
    else await spoil(environment, reference, bytes);
    const opened = openFile(environment, reference);
    await expect(opened).rejects.toThrow(FileLostError);
    await expect(opened).rejects.toThrow('“photo.jpg” was lost on this device. Please attach it again.');
  });
});

test('removes only the given files', async () => {
  const environment = page();
  const [one, other] = [await stored(environment, pickedOf(10)), await stored(environment, pickedOf(20))];
  await removeFiles(environment.outbox, []);
  expect(await environment.outbox.files.count()).toBe(2);
  await removeFiles(environment.outbox, [one.reference]);
  expect(await environment.outbox.files.toCollection().primaryKeys()).toEqual([other.reference.id]);
});

test.each([
  ['was revoked', pickedOf(10, { blob: unreadable(new DOMException('Gone', 'NotFoundError')) })],
  ['is empty', pickedOf(0)],
  ['returns fewer bytes than its size', pickedOf(10, { blob: unreadable(new ArrayBuffer(4)) })],
])('a picked file that %s is refused by name', async (_what, file) => {
  const refused = prepareFiles(page(), [pickedOf(5), file]);
  await expect(refused).rejects.toThrow(FileUnreadableError);
  await expect(refused).rejects.toThrow('“photo.jpg” can’t be read. Please choose it again.');
});

/** A file of ten bytes that gives this when it is read. */
function unreadable(read: ArrayBuffer | Error): Blob {
  const arrayBuffer = async () => {
    if (read instanceof Error) throw read;
    return read;
  };
  return Object.assign(new Blob([new Uint8Array(10)]), { arrayBuffer });
}
