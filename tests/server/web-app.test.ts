import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { appFiles } from '../../server/protocol/app-files.ts';
import { jsonAnswer } from '../../server/protocol/send.ts';
import { freshFolder, startServer } from './harness.ts';

const PAGE = '<!doctype html><title>Voltdesk</title>';
const SCRIPT = 'console.log("a long enough script");'.repeat(50);

async function withApp(environment: Record<string, string> = {}) {
  const folder = await freshFolder();
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'service-worker.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'index-AbCd_123.js'), SCRIPT);
  const server = await startServer({ APP_DIR: folder, ...environment });
  const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });
  return { ...server, folder, get };
}

test.each([
  '/',
  '/login',
  '/generator-all',
  '/generator-edit/12',
  '/sete-meta-update',
  '/index.html',
  '/apiary',
  '/uploads-2',
])('serves the page for a visit of %s', async (url) => {
  const { get } = await withApp();
  const answer = await get(url, { accept: 'text/html' });
  expect(answer.body).toBe(PAGE);
  expect(answer.headers['cache-control']).toBe('no-cache');
  expect(answer.cookies.map((cookie) => cookie.name)).toContain('XSRF-TOKEN');
});

test.each(['/api/nothing', '/uploads/nothing.png', '/uploads/a/b', '/api', '/uploads', '/assets/gone-AbCd_123.js'])(
  'does not serve the page for %s',
  async (url) => {
    const { get } = await withApp();
    const answer = await get(url, { accept: url.startsWith('/assets') ? '*/*' : 'text/html' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json().message).toBeTruthy();
  },
);

test('serves hashed files as immutable, and has the worker revalidated', async () => {
  const { get } = await withApp();
  expect((await get('/assets/index-AbCd_123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const worker = await get('/service-worker.js');
  expect(worker.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect((await get('/service-worker.js', { 'if-none-match': String(worker.headers.etag) })).statusCode).toBe(304);
});

test('answers a HEAD like a GET without a body, and ignores the query string', async () => {
  const { app, get } = await withApp();
  const head = await app.inject({ method: 'HEAD', url: '/service-worker.js' });
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(SCRIPT.length), '']);
  expect((await get('/service-worker.js?v=2')).body).toBe(SCRIPT);
});

test('has an asset without a hash in its name revalidated', async () => {
  const { folder, get } = await withApp();
  await writeFile(join(folder, 'assets', 'plain.js'), SCRIPT);
  expect((await get('/assets/plain.js')).headers['cache-control']).toBe('no-cache');
});

const TYPES = {
  'pdf.worker.mjs': 'text/javascript; charset=utf-8',
  'reader.wasm': 'application/wasm',
  'style.css': 'text/css; charset=utf-8',
  'app.webmanifest': 'application/manifest+json; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'icon.png': 'image/png',
  'icon.ico': 'image/x-icon',
  'letters.woff2': 'font/woff2',
};

test('serves every kind of file with the type that browsers expect', async () => {
  const { folder, get } = await withApp();
  const types = await Promise.all(
    Object.keys(TYPES).map(async (name) => {
      await writeFile(join(folder, name), SCRIPT);
      return [name, (await get(`/${name}`)).headers['content-type']];
    }),
  );
  expect(Object.fromEntries(types)).toEqual(TYPES);
});

test('serves no file at the address of a folder', async () => {
  const { get } = await withApp();
  expect((await get('/assets')).statusCode).toBe(404);
  expect((await get('/assets/', { accept: 'text/html' })).body).toBe(PAGE);
});

test('compresses as the browser accepts', async () => {
  const { get } = await withApp();
  const [br, gzip, plain] = await Promise.all(
    ['br, gzip', 'gzip', ''].map((encoding) => get('/service-worker.js', { 'accept-encoding': encoding })),
  );
  expect(br?.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br?.rawPayload ?? '').toString()).toBe(SCRIPT);
  expect(gunzipSync(gzip?.rawPayload ?? '').toString()).toBe(SCRIPT);
  expect(plain?.headers['content-encoding']).toBeUndefined();
  const usual = await get('/service-worker.js', { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(usual.headers['content-encoding']).toBe('br');
  // small files would not become smaller
  const small = await get('/', { accept: 'text/html', 'accept-encoding': 'br' });
  expect([small.headers['content-encoding'], small.body]).toEqual([undefined, PAGE]);
});

test('compresses a file once for all requests', async () => {
  const { folder } = await withApp();
  const file = await appFiles(folder).find('/service-worker.js');
  const [one, other] = await Promise.all([file?.body.encodedFor('br'), file?.body.encodedFor('br')]);
  expect(one?.bytes).toBe(other?.bytes);
  expect((await file?.body.encodedFor('br'))?.bytes).toBe(one?.bytes);
});

test('gives different content different ETags', () => {
  const tags = Array.from({ length: 5000 }, (_, n) => jsonAnswer(n).etag);
  expect(new Set(tags).size).toBe(5000);
});

test('serves a new build without a restart', async () => {
  const { get, folder } = await withApp();
  await get('/', { accept: 'text/html' });
  await writeFile(join(folder, 'index.html'), '<!doctype html>new and longer');
  expect((await get('/', { accept: 'text/html' })).body).toContain('new');
});

test('allows only its own scripts, and no inline ones', async () => {
  const { get } = await withApp();
  const policy = String((await get('/', { accept: 'text/html' })).headers['content-security-policy']);
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.replace("'wasm-unsafe-eval'", '')).not.toContain('unsafe');
});

test('allows the page what it needs, and an answer that is not a page nothing', async () => {
  const { get } = await withApp();
  const policyOf = async (url: string) => {
    const policy = String((await get(url, { accept: 'text/html' })).headers['content-security-policy']);
    const directives = policy.split('; ').map((directive) => [directive.split(' ')[0] ?? '', directive] as const);
    return Object.fromEntries(directives.map(([name, directive]) => [name, directive.slice(name.length + 1)]));
  };
  const { 'style-src': styles = '', ...others } = await policyOf('/');
  expect(styles).toMatch(/^'self'( 'sha256-[\w+/]{43}='){2}$/);
  expect(others).toEqual({
    'default-src': "'none'",
    'script-src': "'self' 'wasm-unsafe-eval'",
    'img-src': "'self' blob: data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'frame-src': "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'voltdesk voltdesk-pdf',
  });
  expect(await policyOf('/api/user')).toEqual({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
});

test('sends the strict headers with every answer', async () => {
  const { get } = await withApp();
  for (const url of ['/', '/api/user', '/api/capabilities', '/uploads/x', '/settings.json', '/healthz', '/nothing']) {
    expect((await get(url)).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': url.startsWith('/uploads/') ? 'cross-origin' : 'same-origin',
      'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  }
});

/** The server's answer to a path that no client has normalised. */
async function rawGet(origin: URL, path: string): Promise<string> {
  const socket = connect(Number(origin.port), origin.hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

test.each(['/../', '/assets/../../', '/..%2f', '/%2e%2e/', '//../', '/assets/..%5c..%5c', '/./.%2e/'])(
  'does not leave its folder through %s',
  async (way) => {
    const parent = await freshFolder();
    const folder = join(parent, 'app');
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(parent, 'secret.txt'), 'the secret beside it');
    await writeFile(join(folder, 'open.txt'), 'open to all');
    const { app } = await startServer({ APP_DIR: folder });
    const origin = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    expect(await rawGet(origin, `${way.replaceAll('%5c', '/')}app/open.txt`)).toContain('open to all');
    expect(await rawGet(origin, `${way}secret.txt`)).toMatch(/^HTTP\/1\.1 404 /);
  },
);

test('reads no sibling folder whose name starts the same', async () => {
  const { folder, get } = await withApp();
  const beside = `${folder}-old`;
  await mkdir(beside);
  onTestFinished(() => rm(beside, { recursive: true }));
  await writeFile(join(beside, 'secret.txt'), 'secret');
  const away = `..%2f${basename(beside)}%2fsecret.txt`;
  for (const url of [`/${away}`, `/assets/..%2f${away}`]) expect((await get(url)).statusCode).toBe(404);
  expect(await appFiles(folder).find(`/../${basename(beside)}/secret.txt`)).toBeUndefined();
});

test('caches a file once, however its address is spelled', async () => {
  const { folder } = await withApp();
  const files = appFiles(folder);
  const file = await files.find('/assets/index-AbCd_123.js');
  for (const path of ['/./assets/index-AbCd_123.js', '//assets//index-AbCd_123.js', '/x/../assets/index-AbCd_123.js']) {
    expect(await files.find(path)).toBe(file);
  }
});

test('recognises every spelling of the page’s address as the page, not as an immutable file', async () => {
  const { get } = await withApp();
  for (const url of ['/%69ndex.html', '/assets/%2e%2e/index.html', '//index.html']) {
    const answer = await get(url, { accept: 'text/html' });
    expect([answer.body, answer.headers['cache-control']]).toEqual([PAGE, 'no-cache']);
    expect(answer.cookies.map((cookie) => cookie.name)).toContain('XSRF-TOKEN');
  }
});

test('returns the names of the installation, and serves its logo', async () => {
  const folder = await freshFolder();
  const logo = join(folder, 'brand.svg');
  await writeFile(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const { get } = await withApp({ BRAND_LABEL: 'Brand', LOCATION_LINE: 'City, Country', LOGO_PATH: logo });
  expect((await get('/settings.json')).json()).toEqual({
    brandLabel: 'Brand',
    locationLine: 'City, Country',
    companyLabel: 'Power Company',
    logoPath: '/uploads/logo.svg',
    forgotPasswordAddress: '',
    siteUrl: '',
    sitePaths: '',
  });
  expect((await get('/uploads/logo.svg')).headers['content-type']).toBe('image/svg+xml');
});

test('is alive and ready, but not ready without its folder, disk space or database, and says why', async () => {
  const { app, get, dataDir } = await withApp();
  const { storage, db } = app.services;
  const message = async () => (await get('/readyz')).json().message;
  expect((await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await get('/readyz')).json()).toEqual({ status: 'ready' });
  const { folder, limits } = storage;
  Object.assign(storage, { folder: join(dataDir, 'gone') });
  expect((await get('/readyz')).statusCode).toBe(503);
  expect(await message()).toBe('The uploads folder cannot be written to.');
  Object.assign(storage, { folder, limits: { ...limits, maxRequestBytes: Number.MAX_SAFE_INTEGER } });
  expect(await message()).toBe('The disk is too full for another upload.');
  await db.destroy();
  expect(await message()).toBe('The database cannot be used.');
  expect((await get('/healthz')).statusCode).toBe(200);
});
