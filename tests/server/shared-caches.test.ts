import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';

type Headers = Record<string, string>;
type Fetching = (url: string, headers: Headers) => Promise<LightMyRequestResponse>;

/** A cache between many browsers and the server, which separates answers by what `Vary` names (RFC 9111, 4.1). */
function sharedCache(origin: Fetching) {
  const kept: { url: string; asked: Headers; answer: LightMyRequestResponse }[] = [];
  const names = (answer: LightMyRequestResponse) =>
    String(answer.headers.vary ?? '')
      .toLowerCase()
      .split(/, */);
  const fits = (entry: (typeof kept)[number], url: string, headers: Headers) =>
    entry.url === url && names(entry.answer).every((name) => entry.asked[name] === headers[name]);
  return async (url: string, headers: Headers) => {
    const known = kept.find((entry) => fits(entry, url, headers));
    if (known !== undefined) return known.answer;
    const answer = await origin(url, headers);
    kept.push({ url, asked: headers, answer });
    return answer;
  };
}

function decoded({ headers, rawPayload }: LightMyRequestResponse): string {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(rawPayload).toString();
  if (headers['content-encoding'] === 'gzip') return gunzipSync(rawPayload).toString();
  return rawPayload.toString();
}

test('serves every browser an encoding that it reads, even through a cache filled by others', async () => {
  const folder = await freshFolder();
  const script = 'console.log("a long enough script");'.repeat(50);
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets', 'index-AbCd_123.js'), script);
  const { admin } = await signedIn({ APP_DIR: folder });
  const cached = sharedCache((url, headers) => admin.get(url, headers));
  for (const accepted of ['br, gzip', 'gzip', 'identity', 'gzip, br']) {
    const answer = await cached('/assets/index-AbCd_123.js', { 'accept-encoding': accepted });
    expect(accepted).toContain(answer.headers['content-encoding'] ?? 'identity');
    expect(decoded(answer)).toBe(script);
  }
});

test('serves no browser a format that it cannot show, even through a cache filled by others', async () => {
  const { admin } = await signedIn();
  const file = { field: 'image', bytes: await picture('jpeg', '#446688', 400), name: 'a.jpg', type: 'image/jpeg' };
  await admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [file]));
  const [{ image }] = (await admin.get(`${certifications.endpoints.list}?full=1`)).json();
  const cached = sharedCache((url, headers) => admin.get(url, headers));
  for (const [accept, type] of [
    ['image/avif,image/webp,*/*', 'image/avif'],
    ['image/webp,*/*', 'image/webp'],
    ['image/png', 'image/webp'],
    ['image/avif', 'image/avif'],
  ] as const) {
    expect((await cached(`/uploads/${image}?width=300`, { accept })).headers['content-type']).toBe(type);
  }
});

test('forbids caching of the signed-in user, and sharing of answers that require sign-in', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/user')).headers['cache-control']).toBe('no-store');
  for (const url of [certifications.endpoints.list, '/api/site-meta', '/api/get-generators-series']) {
    expect((await admin.get(url)).headers['cache-control']).toBe('private, no-cache');
  }
});

test('states the headers that an answer depends on with a 304 too', async () => {
  const { admin } = await signedIn();
  const { etag } = (await admin.get('/api/site-meta')).headers;
  const answer = await admin.get('/api/site-meta', { 'if-none-match': String(etag) });
  expect([answer.statusCode, answer.headers.vary, answer.headers.etag]).toEqual([304, 'Accept-Encoding', etag]);
});

test('clears the browser’s cache at logout', async () => {
  const { admin } = await signedIn();
  expect((await admin.get('/api/user')).headers['clear-site-data']).toBeUndefined();
  expect((await admin.post('/api/logout', undefined)).headers['clear-site-data']).toBe('"cache"');
});
