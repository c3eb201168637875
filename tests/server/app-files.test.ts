import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { precompress } from '../../server/ops/precompress.ts';
import { appFiles, isHashed } from '../../server/protocol/app-files.ts';
import { answerErrors } from '../../server/protocol/errors.ts';
import { webAppRoute } from '../../server/protocol/web-app.ts';
import { freshFolder, serverOf } from './harness.ts';

test.each([
  ['/assets/app-1234567.js', true],
  ['/assets/app-123456.js', false],
  ['/assets/inner/app-a_b-c_d.woff2', true],
  ['/app-1234567.js', false],
  ['/assets/app-1234567', false],
])('treats %s as immutable: %s', (path, expected) => {
  expect(isHashed(path)).toBe(expected);
});

/** An app of a page, a script and a file of each kind. */
async function builtApp() {
  const folder = await freshFolder();
  await mkdir(join(folder, 'assets'));
  const files = [
    'index.html',
    'a.mjs',
    'a.wasm',
    'a.webmanifest',
    'a.svg',
    'a.woff2',
    'a.odd',
    'assets/app-1234567.js',
  ];
  for (const name of files) await writeFile(join(folder, name), `of ${name}`);
  await mkdir(`${folder}-beside`);
  await writeFile(join(`${folder}-beside`, 'secret.txt'), 'secret');
  return folder;
}

test('gives app files their type, rereads them when they change, and serves none outside the folder', async () => {
  const folder = await builtApp();
  const { find } = appFiles(folder);
  const types = ['/a.mjs', '/a.wasm', '/a.webmanifest', '/a.svg', '/a.woff2', '/a.odd', '/index.html'];
  expect(await Promise.all(types.map(async (path) => (await find(path))?.type))).toEqual([
    'text/javascript; charset=utf-8',
    'application/wasm',
    'application/manifest+json; charset=utf-8',
    'image/svg+xml',
    'font/woff2',
    'application/octet-stream',
    'text/html; charset=utf-8',
  ]);
  const beside = `/../${folder.split('/').at(-1)}-beside/secret.txt`;
  for (const path of [beside, '/..', '/assets', '/none', '/a.svg\0'])
    expect([path, await find(path)]).toEqual([path, undefined]);
  const first = await find('/a.svg');
  expect(await find('/x/../a.svg')).toBe(first);
  await writeFile(join(folder, 'a.svg'), 'another');
  await utimes(join(folder, 'a.svg'), 1, 1);
  const second = await find('/a.svg');
  expect([second?.path, String((await second?.body.encodedFor(''))?.bytes)]).toEqual(['/a.svg', 'another']);
});

test('serves the page to browser navigations, only files to scripts, and never the page for an API call', async () => {
  const appDir = await builtApp();
  let pages = 0;
  const app = serverOf((own) => {
    answerErrors(own);
    webAppRoute(own, { appDir, onPage: () => (pages += 1) });
  });
  const ask = async (url: string, accept = '*/*', method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const { statusCode, headers } = await app.inject({ method, url, headers: { accept } });
    return [statusCode, headers['cache-control']];
  };
  const html = 'text/html,*/*';
  const page = [200, 'no-cache'];
  const gone = [404, 'no-store'];
  expect([await ask('/', html), await ask('/'), await ask('/partners/7', html), await ask('/apiary', html)]).toEqual([
    page,
    page,
    page,
    page,
  ]);
  expect(await ask('/partners/7', html, 'HEAD')).toEqual(page);
  expect(pages).toBe(5);
  expect(await ask('/assets/app-1234567.js')).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(await ask('/a.svg')).toEqual(page);
  for (const url of ['/partners/7', '/none.js']) expect(await ask(url)).toEqual(gone);
  for (const url of ['/api', '/api/x', '/uploads', '/uploads/x'])
    expect([url, ...(await ask(url, html))]).toEqual([url, ...gone]);
  expect(await ask('/', html, 'POST')).toEqual(gone);
});

test('records the app’s files for open pages when a different page is served, not with every page', async () => {
  const appDir = await builtApp();
  const earlierDir = await freshFolder();
  const serve = async (between: () => Promise<void>) => {
    const app = serverOf((own) => webAppRoute(own, { appDir, earlierDir }));
    for (const task of [async () => undefined, between]) {
      await task();
      await app.inject({ url: '/', headers: { accept: 'text/html' } });
    }
    await app.close();
    return readdir(join(earlierDir, 'assets')).catch(() => []);
  };
  expect(await serve(async () => undefined)).toEqual([]);
  const another = async () => {
    await writeFile(join(appDir, 'index.html'), 'another page');
    await utimes(join(appDir, 'index.html'), 1, 1);
  };
  expect(await serve(another)).toEqual(['app-1234567.js']);
});

test.each([
  ['html', 'text/html; charset=utf-8', true],
  ['js', 'text/javascript; charset=utf-8', true],
  ['mjs', 'text/javascript; charset=utf-8', true],
  ['css', 'text/css; charset=utf-8', true],
  ['txt', 'text/plain; charset=utf-8', true],
  ['json', 'application/json; charset=utf-8', true],
  ['map', 'application/json; charset=utf-8', true],
  ['webmanifest', 'application/manifest+json; charset=utf-8', true],
  ['wasm', 'application/wasm', true],
  ['svg', 'image/svg+xml', true],
  ['png', 'image/png', false],
  ['webp', 'image/webp', false],
  ['ico', 'image/x-icon', false],
  ['woff2', 'font/woff2', false],
])('serves a .%s file of the app as %s', async (kind, type, isCompressed) => {
  const folder = await freshFolder();
  await writeFile(join(folder, `a.${kind}`), 'x'.repeat(2000));
  const file = await appFiles(folder).find(`/a.${kind}`);
  expect([file?.type, (await file?.body.encodedFor('br'))?.encoding]).toEqual([type, isCompressed ? 'br' : undefined]);
});

test('compresses immutable files once per build, as small as possible, and serves those bytes', async () => {
  const folder = await freshFolder();
  const assets = join(folder, 'assets');
  await mkdir(assets);
  const code = Array.from({ length: 2000 }, (_, line) => `export const value${line} = ${line * line};`).join('\n');
  const names = ['app-1234567.js', 'app-1234567.js.map', 'photo-1234567.png', 'named.js'];
  for (const name of names) await writeFile(join(assets, name), code);
  await writeFile(join(assets, 'small-1234567.js'), 'export {};');
  const bodyOf = async (name: string) => {
    const file = await appFiles(folder).find(`/assets/${name}`);
    return (await file?.body.encodedFor('gzip, br'))?.bytes ?? Buffer.of();
  };
  const onRequest = await bodyOf('app-1234567.js');
  await precompress(folder);
  expect((await readdir(assets)).filter((name) => name.endsWith('.br'))).toEqual(['app-1234567.js.br']);
  const once = await bodyOf('app-1234567.js');
  expect(once.length).toBeLessThan(onRequest.length);
  expect(String(brotliDecompressSync(once))).toBe(code);
  // Without a hash in its name, a file can change after its build.
  await writeFile(join(assets, 'named.js.br'), 'out of date');
  expect(String(brotliDecompressSync(await bodyOf('named.js')))).toBe(code);
});
