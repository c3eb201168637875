import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { answerErrors } from '../../server/protocol/errors.ts';
import { stagingRoutes } from '../../server/protocol/staging.ts';
import type { Piece, Staging } from '../../server/staging/staging.ts';
import { serverOf } from './harness.ts';

const HASH = 'a'.repeat(64);

/** The routes of staged files over a staging that records its calls. */
function staged(progress: { readonly offset: number; readonly length: number } | undefined = { offset: 5, length: 9 }) {
  const asked: unknown[][] = [];
  const appended = async (userId: number, hash: string, { offset, mayOverlap, content }: Piece) => {
    let bytes = '';
    for await (const chunk of content as Readable) bytes += String(chunk);
    asked.push(['append', userId, hash, offset, mayOverlap, bytes]);
    return { offset: 9, length: 9 };
  };
  const staging = {
    progress: async () => progress,
    begin: async (...given: unknown[]) => (asked.push(['begin', ...given]), progress),
    append: appended,
    drop: async () => progress !== undefined,
  } as unknown as Staging;
  const app = serverOf((own) => {
    answerErrors(own);
    own.decorateRequest('signedIn', null);
    own.addHook(
      'onRequest',
      async (request) =>
        void (request.signedIn = { user: { id: 3, name: 'N', email: 'a@example.com' }, tokenHash: '' }),
    );
    stagingRoutes(own, staging, 77);
  });
  const send = async (
    method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE' | 'OPTIONS',
    path = '',
    headers: Record<string, string> = {},
    payload?: string,
  ) => {
    const all = { ...(method === 'OPTIONS' ? {} : { 'tus-resumable': '1.0.0' }), ...headers };
    const type = payload === undefined ? {} : { 'content-type': 'application/offset+octet-stream' };
    const about = { method, url: `/api/staging${path}`, headers: { ...type, ...all } };
    return app.inject(payload === undefined ? about : { ...about, payload });
  };
  return { asked, send };
}

const METADATA = {
  'upload-metadata': `filename YQ==, sha256 ${Buffer.from(HASH).toString('base64')}`,
  'upload-length': '9',
};

test('describes staging to anyone, and accepts only its own version of tus', async () => {
  const { send } = staged();
  const described = await send('OPTIONS');
  expect([described.statusCode, described.headers]).toMatchObject([
    204,
    {
      'tus-version': '1.0.0',
      'tus-max-size': '77',
      'tus-resumable': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination',
    },
  ]);
  const other = await send('HEAD', `/${HASH}`, { 'tus-resumable': '0.2' });
  expect([other.statusCode, other.headers['tus-version']]).toEqual([412, '1.0.0']);
});

test('starts an upload at its offset, and uses bytes sent with the start only if it is new', async () => {
  const begun = staged();
  const answer = await begun.send('POST', '', METADATA, 'unwanted');
  expect([answer.statusCode, answer.headers['upload-offset'], answer.headers['location']]).toEqual([
    201,
    5 + '',
    `/api/staging/${HASH}`,
  ]);
  expect(begun.asked).toEqual([['begin', 3, HASH, 9]]);
  const fresh = staged({ offset: 0, length: 9 });
  expect((await fresh.send('POST', '', METADATA)).headers['upload-offset']).toBe('0');
  expect((await fresh.send('POST', '', METADATA, 'first bit')).headers['upload-offset']).toBe('9');
  expect(fresh.asked.at(-1)).toEqual(['append', 3, HASH, 0, undefined, 'first bit']);
  for (const headers of [
    { ...METADATA, 'upload-length': '9x' },
    { ...METADATA, 'upload-metadata': 'sha256 YQ==' },
    { 'upload-length': '9' },
  ])
    expect((await fresh.send('POST', '', headers)).statusCode).toBe(400);
});

test('reports offset and length of an upload, continues it, and forgets it', async () => {
  const { asked, send } = staged();
  const told = await send('HEAD', `/${HASH}`);
  expect([told.statusCode, told.headers]).toMatchObject([
    200,
    { 'upload-offset': '5', 'upload-length': '9', 'cache-control': 'no-store' },
  ]);
  const on = await send('PATCH', `/${HASH}`, { 'upload-offset': '5' }, 'rest');
  expect([on.statusCode, on.headers['upload-offset']]).toEqual([204, '9']);
  await send('PATCH', `/${HASH}`, { 'upload-offset': '4', 'upload-may-overlap': '1' }, 'trest');
  await send('PATCH', `/${HASH}`, { 'upload-offset': '4', 'upload-may-overlap': '0' }, 'trest');
  expect(asked).toEqual([
    ['append', 3, HASH, 5, false, 'rest'],
    ['append', 3, HASH, 4, true, 'trest'],
    ['append', 3, HASH, 4, false, 'trest'],
  ]);
  expect((await send('PATCH', `/${HASH}`, {}, 'rest')).statusCode).toBe(400);
  expect((await send('PATCH', `/${HASH}`, { 'upload-offset': '5' })).statusCode).toBe(415);
  expect((await send('DELETE', `/${HASH}`)).statusCode).toBe(204);
  const none = staged(undefined);
  for (const path of ['/none', `/${HASH.toUpperCase()}`, `/${HASH}a`, `/${HASH.slice(1)}`])
    for (const method of ['HEAD', 'DELETE'] as const)
      expect([path, (await none.send(method, path)).statusCode]).toEqual([path, 400]);
});
