import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readBodies } from '../../server/protocol/bodies.ts';
import { answerErrors } from '../../server/protocol/errors.ts';
import { realDisk } from '../../server/uploads/disk.ts';
import { filesOnDisk } from '../../server/uploads/file-store.ts';
import { isForm } from '../../server/uploads/form.ts';
import { prepareFolders, type Storage } from '../../server/uploads/storage.ts';
import { encoded, formOf, freshFolder, serverOf, type TestFile } from './harness.ts';

const KB = 1024;

/** A server that answers with the body it read, of at most 100 kB, or 10 kB for small ones. */
async function world(strangersTime?: number) {
  const folder = await freshFolder();
  const limits = { maxFileBytes: 50 * KB, maxRequestBytes: 100 * KB, maxFiles: 2 };
  const storage: Storage = {
    folder,
    disk: realDisk,
    files: filesOnDisk(folder, realDisk),
    limits,
    randomBytes,
    now: Date.now,
  };
  await prepareFolders(storage);
  const incoming = () => readdir(join(folder, '.incoming'));
  const during: string[][] = [];
  const app = serverOf((own) => {
    answerErrors(own);
    readBodies(own, storage, strangersTime);
    const answer = async ({ body }: { body: unknown }) => {
      during.push(await incoming());
      return { read: isForm(body) ? [...body.texts] : (body ?? 'nothing') };
    };
    own.setNotFoundHandler(async (_request, reply) => reply.code(200).send('the page'));
    own.post('/own', { config: { takes: 'files' } }, answer);
    own.post('/plain', answer);
    own.post('/piece', { config: { takes: 'piece' } }, answer);
    own.post('/open', { config: { open: true } }, answer);
    own.post('/small', { config: { takes: { maxRequestBytes: 10 * KB } } }, answer);
  });
  const post = async (url: string, payload: string | Buffer, type = 'application/json') => {
    const answer = await app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
    return [answer.statusCode, answer.json()] as const;
  };
  const postForm = async (url: string, files: readonly TestFile[]) => {
    const { body, type } = await encoded(formOf({ name: 'a' }, files));
    return post(url, body, type);
  };
  return { app, post, postForm, incoming, during };
}

const tooLarge = (kilobytes: number) => [
  413,
  { message: `The request is too large. The limit is ${kilobytes} kB.`, code: 'request-too-large' },
];
/** JSON of exactly that many bytes. */
const jsonOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

test('reads JSON, a plain form or nothing, and explains invalid JSON', async () => {
  const { post } = await world();
  expect(await post('/own', '{"a":1}')).toEqual([200, { read: { a: 1 } }]);
  expect(await post('/own', 'a=1&b=x%20y', 'application/x-www-form-urlencoded')).toEqual([
    200,
    { read: { a: '1', b: 'x y' } },
  ]);
  expect(await post('/own', ' \n')).toEqual([200, { read: 'nothing' }]);
  expect(await post('/own', '{"a":')).toEqual([400, { message: 'The body is not JSON.' }]);
});

test('reads a body of exactly the limit, and refuses one byte more', async () => {
  const { post } = await world();
  for (const [url, most] of [
    ['/own', 100],
    ['/small', 10],
    ['/plain', 256],
    ['/open', 64],
  ] as const) {
    expect((await post(url, jsonOf(most * KB)))[0]).toBe(200);
    expect(await post(url, jsonOf(most * KB + 1))).toEqual(tooLarge(most));
  }
});

test('receives no body for an unknown address, however sent, but serves pages', async () => {
  const { app, post, postForm } = await world();
  const nothing = [404, { message: 'There is nothing at this address.' }];
  expect(await post('/nobody', '{}')).toEqual(nothing);
  expect(await post('/nobody', jsonOf(64 * KB + 1))).toEqual(tooLarge(64));
  expect(await postForm('/nobody', [])).toEqual(nothing);
  for (const method of ['GET', 'HEAD'] as const)
    expect((await app.inject({ method, url: '/nobody' })).statusCode).toBe(200);
});

test('keeps files of a form on the disk until the answer, and refuses those of strangers', async () => {
  const { postForm, incoming, during } = await world();
  const file = (name: string, bytes = 10) => ({
    field: 'f',
    bytes: new Uint8Array(bytes),
    name,
    type: 'image/png',
  });
  expect(await postForm('/own', [file('a'), file('b')])).toEqual([200, { read: [['name', 'a']] }]);
  expect(during.map((names) => names.length)).toEqual([2]);
  expect(await incoming()).toEqual([]);
  expect(await postForm('/own', [file('a'), file('b'), file('c')])).toEqual([
    422,
    { message: 'Not more than 2 files can be sent in one request.', code: 'too-many-files' },
  ]);
  expect(await postForm('/open', [file('a')])).toEqual([
    422,
    { message: 'Files are not accepted here.', code: 'too-many-files' },
  ]);
  for (const url of ['/plain', '/piece'])
    expect(await postForm(url, [file('a')])).toEqual([
      422,
      { message: 'Files are not accepted here.', code: 'too-many-files' },
    ]);
  expect(await postForm('/small', [file('a', 11 * KB)])).toEqual(tooLarge(10));
  expect([during.length, await incoming()]).toEqual([1, []]);
});

test.each([
  ['/open', 64],
  ['/plain', 256],
])('counts the bytes of a body for %s that comes without a length', async (url, most) => {
  const { app } = await world();
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const send = async (bytes: number) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(jsonOf(bytes)));
        controller.close();
      },
    });
    const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json' } };
    return (await fetch(address + url, init)).status;
  };
  expect([await send(most * KB), await send(most * KB + 1)]).toEqual([200, 413]);
});

test('ends the connection of a stranger whose body does not come', async () => {
  const { app } = await world(50);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /open HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{');
  expect(await text(socket)).toBe('');
});
