import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { realDisk } from '../../server/uploads/disk.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { formOf, signedIn, startServer } from './harness.ts';
import { filesFor, pdf, valuesFor } from './samples.ts';

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
])('serves nothing at the path %s', async (url) => {
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

test('cannot be tricked into splitting its headers by a file name', async () => {
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

test('removes what a cut upload left', async () => {
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

test('keeps no file that no call accepts', async () => {
  const { admin, dataDir } = await signedIn();
  const file = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };
  const urls = ['/api/change-password', '/api/auth/login', '/api/get-gti-brands', '/api/site-meta'];
  for (const url of [...urls, `${generators.endpoints.single}/none`, '/api/delete-image/1', '/api/logout']) {
    await admin.post(url, formOf({ type: 'Single Phase' }, [file]));
    await expect.poll(() => readdir(`${dataDir}/uploads/.incoming`)).toEqual([]);
  }
});

test('refuses a file from someone who is not signed in', async () => {
  const { client } = await startServer();
  const stranger = await client();
  await stranger.get('/api/capabilities');
  const file = { field: 'email', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };
  const answer = await stranger.post('/api/auth/login', formOf({ email: 'a@example.com', password: 'x' }, [file]));
  expect([answer.statusCode, answer.json()]).toEqual([
    422,
    { message: 'Files are not accepted here.', code: 'too-many-files' },
  ]);
});

test('answers an endless body after four times the limit', async () => {
  const { app, admin } = await signedIn({ MAX_FILE_MB: '1', MAX_REQUEST_MB: '1' });
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(address.port), address.hostname);
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  socket.write(
    `POST ${generators.endpoints.create} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Transfer-Encoding: chunked\r\nAuthorization: Bearer ${admin.bearer()}\r\nCookie: ${cookie}\r\n` +
      `X-XSRF-TOKEN: ${admin.cookies.get('XSRF-TOKEN')}\r\n\r\n`,
  );
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && sent < 64 * 1024 * 1024 && socket.write(chunk)) sent += chunk.length;
  };
  socket.on('drain', send).on('error', () => undefined);
  send();
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data))).once('close', () => resolve('closed'));
  });
  socket.destroy();
  expect(answer).toContain('413');
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test('does not read a large body from someone who is not signed in', async () => {
  const { client } = await startServer();
  const stranger = await client();
  await stranger.get('/api/capabilities');
  const file = { field: 'catalog', bytes: new Uint8Array(200_000), name: 'a.pdf', type: 'application/pdf' };
  expect((await stranger.post('/api/auth/login', formOf({}, [file]))).statusCode).toBe(413);
  expect((await stranger.post('/api/nothing', formOf({}, [file]))).statusCode).toBe(413);
  const wordy = await stranger.post('/api/auth/login', { email: 'x'.repeat(200_000) });
  const message = 'The request is too large. The limit is 64 kB.';
  expect([wordy.statusCode, wordy.json()]).toEqual([413, { message, code: 'request-too-large' }]);
  const most = { email: 'x'.repeat(64 * 1024 - '{"email":""}'.length) };
  expect((await stranger.post('/api/auth/login', most)).statusCode).toBe(422);
});

test('explains a body that is not JSON, or not as long as declared', async () => {
  const { admin } = await signedIn();
  const post = (payload: string, more: Record<string, string> = {}) =>
    admin.send({
      method: 'POST',
      url: '/api/site-meta',
      payload,
      headers: { 'content-type': 'application/json', ...more },
    });
  const broken = await post('{"a":');
  expect([broken.statusCode, broken.json()]).toEqual([400, { message: 'The body is not JSON.' }]);
  expect((await post('{"a":1}', { 'content-length': '9' })).statusCode).toBe(400);
  // a blank body is an empty form
  expect((await post(' ')).statusCode).toBe(422);
});

test('answers a call that uses no files although received ones cannot be removed, and logs that', async () => {
  const log: string[] = [];
  const remove = (path: string) =>
    path.includes('.incoming') ? Promise.reject(new Error('it sticks')) : realDisk.remove(path);
  const { admin } = await signedIn(
    { LOG_LEVEL: 'warn' },
    { logStream: { write: (line) => log.push(line) }, disk: { ...realDisk, remove } },
  );
  const file = { field: 'catalog', bytes: pdf(), name: 'a.pdf', type: 'application/pdf' };
  expect((await admin.post(`${generators.endpoints.single}/x`, formOf({}, [file]))).statusCode).toBe(404);
  expect(log.map((line) => JSON.parse(line).msg)).toEqual(['signed in', 'files not removed']);
});
