import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TimeLimits } from '../../server/fastify.ts';
import { PIECE_TYPE, STAGING_PATH, TUS_VERSION } from '../../src/domain/protocol/staging.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { signedIn } from './harness.ts';
import { begin, bigPdf, uploadOf } from './staging-client.ts';

const CHUNK = Buffer.alloc(0x10000, 'x');
/** More than the system buffers for a connection whose other end does not read. */
const MANY = 400;

const LIMITS: TimeLimits = { request: 60_000, headers: 60_000, silence: 60_000, handling: 60_000, linger: 30_000 };

/** A connection of an administrator to a server that takes one megabyte. */
async function connected(timeLimits = LIMITS) {
  const { app, admin } = await signedIn({ MAX_FILE_MB: '1', MAX_REQUEST_MB: '1' }, { timeLimits });
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  // a sender that has not finished does not end when the server has
  const socket = connect({ port: Number(address.port), host: address.hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const own = `Authorization: Bearer ${admin.bearer()}\r\nCookie: ${cookie}\r\nX-XSRF-TOKEN: ${admin.cookies.get('XSRF-TOKEN')}`;
  const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${own}\r\n${more}\r\n\r\n`;
  return { socket, head, admin };
}

const UPLOAD = `${STAGING_PATH}/${'0'.repeat(64)}`;
/** Bytes of one piece. */
const PIECE = 900_000;
const CREATE = generators.endpoints.create;
const FORM = 'Content-Type: multipart/form-data; boundary=b';
const LENGTH = `Content-Length: ${MANY * CHUNK.length}`;

// browsers and proxies write a body to its end before they look for an answer
test.each([
  ['declares its length', CREATE, `${FORM}\r\n${LENGTH}`, 413],
  ['closes its connection', CREATE, `${FORM}\r\n${LENGTH}\r\nConnection: close`, 413],
  ['does not declare its length', CREATE, `${FORM}\r\nTransfer-Encoding: chunked`, 413],
  ['is not a form', CREATE, 'Content-Type: application/json\r\nTransfer-Encoding: chunked', 413],
  ['goes to an unknown address', '/api/nothing', `${FORM}\r\nTransfer-Encoding: chunked\r\nConnection: close`, 404],
])('answers a sender that writes everything before reading, when the body %s', async (_what, path, more, status) => {
  const { socket, head } = await connected();
  const isChunked = more.includes('chunked');
  const chunk = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]) : CHUNK;
  socket.pause().write(head(path, more));
  for (let count = 0; count < MANY; count += 1) if (!socket.write(chunk)) await once(socket, 'drain');
  if (isChunked) socket.write('0\r\n\r\n');
  const [answer] = await once(socket.resume(), 'data');
  expect(String(answer)).toContain(`HTTP/1.1 ${status} `);
});

test('cuts off a sender that keeps sending after the answer', async () => {
  const { socket, head } = await connected({ ...LIMITS, linger: 200 });
  const since = performance.now();
  socket.write(head(CREATE, `${FORM}\r\nTransfer-Encoding: chunked`));
  const closed = new Promise<void>((resolve) => socket.once('error', () => resolve()).once('close', () => resolve()));
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), CHUNK, Buffer.from('\r\n')]);
  const send = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  const [answer] = await once(socket, 'data');
  await closed;
  // a timer may be a millisecond early
  expect([String(answer).slice(9, 12), performance.now() - since >= 199]).toEqual(['413', true]);
});

test('cuts off a sender of a refused piece as soon as it can have read the answer', async () => {
  const { socket, head } = await connected();
  const piece = `Content-Type: ${PIECE_TYPE}\r\nTus-Resumable: ${TUS_VERSION}\r\nUpload-Offset: 0\r\nContent-Length: ${PIECE}`;
  socket.write(head(UPLOAD, piece).replace('POST', 'PATCH'));
  const closed = new Promise<void>((resolve) => socket.once('error', () => resolve()).once('close', () => resolve()));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 404 .*^connection: close\r$/ims);
  const sending = setInterval(() => socket.write(Buffer.alloc(8 * 1024)), 5);
  onTestFinished(() => clearInterval(sending));
  await closed;
  expect(socket.bytesWritten).toBeLessThan(PIECE);
});

test('answers a piece of a file of no accepted type before the piece ends', async () => {
  const { socket, head, admin } = await connected();
  const film = Buffer.alloc(PIECE, 'film');
  film.write('\0\0\0\x20ftypmp42', 'latin1');
  await begin(admin, film);
  const piece = `Content-Type: ${PIECE_TYPE}\r\nTus-Resumable: ${TUS_VERSION}\r\nUpload-Offset: 0\r\nContent-Length: ${PIECE}`;
  socket.on('error', () => undefined).write(head(uploadOf(film), piece).replace('POST', 'PATCH'));
  socket.write(film.subarray(0, 32 * 1024));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 415 .*^connection: close\r$/ims);
  expect(JSON.parse(String(answer).split('\r\n\r\n')[1] ?? '')).toEqual({
    message: 'The file is neither a picture nor a PDF or Word document.',
    code: 'type-not-taken',
  });
});

test('keeps the connection after a piece that was sent completely', async () => {
  const { socket, head, admin } = await connected();
  const bytes = bigPdf(2000);
  await begin(admin, bytes);
  for (const [offset, more] of [
    [0, '204 No Content'],
    [1000, '204 No Content'],
    [1000, '409 Conflict'],
  ] as const) {
    const piece = `Content-Type: ${PIECE_TYPE}\r\nTus-Resumable: ${TUS_VERSION}\r\nUpload-Offset: ${offset}\r\nContent-Length: 1000`;
    socket.write(head(uploadOf(bytes), piece).replace('POST', 'PATCH'));
    socket.write(bytes.subarray(offset, offset + 1000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toContain(more);
    if (more.startsWith('204')) expect(String(answer)).not.toMatch(/^connection: close\r$/im);
  }
});

test('stops watching a connection that has ended', async () => {
  const [setting, clearing] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
  onTestFinished(() => void vi.restoreAllMocks());
  const { socket, head } = await connected();
  const piece = `Content-Type: ${PIECE_TYPE}\r\nTus-Resumable: ${TUS_VERSION}\r\nUpload-Offset: 0\r\nContent-Length: ${PIECE}`;
  socket.on('error', () => undefined).write(head(UPLOAD, piece).replace('POST', 'PATCH'));
  await once(socket, 'data');
  const begun = setting.mock.results.filter((_result, index) => setting.mock.calls[index]?.[1] === 50);
  expect(begun).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => clearing.mock.calls.flat(), { interval: 5 }).toContain(begun[0]?.value);
});
