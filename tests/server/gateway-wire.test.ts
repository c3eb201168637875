import { once } from 'node:events';
import { Readable } from 'node:stream';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { multipartBody } from '../../server/stores/remote/multipart.ts';
import { httpTransport, NoAnswerError, NotSentError, type WireRequest } from '../../server/stores/remote/transport.ts';
import { freshFolder } from './harness.ts';

const POST: WireRequest = { method: 'POST', path: '/api/x', headers: {}, patience: 5000 };
const GET: WireRequest = { ...POST, method: 'GET' };

async function backEnd(listener: RequestListener, mostBytes?: number) {
  const server = createServer(listener);
  let connections = 0;
  server.on('connection', () => (connections += 1));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const transport = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, mostBytes);
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  return { transport, connections: () => connections };
}

test('gives each change its own connection, and lets reads share one', async () => {
  const { transport, connections } = await backEnd((request, response) =>
    request.resume().on('end', () => response.end('{}')),
  );
  await transport(GET);
  await transport(GET);
  expect(connections()).toBe(1);
  await transport(POST);
  await transport(POST);
  expect(connections()).toBe(3);
});

test('returns every cookie of an answer, separate from its other headers', async () => {
  const cookies = ['XSRF-TOKEN=new; path=/', 'laravel_session=other; path=/; httponly'];
  const { transport } = await backEnd((request, response) =>
    request.resume().on('end', () => response.writeHead(201, { 'set-cookie': cookies, 'retry-after': '7' }).end('{}')),
  );
  const answer = await transport(POST);
  expect([answer.status, answer.cookies, String(answer.body)]).toEqual([201, cookies, '{}']);
  expect(answer.headers['retry-after']).toBe('7');
  expect(answer.headers).not.toHaveProperty('set-cookie');
});

test.each([
  ['within its body', { 'content-length': '100' }],
  ['within a body of unknown length', { 'transfer-encoding': 'chunked' }],
])('treats an answer that is cut %s as no answer', async (_where, headers) => {
  const { transport } = await backEnd((request, response) =>
    request.resume().on('end', () => {
      response.writeHead(200, headers).write('{"message":', () => request.socket.destroy());
    }),
  );
  await expect(transport(POST)).rejects.toThrow(NoAnswerError);
});

test('distinguishes a request that was never sent completely from one without an answer', async () => {
  const nobody = httpTransport('http://127.0.0.1:9');
  onTestFinished(() => nobody.close());
  await expect(nobody(POST)).rejects.toThrow(NotSentError);
  const { transport } = await backEnd((request) => request.resume().on('end', () => request.socket.destroy()));
  await expect(transport(POST)).rejects.toThrow(NoAnswerError);
  const silent = await backEnd((request) => void request.resume());
  await expect(silent.transport({ ...POST, patience: 200 })).rejects.toThrow(NoAnswerError);
});

test('reports a request that is cut within its body as not sent', async () => {
  const { transport } = await backEnd((request) => void request.once('data', () => request.socket.destroy()));
  const length = 8 * 1024 * 1024;
  const body = { stream: Readable.from([Buffer.alloc(length)]), length };
  await expect(transport({ ...POST, body })).rejects.toThrow(NotSentError);
});

test('waits for an answer as long as the request says, regardless of the connection timeout', async () => {
  const { transport } = await backEnd((request) => void request.resume());
  await expect(transport({ ...POST, patience: 200 })).rejects.toThrow(NoAnswerError);
});

test('reads an answer of several megabytes completely', async () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024, 'picture');
  const { transport } = await backEnd((_request, response) => response.end(bytes));
  expect((await transport(GET)).body.equals(bytes)).toBe(true);
});

test('accepts an answer up to its limit and rejects a larger one, however small its chunks', async () => {
  const answering = (chunks: number) => async (_request: unknown, response: ServerResponse) => {
    for (let left = chunks; left > 0; left -= 1) {
      await new Promise((written) => response.write('a chunk of 50 bytes'.padEnd(50), written));
    }
    response.end();
  };
  const [fits, exceeds] = [await backEnd(answering(2), 100), await backEnd(answering(3), 100)];
  expect((await fits.transport(GET)).body.length).toBe(100);
  await expect(exceeds.transport(GET)).rejects.toThrow(NoAnswerError);
});

test('sends requests below the path prefix of the back end’s address', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const address of [origin, `${origin}/shop`, `${origin}/shop/`]) {
    const transport = httpTransport(address);
    await transport(GET);
    transport.close();
  }
  expect(asked).toEqual(['/api/x', '/shop/api/x', '/shop/api/x']);
});

test('encodes a form unchanged: names with quotes and line ends, texts in any script, files to the last byte', async () => {
  const path = join(await freshFolder(), 'file');
  const bytes = Buffer.from([0, 13, 10, 45, 45, 255, 0]);
  await writeFile(path, bytes);
  const fileName = 'a "new"\r\nname ü.png';
  const { stream, length, type } = multipartBody({
    texts: [['brand', 'Ünïcode "q"\r\n--x']],
    files: [{ name: 'images[]', path, fileName, type: 'image/png', size: bytes.length }],
  });
  const body = new Uint8Array(await buffer(stream));
  expect(body.length).toBe(length);
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  expect(form.get('brand')).toBe('Ünïcode "q"\r\n--x');
  const file = form.get('images[]') as File;
  expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
    fileName,
    'image/png',
    [...bytes],
  ]);
});
