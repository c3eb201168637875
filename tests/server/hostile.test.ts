import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { projects } from '../../src/domain/resources/projects.ts';
import { sliders } from '../../src/domain/resources/sliders.ts';
import { formOf, startServer } from './harness.ts';
import { filesFor, pdf, picture, valuesFor } from './samples.ts';

async function signedIn(environment: Record<string, string> = {}) {
  const server = await startServer(environment);
  const admin = await server.client();
  await admin.signIn();
  return { ...server, admin };
}

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (...parts: (Buffer | Uint8Array | string)[]): Bytes =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );

/** A PNG of that size whose pixels are all zero: a few kilobytes that unfold to gigabytes. */
function pixelBomb(width: number, height: number): Bytes {
  const crc32 = (bytes: Buffer) => {
    let crc = ~0;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc >>> 0;
  };
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * Math.min(height, 4000)));
  return bytesOf('\x89PNG\r\n\x1A\n', chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0)));
}

async function corpus(): Promise<[string, Bytes][]> {
  const [jpeg, png, webp, gif] = await Promise.all(
    (['jpeg', 'png', 'webp', 'gif'] as const).map((type) => picture(type, '#123456', 64)),
  );
  const whole = [jpeg, png, webp, gif] as Bytes[];
  const cut = whole.flatMap((bytes, n): [string, Bytes][] =>
    [0.1, 0.5, 0.9].map((part) => [`picture ${n} cut at ${part}`, bytes.slice(0, Math.ceil(bytes.length * part))]),
  );
  const flipped = whole.flatMap((bytes, n): [string, Bytes][] =>
    Array.from({ length: 25 }, (_, seed) => {
      const copy = bytes.slice();
      for (let k = 0; k < 6; k += 1)
        copy[12 + ((seed * 7919 + k * 104_729) % (copy.length - 12))] = (seed * 31 + k * 17) % 256;
      return [`picture ${n} with flipped bytes ${seed}`, copy];
    }),
  );
  return [
    ...cut,
    ...flipped,
    ['nothing', bytesOf('')],
    ['a bomb of 30,000 x 30,000', pixelBomb(30_000, 30_000)],
    ['a bomb of 2^31 x 1', pixelBomb(2_147_483_647, 1)],
    ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['an SVG behind a PNG signature', bytesOf('\x89PNG\r\n\x1A\n<svg onload="alert(1)"/>')],
    ['HTML behind a GIF signature', bytesOf('GIF89a/*<script>*/=alert(1)//</script>')],
    ['a BMP', bytesOf('BM', Buffer.alloc(200))],
    [
      'a TIFF',
      await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
        .tiff()
        .toBuffer()
        .then(bytesOf),
    ],
    ['a script', bytesOf('#!/bin/sh\nrm -rf /')],
    ['a ZIP', bytesOf('PK\x03\x04', Buffer.alloc(100))],
    ['a JPEG of headers only', bytesOf('\xFF\xD8\xFF\xE0\x00\x10JFIF', Buffer.alloc(4))],
    ['a WebP that lies about its length', bytesOf('RIFF\xFF\xFF\xFF\xFFWEBPVP8 ', Buffer.alloc(64))],
  ];
}

test('survives every broken and hostile picture with a clear answer', async () => {
  const { admin, app } = await signedIn();
  const outcomes = new Map<number, number>();
  for (const [what, bytes] of await corpus()) {
    const file = { field: 'image', bytes, name: 'x.png', type: 'image/png' };
    const answer = await admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [file]));
    expect([what, [200, 422].includes(answer.statusCode)]).toEqual([what, true]);
    if (answer.statusCode === 422) expect(Object.keys(answer.json().errors)).toEqual(['image']);
    outcomes.set(answer.statusCode, (outcomes.get(answer.statusCode) ?? 0) + 1);
  }
  expect(outcomes.get(422)).toBeGreaterThan(20);
  const { files } = await app.services.db
    .selectFrom('files')
    .select((of) => of.fn.countAll<number>().as('files'))
    .executeTakeFirstOrThrow();
  expect(files).toBe(outcomes.get(200) ?? 0);
});

test.each([
  [
    'an Excel file in the same envelope as Word',
    bytesOf('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', Buffer.from('Workbook', 'utf16le')),
  ],
  ['a ZIP that is no Word document', bytesOf('PK\x03\x04', 'evil.exe', 'PK\x01\x02', 'evil.exe')],
  ['a page', bytesOf('<!doctype html><script>alert(1)</script>')],
  ['a PDF that begins later', bytesOf('<html>', pdf())],
])('refuses %s as a catalogue', async (_what, bytes) => {
  const { admin } = await signedIn();
  const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
  const answer = await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files));
  expect(answer.statusCode).toBe(422);
  expect(Object.keys(answer.json().errors)).toEqual(['catalog']);
});

test('takes Word documents by their content', async () => {
  const { admin } = await signedIn();
  const doc = bytesOf('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1', Buffer.alloc(600), Buffer.from('WordDocument', 'utf16le'));
  const docx = bytesOf('PK\x03\x04', Buffer.alloc(30), 'PK\x01\x02', '[Content_Types].xml', 'word/document.xml');
  for (const bytes of [doc, docx]) {
    const files = (await filesFor(generators)).map((file) => (file.field === 'catalog' ? { ...file, bytes } : file));
    expect(
      (await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files))).statusCode,
    ).toBe(200);
  }
});

const NAUGHTY = [
  "Robert'); DROP TABLE generators;--",
  '"; SELECT * FROM users; --',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}} ${7*7} <%= 7*7 %>',
  '../../../../etc/passwd',
  '%00%0d%0aSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  '0x7fffffff',
  '-1e309',
  'Ω≈ç√∫˜µ≤≥÷ åß∂ƒ©˙∆˚¬…æ',
  '田中さんにあげて下さい',
  '👩🏽‍🚒👾 🙇 💁🏾',
  'الإطلاق جعل، بـ تعداد',
  'Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤',
  '\u202Etest\u202C \u200Bzero',
  'a\tb',
  'x'.repeat(255),
  '𝒳'.repeat(127),
  'line one\nline two',
  '\\\'\\"\\\\',
  '--boundary\r\nContent-Disposition: form-data; name="id"'.replaceAll('\r\n', '\n'),
];

test.each(NAUGHTY)('gives %j back as it was written', async (text) => {
  const { admin } = await signedIn();
  const values = {
    ...valuesFor(projects.fields),
    client_name: text,
    project_name: text,
    description: text,
    capacity: text,
  };
  const { id } = (await admin.post(projects.endpoints.create, formOf(values, await filesFor(projects)))).json();
  const record = (await admin.get(`${projects.endpoints.single}/${id}`)).json();
  for (const name of ['client_name', 'project_name', 'description', 'capacity']) expect(record[name]).toBe(text);
});

test('trims texts, and a blank one is a missing one', async () => {
  const { admin } = await signedIn();
  const values = { ...valuesFor(sliders.fields), text: ' \t\n ' };
  const answer = await admin.post(sliders.endpoints.create, formOf(values, await filesFor(sliders)));
  expect(answer.json().errors).toEqual({ text: ['The text field is required.'] });
});

test.each(['1.5', '1e3', '99999999999', 'one', '0x10', '--1'])('refuses %j as a serial number', async (serial) => {
  const { admin } = await signedIn();
  const answer = await admin.post(
    sliders.endpoints.create,
    formOf({ ...valuesFor(sliders.fields), serial }, await filesFor(sliders)),
  );
  expect(answer.json().errors).toEqual({ serial: ['The serial must be an integer.'] });
});

test.each([
  '/uploads/../voltdesk.sqlite',
  '/uploads/..%2fvoltdesk.sqlite',
  '/uploads/%2e%2e%2fvoltdesk.sqlite',
  '/uploads/..%5cvoltdesk.sqlite',
  '/uploads/.incoming',
  '/uploads/%00',
  '/uploads/....//voltdesk.sqlite',
  '/assets/../../package.json',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%c0%ae%c0%ae/etc/passwd',
  '/%',
])('leads nowhere from %s', async (url) => {
  const { app } = await signedIn();
  const answer = await app.inject({ url, headers: { accept: '*/*' } });
  expect([400, 404]).toContain(answer.statusCode);
  expect(answer.body).not.toMatch(/SQLite|"name"|root:/);
});

test.each(['0', '-1', '1.0', '1e1', '01', 'abc', '%00', '9999999999999999999', "1' OR '1'='1", '1;'])(
  'finds no record and no image under the id %j',
  async (id) => {
    const { admin } = await signedIn();
    await admin.post(
      certifications.endpoints.create,
      formOf(valuesFor(certifications.fields), await filesFor(certifications)),
    );
    const path = encodeURIComponent(id);
    expect((await admin.get(`${certifications.endpoints.single}/${path}`)).statusCode).toBe(404);
    expect((await admin.post(`${certifications.endpoints.delete}/${path}`, undefined)).statusCode).toBe(404);
    expect((await admin.post(`/api/delete-image/${path}`, undefined)).statusCode).toBe(404);
  },
);

test('cannot be made to split its headers by the name of a file', async () => {
  const { admin, app } = await signedIn();
  const files = await filesFor(generators);
  const { id } = (await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), files))).json();
  const { catalog } = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  const evil = 'a"\r\nSet-Cookie: evil=1\r\n\r\n<script>.pdf';
  await app.services.db.updateTable('files').set({ original_name: evil }).where('name', '=', catalog).execute();
  const answer = await admin.get(`/uploads/${catalog}`);
  expect(answer.statusCode).toBe(200);
  expect(answer.cookies).toEqual([]);
  expect(answer.headers['content-disposition']).not.toMatch(/[\r\n]/);
});

const MALFORMED: [string, string, string][] = [
  ['no boundary', 'multipart/form-data', 'x'],
  ['a boundary that never comes', 'multipart/form-data; boundary=b', 'nothing like it'],
  [
    'a part without an end',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nhalf',
  ],
  ['a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\n\r\n--b--\r\n'],
  ['endless headers', 'multipart/form-data; boundary=b', `--b\r\n${'X-A: b\r\n'.repeat(5000)}\r\n\r\n--b--`],
  ['broken JSON', 'application/json', '{"a":'],
  ['JSON of another shape', 'application/json', '[[["a"]]]'],
  ['a poisoned prototype', 'application/json', '{"__proto__":{"admin":true},"constructor":{"prototype":{"a":1}}}'],
  ['an unknown type', 'application/x-evil', 'x'],
  ['broken escapes', 'application/x-www-form-urlencoded', 'a=%E0%A4%A&%'],
];

test.each(MALFORMED)('answers %s with a 4xx', async (_what, type, payload) => {
  const { admin } = await signedIn();
  for (const url of [generators.endpoints.create, '/api/site-meta', '/api/get-gti-brands', '/api/change-password']) {
    const answer = await admin.send({ method: 'POST', url, payload, headers: { 'content-type': type } });
    expect(answer.statusCode < 500).toBe(true);
    expect(answer.headers['content-type']).toContain('application/json');
  }
});

test('lets go of what a cut upload left', async () => {
  const { app, admin, dataDir } = await signedIn();
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(address.port), address.hostname);
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(
    `POST ${generators.endpoints.create} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n` +
      `Authorization: Bearer ${admin.bearer()}\r\nCookie: ${cookie}\r\nX-XSRF-TOKEN: ${admin.cookies.get('XSRF-TOKEN')}\r\n\r\n` +
      `--b\r\nContent-Disposition: form-data; name="catalog"; filename="a.pdf"\r\n\r\n%PDF-1.4 half`,
  );
  const unfinished = () => readdir(`${dataDir}/uploads/.incoming`);
  await expect.poll(unfinished).toHaveLength(1);
  socket.destroy();
  await expect.poll(unfinished).toHaveLength(0);
  expect((await admin.get(generators.endpoints.list)).json()).toEqual([]);
});

test('keeps no file that nobody asked for', async () => {
  const { admin, dataDir } = await signedIn();
  const file = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };
  const urls = ['/api/change-password', '/api/auth/login', '/api/get-gti-brands', '/api/site-meta'];
  for (const url of [...urls, `${generators.endpoints.single}/none`, '/api/delete-image/1', '/api/logout']) {
    await admin.post(url, formOf({ type: 'Single Phase' }, [file]));
    await expect.poll(() => readdir(`${dataDir}/uploads/.incoming`)).toEqual([]);
  }
});

test('reads no large body of someone who is not signed in', async () => {
  const { client } = await startServer();
  const stranger = await client();
  await stranger.get('/api/capabilities');
  const file = { field: 'catalog', bytes: new Uint8Array(200_000), name: 'a.pdf', type: 'application/pdf' };
  expect((await stranger.post('/api/auth/login', formOf({}, [file]))).statusCode).toBe(413);
  expect((await stranger.post('/api/nothing', formOf({}, [file]))).statusCode).toBe(413);
  expect((await stranger.post('/api/auth/login', { email: 'x'.repeat(200_000) })).statusCode).toBe(413);
});
