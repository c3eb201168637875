import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { receiveForm } from '../../server/uploads/form.ts';
import { discard, incomingFolder, place, prepareFolders, type Storage } from '../../server/uploads/storage.ts';
import type { FileType } from '../../src/domain/fields.ts';
import { encoded, formOf, freshFolder, type TestFile } from './harness.ts';
import { pdf, picture, sha256 } from './samples.ts';

const LIMITS = { maxFileBytes: 10_000, maxRequestBytes: 1_000_000, maxFiles: 3 };

/** A fresh uploads folder with its own limits. */
async function storageWith(limits: Partial<typeof LIMITS> = {}, disk: Disk = realDisk): Promise<Storage> {
  const folder = await freshFolder();
  const now = () => Date.UTC(2026, 10, 20);
  const storage = {
    folder,
    disk,
    files: filesOnDisk(folder, disk),
    limits: { ...LIMITS, ...limits },
    randomBytes,
    now,
  };
  await prepareFolders(storage);
  return storage;
}

const file = (bytes: Uint8Array<ArrayBuffer>, field = 'catalog', name = 'a.pdf'): TestFile => ({
  field,
  bytes,
  name,
  type: 'application/pdf',
});

async function receive(storage: Storage, form: FormData, pieces = 1) {
  const { body, type } = await encoded(form);
  const length = Math.ceil(body.length / pieces);
  const parts = Array.from({ length: pieces }, (_, n) => body.subarray(n * length, (n + 1) * length));
  return receiveForm(storage, Readable.from(parts), { 'content-type': type });
}

const left = (storage: Storage) => readdir(incomingFolder(storage));

test('reads texts unchanged, the last of each name, and files with field, name, size, hash and type', async () => {
  const storage = await storageWith();
  const form = formOf({ title: ' Größe \n', empty: '' }, [
    file(pdf('one')),
    file(await picture('png'), 'images[]', 'Foto 1.png'),
    file(new Uint8Array([1, 2, 3]), 'images[7]', 'x'),
  ]);
  form.append('title', 'second');
  const { texts, files } = await receive(storage, form, 7);
  expect([...texts]).toEqual([
    ['title', 'second'],
    ['empty', ''],
  ]);
  expect(files.map(({ field, originalName, type }) => [field, originalName, type])).toEqual([
    ['catalog', 'a.pdf', 'application/pdf'],
    ['images', 'Foto 1.png', 'image/png'],
    ['images', 'x', undefined],
  ]);
  for (const [index, bytes] of [pdf('one'), await picture('png'), new Uint8Array([1, 2, 3])].entries()) {
    const received = files[index];
    expect(received).toMatchObject({ sha256: sha256(bytes), size: bytes.length });
    expect(sha256(await readFile(received?.path ?? ''))).toBe(sha256(bytes));
  }
  await discard(storage, files);
  expect(await left(storage)).toEqual([]);
});

test('accepts a form of exactly the limits, and not one byte, field, character or file more', async () => {
  const form = (files: number, fields = 1, letters = 1) =>
    formOf(
      Object.fromEntries(Array.from({ length: fields }, (_, n) => [`f${n}`, 'x'.repeat(letters)])),
      Array.from({ length: files }, (_, n) => file(pdf(String(n)))),
    );
  const { length } = (await encoded(form(2))).body;
  const answer = async (given: FormData, limits: Partial<typeof LIMITS> = {}) => {
    const storage = await storageWith(limits);
    const said = await receive(storage, given, 3).then(
      ({ files }) => files.length,
      ({ status, body }) => [status, body.code],
    );
    if (Array.isArray(said)) expect(await left(storage)).toEqual([]);
    return said;
  };
  expect(await answer(form(2), { maxRequestBytes: length })).toBe(2);
  expect(await answer(form(2), { maxRequestBytes: length - 1 })).toEqual([413, 'request-too-large']);
  expect(await answer(form(3))).toBe(3);
  expect(await answer(form(4))).toEqual([422, 'too-many-files']);
  expect(await answer(form(1, 100))).toBe(1);
  expect(await answer(form(1, 101))).toEqual([413, 'request-too-large']);
  expect(await answer(form(1, 1, 512 * 1024))).toBe(1);
  expect(await answer(form(1, 1, 512 * 1024 + 1))).toEqual([413, 'request-too-large']);
});

test('leaves no file of a form that becomes too large while one arrives, and refuses it at once', async () => {
  const storage = await storageWith({ maxRequestBytes: 3000 });
  const form = formOf({}, [file(pdf('one')), file(new Uint8Array(9000).fill(1))]);
  await expect(receive(storage, form, 9)).rejects.toMatchObject({ status: 413 });
  expect(await left(storage)).toEqual([]);
});

test('keeps a file of exactly the limit, but only size and hash of a larger one', async () => {
  const storage = await storageWith({ maxFileBytes: 2000 });
  const [most, more] = [new Uint8Array(2000).fill(1), new Uint8Array(2001).fill(2)];
  const { files } = await receive(storage, formOf({}, [file(most), file(more)]));
  expect(files.map(({ size, sha256: hash }) => [size, hash])).toEqual([
    [2000, sha256(most)],
    [2001, sha256(more)],
  ]);
  expect((await readFile(files[0]?.path ?? '')).length).toBe(2000);
});

test('leaves no file of a truncated form, or when one file cannot be written, and reports that', async () => {
  const storage = await storageWith();
  const { body, type } = await encoded(formOf({}, [file(pdf('one')), file(pdf('two'))]));
  const cut = Readable.from([body.subarray(0, -60)]);
  await expect(receiveForm(storage, cut, { 'content-type': type })).rejects.toMatchObject({
    status: 400,
    body: { message: 'The form could not be read: it is incomplete or malformed.' },
  });
  expect(await left(storage)).toEqual([]);
  let made = 0;
  const create: Disk['create'] = (path) => {
    made += 1;
    return made > 1 ? Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })) : realDisk.create(path);
  };
  const full = await storageWith({}, { ...realDisk, create });
  const two = receive(full, formOf({}, [file(pdf('one')), file(pdf('two'))]), 5);
  await expect(two).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await left(full)).toEqual([]);
});

test('makes an upload readable for the server’s user only', async () => {
  const storage = await storageWith();
  const { files } = await receive(storage, formOf({}, [file(pdf())]));
  expect((await stat(files[0]?.path ?? '')).mode & 0o777).toBe(0o600);
});

test.each([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['application/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
] as const)('stores a file of type %s with the extension .%s', async (type: FileType, ending) => {
  const storage = await storageWith();
  const bytes = type.startsWith('image/') ? await picture(ending === 'jpg' ? 'jpeg' : (ending as 'png')) : pdf();
  const { files } = await receive(storage, formOf({}, [file(bytes, 'image', 'Mein Bild')]));
  const [received] = files;
  if (received === undefined) throw new Error('Nothing was received.');
  const stored = await place(storage, received, type, { by: 'somebody' });
  expect(stored.name).toMatch(new RegExp(`^[0-9a-f]{40}\\.${ending}$`));
  const kept = await readFile(`${storage.folder}/${stored.name}`);
  expect(stored).toMatchObject({
    type,
    size: kept.length,
    sha256: sha256(kept),
    received_size: bytes.length,
    received_sha256: sha256(bytes),
    original_name: 'Mein Bild',
    created_at: '2026-11-20T00:00:00.000Z',
  });
});

test('names a picture that cannot be decoded, and stores nothing of it', async () => {
  const storage = await storageWith();
  const whole = await picture('png');
  const { files } = await receive(storage, formOf({}, [file(whole.slice(0, 60), 'image', 'Half.png')]));
  const [received] = files;
  if (received === undefined) throw new Error('Nothing was received.');
  await expect(place(storage, received, 'image/png', { by: 'somebody' })).rejects.toThrow('"Half.png"');
  expect((await readdir(storage.folder)).filter((name) => !name.startsWith('.'))).toEqual([]);
});
