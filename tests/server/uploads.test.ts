import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Disk, realDisk } from '../../server/uploads/disk.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { type Client, formOf, signedIn, type TestFile, withKey } from './harness.ts';
import { filesFor, pdf, picture, sha256, valuesFor } from './samples.ts';

const image = (bytes: Uint8Array<ArrayBuffer>, name = 'a.jpg'): TestFile => ({
  field: 'image',
  bytes,
  name,
  type: 'image/jpeg',
});

const createCertification = (admin: Client, file: TestFile) =>
  admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [file]));

async function storedImage(admin: Client, file: TestFile) {
  const { id } = (await createCertification(admin, file)).json();
  const record = (await admin.get(`${certifications.endpoints.single}/${id}`)).json();
  return { record, served: await admin.get(`/uploads/${record.image}`) };
}

/** Names in the uploads folder, unfinished ones included. */
async function onDisk(dataDir: string): Promise<string[]> {
  const uploads = join(dataDir, 'uploads');
  const finished = (await readdir(uploads)).filter((name) => !name.startsWith('.'));
  return [...finished, ...(await readdir(join(uploads, '.incoming')))];
}

test('rotates a photo upright, removes its metadata and keeps its size', async () => {
  const { admin } = await signedIn();
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'secret place', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { served } = await storedImage(admin, image(new Uint8Array(photo)));
  const facts = await sharp(served.rawPayload).metadata();
  expect([facts.width, facts.height]).toEqual([40, 60]);
  expect(facts.orientation).toBeUndefined();
  expect(facts.exif).toBeUndefined();
  expect(served.rawPayload.includes('secret place')).toBe(false);
});

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'accepts a %s by its content, whatever its name and type say',
  async (type) => {
    const { admin } = await signedIn();
    const { served } = await storedImage(admin, { ...image(await picture(type)), name: 'blob', type: 'text/plain' });
    expect(served.headers['content-type']).toBe(`image/${type}`);
  },
);

test('rotates a photo upright even when it is stored smaller', async () => {
  const { admin } = await signedIn();
  const create = { width: 4200, height: 3100, channels: 3, background: '#446688' } as const;
  const bytes = await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const { served } = await storedImage(admin, image(new Uint8Array(bytes)));
  const { width, height, orientation } = await sharp(served.rawPayload).metadata();
  expect([width < height, width * height <= 12_010_000, orientation]).toEqual([true, true, undefined]);
});

test('removes bytes appended to a picture', async () => {
  const { admin } = await signedIn();
  const bytes = new Uint8Array(Buffer.concat([await picture('png'), Buffer.from('<script>alert(1)</script>')]));
  const { record, served } = await storedImage(admin, image(bytes));
  expect(served.rawPayload.includes('<script>')).toBe(false);
  expect(record.files[0]).toMatchObject({ sha256: sha256(bytes), size: bytes.length });
});

test('serves files immutable, sandboxed and under their own type only', async () => {
  const { admin } = await signedIn();
  const { served } = await storedImage(admin, image(await picture()));
  expect(served.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
    'cross-origin-resource-policy': 'cross-origin',
  });
});

test('serves a catalogue as a download under its original name', async () => {
  const { admin } = await signedIn();
  const files = (await filesFor(generators)).filter((file) => file.field !== 'catalog');
  const catalog = { field: 'catalog', bytes: pdf(), name: 'Katalog „Größe“ 2026\u0000.pdf', type: 'application/pdf' };
  const { id } = (
    await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), [catalog, ...files]))
  ).json();
  const record = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  expect(record.files[0].originalName).toContain('Katalog „Größe“ 2026');
  const served = await admin.get(`/uploads/${record.catalog}`);
  expect(served.headers['content-disposition']).toMatch(
    /^attachment; filename="[\w. ()-]+"; filename\*=UTF-8''Katalog%20/,
  );
  expect(sha256(served.rawPayload)).toBe(sha256(catalog.bytes));
  // a document has no smaller pictures
  const narrow = await admin.get(`/uploads/${record.catalog}?width=100`);
  expect([narrow.statusCode, narrow.headers['content-type']]).toEqual([200, 'application/pdf']);
});

test('makes smaller pictures in a format that the browser accepts', async () => {
  const { admin } = await signedIn();
  const { record } = await storedImage(admin, image(await picture('jpeg', '#446688', 800)));
  for (const [accept, type] of [
    ['image/webp', 'image/webp'],
    ['image/avif,image/webp', 'image/avif'],
    ['*/*', 'image/webp'],
  ] as const) {
    const served = await admin.get(`/uploads/${record.image}?width=100`, { accept });
    expect([served.headers['content-type'], served.headers.vary]).toEqual([type, 'Accept']);
    expect((await sharp(served.rawPayload).metadata()).width).toBe(100);
  }
  const large = await admin.get(`/uploads/${record.image}?width=1200`);
  expect((await sharp(large.rawPayload).metadata()).width).toBe(800);
  const odd = await admin.get(`/uploads/${record.image}?width=101`);
  expect(odd.headers).not.toHaveProperty('content-disposition');
  expect((await sharp(odd.rawPayload).metadata()).width).toBe(800);
});

test('removes files with their record, and replaced ones with an update', async () => {
  const { admin, dataDir } = await signedIn({ TRASH_DAYS: '0' });
  const { id } = (await createCertification(admin, image(await picture()))).json();
  const single = `${certifications.endpoints.single}/${id}`;
  const before = (await admin.get(single)).json().image;
  await admin.get(`/uploads/${before}?width=100`);
  await admin.post(single, formOf(valuesFor(certifications.fields), [image(await picture('webp'))]));
  const after = (await admin.get(single)).json().image;
  expect(after).not.toBe(before);
  expect(await onDisk(dataDir)).toEqual([after]);
  expect((await admin.get(`/uploads/${before}`)).statusCode).toBe(404);
  await admin.post(`${certifications.endpoints.delete}/${id}`, undefined);
  expect(await onDisk(dataDir)).toEqual([]);
});

test('names the limit of a file that is too large, and keeps nothing of it', async () => {
  const { admin, dataDir } = await signedIn({ MAX_FILE_MB: '1' });
  const bytes = new Uint8Array(Buffer.concat([pdf(), Buffer.alloc(1024 * 1024)]));
  const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
  const answer = await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files));
  expect(answer.statusCode).toBe(422);
  expect(answer.json().errors).toEqual({ catalog: ['Too large: 1.1 MB. The limit is 1 MB.'] });
  expect(await onDisk(dataDir)).toEqual([]);
});

test('writes no more of a file to the disk than it may keep', async () => {
  let written = 0;
  const create: Disk['create'] = async (path) => {
    const file = await realDisk.create(path);
    const isUpload = path.includes('.incoming');
    return { ...file, write: async (bytes) => ((written += isUpload ? bytes.length : 0), file.write(bytes)) };
  };
  const { admin } = await signedIn({ MAX_FILE_MB: '1', MAX_REQUEST_MB: '16' }, { disk: { ...realDisk, create } });
  const offer = (bytes: number) => {
    const file = { field: 'catalog', bytes: new Uint8Array(bytes), name: 'a.pdf', type: 'application/pdf' };
    return admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), [file]));
  };
  expect((await offer(12 * 1024 * 1024)).statusCode).toBe(422);
  expect(written).toBeLessThanOrEqual(1024 * 1024);
  written = 0;
  await offer(1024 * 1024);
  expect(written).toBe(1024 * 1024);
});

test('counts the whole form, even one without a declared size', async () => {
  const { app, admin, dataDir } = await signedIn({ MAX_FILE_MB: '1', MAX_REQUEST_MB: '1' });
  const files = ['a', 'b', 'c'].map((name) => ({
    field: 'images[]',
    bytes: new Uint8Array(500_000),
    name,
    type: 'image/png',
  }));
  const request = new Request('http://x', { method: 'POST', body: formOf(valuesFor(generators.fields), files) });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${address}${generators.endpoints.create}`, {
    method: 'POST',
    body: request.body,
    duplex: 'half',
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      authorization: `Bearer ${admin.bearer()}`,
      cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-xsrf-token': admin.cookies.get('XSRF-TOKEN') ?? '',
    },
  } as RequestInit);
  expect(answer.status).toBe(413);
  expect((await answer.json()).message).toContain('The limit is 1 MB.');
  expect(await onDisk(dataDir)).toEqual([]);
});

test('refuses more files than the limit with a message, instead of dropping the rest', async () => {
  const { admin, dataDir } = await signedIn({ MAX_FILES: '2' });
  const answer = await admin.post(
    generators.endpoints.create,
    formOf(valuesFor(generators.fields), await filesFor(generators)),
  );
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({ code: 'too-many-files', message: expect.stringContaining('2 files') });
  expect(await onDisk(dataDir)).toEqual([]);
});

test('refuses text in place of a file, such as a stored name sent back', async () => {
  const { admin } = await signedIn();
  const { id } = (await createCertification(admin, image(await picture()))).json();
  const form = formOf({ ...valuesFor(certifications.fields), image: 'abc.png' });
  const answer = await admin.post(`${certifications.endpoints.single}/${id}`, form);
  expect(answer.json().errors).toEqual({ image: ['The image must be a file.'] });
});

test('keeps the last of several files for a single-file field, and the stored one when none was picked', async () => {
  const { admin } = await signedIn();
  const { id } = (await createCertification(admin, image(await picture()))).json();
  const single = `${certifications.endpoints.single}/${id}`;
  const values = valuesFor(certifications.fields);
  const [first, last] = [await picture('png', '#111111'), await picture('webp', '#222222')];
  await admin.post(single, formOf(values, [image(first, 'first'), image(last, 'last')]));
  const kept = (await admin.get(single)).json();
  expect(kept.files[0]).toMatchObject({ originalName: 'last', sha256: sha256(last) });
  expect((await admin.post(single, formOf(values, [image(new Uint8Array(), '')]))).statusCode).toBe(200);
  expect((await admin.get(single)).json().image).toBe(kept.image);
});

test('refuses a truncated picture', async () => {
  const { admin, dataDir } = await signedIn();
  for (const type of ['jpeg', 'png', 'webp'] as const) {
    const whole = await picture(type, '#446688', 600);
    const answer = await createCertification(admin, image(whole.slice(0, whole.length * 0.6)));
    const name = { jpeg: 'JPEG', png: 'PNG', webp: 'WebP' }[type];
    const text = `The image could not be read: it is damaged or has another format than ${name}.`;
    expect([type, answer.statusCode, answer.json().errors]).toEqual([type, 422, { image: [text] }]);
  }
  expect(await onDisk(dataDir)).toEqual([]);
});

test('keeps nothing of a refused change with other good pictures, nor of a repeated one', async () => {
  const { admin, dataDir } = await signedIn();
  const values = valuesFor(generators.fields);
  const files = await filesFor(generators);
  const cut = { ...image((await picture('jpeg')).slice(0, 200)), field: 'images[]' };
  const refused = await admin.post(generators.endpoints.create, formOf(values, [...files, cut]));
  expect([refused.statusCode, await onDisk(dataDir)]).toEqual([422, []]);
  const key = withKey();
  expect((await admin.post(generators.endpoints.create, formOf(values, files), key)).statusCode).toBe(200);
  const kept = await onDisk(dataDir);
  const again = await admin.post(generators.endpoints.create, formOf(values, files), key);
  expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(await onDisk(dataDir)).toEqual(kept);
});

test('makes a change even if the replaced files cannot be removed at once', async () => {
  let isStuck = false;
  const remove: Disk['remove'] = (path) => {
    if (isStuck && !path.includes('.incoming')) throw new Error('The disk is tired.');
    return realDisk.remove(path);
  };
  const { admin } = await signedIn({}, { disk: { ...realDisk, remove } });
  const { record } = await storedImage(admin, image(await picture()));
  isStuck = true;
  const single = `${certifications.endpoints.single}/${record.id}`;
  const form = formOf(valuesFor(certifications.fields), [image(await picture('png'))]);
  expect((await admin.post(single, form)).statusCode).toBe(200);
  expect((await admin.get(single)).json().image).not.toBe(record.image);
});

test('refuses overlong texts and too many fields', async () => {
  const { admin } = await signedIn();
  const files = await filesFor(generators);
  const long = { ...valuesFor(generators.fields), extra: 'x'.repeat(600 * 1024) };
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`field${n}`, 'x']));
  for (const values of [long, { ...many, ...valuesFor(generators.fields) }]) {
    const answer = await admin.post(generators.endpoints.create, formOf(values, files));
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'request-too-large']);
  }
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
});

test('keeps the order of images, and appends later ones', async () => {
  const { admin } = await signedIn();
  const files = await filesFor(generators);
  const { id } = (await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files))).json();
  const more = { field: 'images[0]', bytes: await picture('webp'), name: 'later.webp', type: 'image/webp' };
  await admin.post(`${generators.endpoints.single}/${id}`, formOf(valuesFor(generators.fields), [more]));
  const record = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  const names = record.files.map((file: { originalName: string }) => file.originalName);
  expect(names).toEqual(['one.pdf', 'one.png', 'one.jpg', 'later.webp']);
  expect(record.images.map((one: { image: string }) => one.image)).toEqual(
    record.files.slice(1).map((file: { name: string }) => file.name),
  );
});

test('answers 404 for a file that was lost from the disk', async () => {
  const { admin, app, dataDir } = await signedIn();
  const { record } = await storedImage(admin, image(await picture()));
  await app.services.sizes.done();
  await rm(join(dataDir, 'uploads', '.sizes'), { recursive: true });
  await rm(join(dataDir, 'uploads', record.image));
  for (const query of ['', '?width=100']) {
    const answer = await admin.get(`/uploads/${record.image}${query}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).not.toContain('immutable');
  }
});

test('lets a sender read why a large body is refused, instead of cutting it off', async () => {
  const { app } = await signedIn({ MAX_FILE_MB: '4', MAX_REQUEST_MB: '4' });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const send = (bytes: number) =>
    fetch(`${address}${generators.endpoints.create}`, {
      method: 'POST',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
  expect((await send(3_000_000)).status).toBe(419);
  expect((await send(12_000_000)).status).toBe(413);
});
