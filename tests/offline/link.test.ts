import { expect, test } from 'vitest';
import { answerOf } from '../../src/offline/sender/http.ts';
import { carried, carriedInside, cutShort, pieceSize } from '../../src/offline/sender/link.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { heavyDraft } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

const KB = 1024;
const MB = 1024 * KB;
/** Each context of the app measures the link by itself. */
const context = () => ({}) as Environment;

test('starts with pieces of 256 kB', () => {
  expect(pieceSize(context())).toBe(256 * KB);
});

test('makes pieces as large as the link carries in five seconds, and at most twice as large as before', () => {
  const device = context();
  carried(device, 256 * KB, 2_500);
  expect(pieceSize(device)).toBe(512 * KB);
  carried(device, 512 * KB, 100);
  expect(pieceSize(device)).toBe(MB);
  carried(device, MB, 8_000);
  expect(pieceSize(device)).toBe(640 * KB);
});

test('makes pieces at most half as large at once on a slow link, and after each cut', () => {
  const device = context();
  carried(device, 256 * KB, 5 * 60_000);
  expect(pieceSize(device)).toBe(128 * KB);
  cutShort(device);
  expect(pieceSize(device)).toBe(64 * KB);
});

test('learns from a change with files that the link is fast, but never that it is slow', () => {
  const device = context();
  carriedInside(device, 200 * KB, 60_000);
  expect(pieceSize(device)).toBe(256 * KB);
  carriedInside(device, 200 * KB, 2_500);
  expect(pieceSize(device)).toBe(400 * KB);
});

test('keeps pieces between 64 kB and 4 MB', () => {
  const [slow, fast] = [context(), context()];
  for (let times = 0; times < 9; times += 1) {
    cutShort(slow);
    carried(fast, pieceSize(fast), 0);
  }
  expect([pieceSize(slow), pieceSize(fast)]).toEqual([64 * KB, 4 * MB]);
});

test('learns from the short end of a file that the link is slow, but not that it is fast', () => {
  const device = context();
  carried(device, 10 * KB, 50);
  expect(pieceSize(device)).toBe(256 * KB);
  carried(device, 10 * KB, 5_000);
  expect(pieceSize(device)).toBe(128 * KB);
});

test('does not share its measurements between contexts', () => {
  const [one, other] = [context(), context()];
  cutShort(one);
  expect(pieceSize(other)).toBe(256 * KB);
});

const NOON = Date.parse('2026-11-20T12:00:00Z');

async function read(headers: Record<string, string>, body = '{}', status = 503) {
  return answerOf({ now: () => NOON }, new Response(body, { status, headers }));
}

test('measures a Retry-After date by the server’s clock, since the device’s may be days off', async () => {
  const until = { 'Retry-After': 'Sat, 21 Nov 2026 12:01:00 GMT' };
  expect(await read({ ...until, Date: 'Sat, 21 Nov 2026 12:00:00 GMT' })).toMatchObject({ retryAfter: 60_000 });
  expect(await read({ ...until, Date: 'soon' })).toMatchObject({ retryAfter: 86_460_000 });
  expect(await read(until)).toMatchObject({ retryAfter: 86_460_000 });
  expect(await read({ 'Retry-After': '90' })).toMatchObject({ retryAfter: 90_000 });
  expect(await read({})).not.toHaveProperty('retryAfter');
});

test.each([
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['application/problem+json', true],
  ['text/html', false],
  ['text/jsonp', false],
  ['application/jsonp', false],
])('treats %s as JSON: %s', async (type, json) => {
  expect(await read({ 'Content-Type': type }, '{"a":1}')).toMatchObject({ json, body: json ? { a: 1 } : undefined });
});

test('has no body when the JSON is cut', async () => {
  expect(await read({ 'Content-Type': 'application/json' }, '{"a":')).toMatchObject({ json: true, body: undefined });
});

test.each([
  [301, true],
  [302, true],
  [307, true],
  [304, false],
  [200, false],
  [400, false],
])('treats the status %i as a redirect: %s', async (status, redirected) => {
  const body = status === 304 ? null : '';
  expect(await answerOf({ now: () => NOON }, new Response(body, { status }))).toMatchObject({ status, redirected });
});

test.each([
  [{}, undefined],
  [{ 'Upload-Offset': '7' }, undefined],
  [{ 'Tus-Resumable': '1.0.0', 'Upload-Offset': '7' }, { offset: 7 }],
  [{ 'Tus-Resumable': '1.0.0', 'Upload-Offset': '-7' }, {}],
  [{ 'Tus-Resumable': '1.0.0' }, {}],
])('reads an upload’s offset only from staging answers: %o', async (headers, staging) => {
  expect((await read(headers as Record<string, string>, '', 200)).staging).toEqual(staging);
});

test('makes the next piece smaller after a cut', async () => {
  const world = await OfflineWorld.begin('own');
  await world.save(heavyDraft('smaller', 600 * KB));
  world.device.wire = async (request, pass) => (request.method === 'PATCH' ? (cut() as never) : pass(request));
  await world.drain();
  expect(pieceSize(world.page)).toBe(128 * KB);
});

test('treats an answer with a hidden redirect as a redirect', async () => {
  const hidden = Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' });
  expect(await answerOf({ now: () => NOON }, hidden)).toMatchObject({ redirected: true });
});
