import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createPlainServer } from 'node:net';
import { createServer } from 'node:tls';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { certificateOf } from '../../server/ops/certificate.ts';
import { healthRoutes } from '../../server/protocol/health.ts';
import { HEALTH_PATH } from '../../src/domain/protocol/health.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { gatewayWorld } from './gateway-world.ts';
import { freshFolder, formOf, signedIn, startServer } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const TOKEN = 'a-token-of-twenty-letters';
const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

test('shows the server’s health to an owner, and to no one else', async () => {
  const { admin, app, dataDir } = await signedIn({ BACKUP_DIR: '/backups', BACKUP_KEY: TOKEN });
  const before = (await admin.get(HEALTH_PATH)).json();
  expect(before).toMatchObject({ version: VERSION, picturesWaiting: 0, largestRequest: 256 * 1024 * 1024 });
  expect(before.diskFree).toBeGreaterThan(0);
  expect(before.diskSize).toBeGreaterThan(before.diskFree);
  expect(before.backup).toEqual({ everyHours: 24, isEncrypted: true });
  await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'));
  expect((await admin.get(HEALTH_PATH)).json().backup).toMatchObject({
    at: expect.any(String),
    damaged: 0,
    isEncrypted: false,
  });
  await backUp(dataDir, join(await freshFolder(), 'two.voltdesk'), TOKEN);
  expect((await admin.get(HEALTH_PATH)).json().backup.isEncrypted).toBe(true);

  expect((await app.inject({ url: HEALTH_PATH })).statusCode).toBe(401);
  await app.services.db.updateTable('users').set({ role: 'editor' }).execute();
  expect((await admin.get(HEALTH_PATH)).statusCode).toBe(403);
});

test('counts the damaged files of the last backup', async () => {
  const { admin, app, dataDir } = await signedIn();
  await admin.post(partners.endpoints.create, formOf(valuesFor(partners.fields), await filesFor(partners)));
  const [file] = await app.services.db.selectFrom('files').select('name').execute();
  await writeFile(join(dataDir, 'uploads', file?.name ?? ''), 'damaged');
  await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'));
  expect((await admin.get(HEALTH_PATH)).json().backup.damaged).toBe(1);
});

test('reports what is wrong with the server', async () => {
  const { admin, app, dataDir } = await signedIn();
  Object.assign(app.services.storage, { folder: join(dataDir, 'gone') });
  expect((await admin.get(HEALTH_PATH)).json().problem).toBe('The uploads folder cannot be written to.');
});

/** A metric's value by its name and labels. */
function valueOf(text: string, name: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1),
  );
}

test('exports metrics in the Prometheus format', async () => {
  const { app, admin, dataDir } = await signedIn({ METRICS: 'yes' });
  await admin.signIn('admin@example.com', 'wrong');
  await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'));
  const answer = await app.inject({ url: '/metrics' });
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = answer.body;
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? -?[\d.]+(e[+-]\d+)?)$/);
  expect(valueOf(text, 'voltdesk_sign_ins_total{result="accepted"}')).toBe(1);
  expect(valueOf(text, 'voltdesk_sign_ins_total{result="refused"}')).toBe(1);
  expect(valueOf(text, 'voltdesk_http_requests_total{method="POST",route="/api/auth/login",status="422"}')).toBe(1);
  expect(valueOf(text, 'voltdesk_ready')).toBe(1);
  expect(valueOf(text, 'voltdesk_backup_age_seconds')).toBeLessThan(60);
  for (const name of ['disk_free_bytes', 'disk_size_bytes', 'database_size_bytes'])
    expect(valueOf(text, `voltdesk_${name}`)).toBeGreaterThan(0);
  expect(valueOf(text, 'voltdesk_pictures_waiting')).toBe(0);
  const total = valueOf(text, 'voltdesk_http_request_duration_seconds_count');
  expect(valueOf(text, 'voltdesk_http_request_duration_seconds_bucket{le="+Inf"}')).toBe(total);
  expect(total).toBeGreaterThan(2);
  const requests = [...text.matchAll(/^voltdesk_http_requests_total\{.*\} (\d+)$/gm)];
  expect(total).toBe(requests.reduce((sum, [, count]) => sum + Number(count), 0));
  const buckets = [...text.matchAll(/_bucket\{le="([\d.]+)"\} (\d+)$/gm)].map(([, , count]) => Number(count));
  expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
});

test('reports to Prometheus that it is not ready while its database is away', async () => {
  const { app } = await startServer({ METRICS: 'yes' });
  const away = () => Promise.reject(new Error('away'));
  Object.assign(app.services, { check: away, size: away });
  const { statusCode, body } = await app.inject('/metrics');
  expect([statusCode, valueOf(body, 'voltdesk_ready')]).toEqual([200, 0]);
  expect(body).not.toContain('voltdesk_database_size_bytes');
});

test('counts by route, so that strangers cannot fill the metrics with addresses', async () => {
  const { app } = await startServer({ METRICS: 'yes' });
  for (const name of ['one', 'two']) await app.inject({ url: `/api/nothing-${name}` });
  const { body } = await app.inject({ url: '/metrics' });
  expect(body).not.toContain('nothing-');
  expect(valueOf(body, 'voltdesk_http_requests_total{method="GET",route="the app",status="404"}')).toBe(2);
});

test.each([
  ['by default', {}, {}, '127.0.0.1', 404],
  ['to this machine', { METRICS: 'yes' }, {}, '127.0.0.1', 200],
  ['to another machine', { METRICS: 'yes' }, {}, '192.0.2.7', 404],
  ['through a proxy on this machine', { METRICS: 'yes' }, { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1', 404],
  [
    'to another machine with the token',
    { METRICS_TOKEN: TOKEN },
    { authorization: `Bearer ${TOKEN}` },
    '192.0.2.7',
    200,
  ],
  ['with another token', { METRICS_TOKEN: TOKEN }, { authorization: `Bearer ${TOKEN}!` }, '192.0.2.7', 404],
  ['without the token, on this machine', { METRICS_TOKEN: TOKEN }, {}, '127.0.0.1', 404],
  ['under another name of this machine', { METRICS: 'yes', PUBLIC_HOST: 'a.example' }, {}, '127.0.0.1', 200],
])('serves metrics only where they are allowed: %s', async (_who, settings, headers, remoteAddress, status) => {
  const { app } = await startServer(settings as Record<string, string>);
  const answer = await app.inject({ url: '/metrics', headers: headers as Record<string, string>, remoteAddress });
  expect([answer.statusCode, answer.body.includes('voltdesk_')]).toEqual([status, status === 200]);
});

test.each([
  ['forwarded', 'for=192.0.2.7'],
  ['via', '1.1 proxy.example'],
  ['x-real-ip', '192.0.2.7'],
  ['x-forwarded-host', 'a.example'],
  ['x-forwarded-proto', 'https'],
  ['x-original-forwarded-for', '192.0.2.7'],
  ['client-ip', '192.0.2.7'],
  ['true-client-ip', '192.0.2.7'],
  ['cf-connecting-ip', '192.0.2.7'],
])('takes a request with %s for one that passed a proxy', async (name, value) => {
  const { app } = await startServer({ METRICS: 'yes' });
  expect((await app.inject({ url: '/metrics', headers: { [name]: value } })).statusCode).toBe(404);
});

test('sees how long a certificate is valid, and that browsers would not trust it', async () => {
  const folder = await freshFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '30', '-keyout', key, '-out', cert];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...subject],
    { stdio: 'ignore' },
  );
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const seen = await certificateOf('localhost', Date.now, port)();
  const days = (Date.parse(seen.validUntil ?? '') - Date.now()) / 86_400_000;
  expect([Math.round(days), seen.problem]).toEqual([30, expect.stringContaining('Browsers do not trust it')]);
  server.close();
  // a closed server ends when its last connection has ended
  await once(server, 'close');
  expect(await certificateOf('localhost', Date.now, 1)()).toEqual({
    problem: 'localhost cannot be reached from this server.',
  });
});

test('checks a certificate at most once an hour', async () => {
  let now = Date.now();
  let connections = 0;
  const server = createPlainServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const look = certificateOf('127.0.0.1', () => now, (server.address() as AddressInfo).port);
  await Promise.all([look(), look()]);
  now += 60 * 60 * 1000 - 1;
  await look();
  expect(connections).toBe(1);
  now += 1;
  await look();
  expect(connections).toBe(2);
});

test('reports since when it runs, even when the last backup cannot be read', async () => {
  let at = Date.UTC(2026, 10, 20);
  const { admin, app } = await signedIn({}, { now: () => at });
  at += 60_000;
  expect((await admin.get(HEALTH_PATH)).json().startedAt).toBe('2026-11-20T00:00:00.000Z');
  app.services.backups.last = () => Promise.reject(new Error('The database is away.'));
  expect((await admin.get(HEALTH_PATH)).json().backup).toEqual({ isEncrypted: false });
});

test('exports what a gateway knows: requests, sign-ins, its disk, and whether the back end works', async () => {
  const { app, dataDir } = await gatewayWorld({ settings: { METRICS: 'yes' } });
  const headers = { accept: 'application/json' };
  for (const password of ['password', 'wrong']) {
    const payload = { email: 'admin@example.com', password };
    await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload });
  }
  const { body } = await app.inject({ url: '/metrics' });
  expect(valueOf(body, 'voltdesk_sign_ins_total{result="accepted"}')).toBe(1);
  expect(valueOf(body, 'voltdesk_sign_ins_total{result="refused"}')).toBe(1);
  // nothing listens at the address of its back end
  expect(valueOf(body, 'voltdesk_ready')).toBe(0);
  const disk = await statfs(dataDir);
  expect(valueOf(body, 'voltdesk_disk_size_bytes')).toBe(disk.blocks * disk.bsize);
  expect(valueOf(body, 'voltdesk_disk_free_bytes')).toBeGreaterThan(disk.bavail);
  expect(body).not.toMatch(/voltdesk_(database|backup|pictures)/);
  const elsewhere = await app.inject({ url: '/metrics', remoteAddress: '192.0.2.7' });
  expect([elsewhere.statusCode, elsewhere.body.includes('voltdesk_')]).toEqual([404, false]);
});

test.each([
  ['127.0.0.1', undefined, true],
  ['::1', undefined, true],
  ['::ffff:127.0.0.1', undefined, true],
  ['192.0.2.7', undefined, false],
  ['::1:2:3', undefined, false],
  ['127.0.0.1', '192.0.2.7', false],
])('gives at %s, forwarded for %s, the reason why it is not ready: %s', async (remoteAddress, passedOn, isTold) => {
  const lines: string[] = [];
  const app = fastify({ logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } } });
  onTestFinished(() => app.close());
  const problems = [undefined, 'The disk is full.'];
  healthRoutes(app, async () => problems.shift());
  const headers = passedOn === undefined ? {} : { 'x-forwarded-for': passedOn };
  const ask = async (url: string) => app.inject({ url, headers, remoteAddress });
  const [ready, not] = [await ask('/readyz'), await ask('/readyz')];
  expect([ready.statusCode, ready.json(), ready.headers['cache-control']]).toEqual([
    200,
    { status: 'ready' },
    'no-store',
  ]);
  expect([not.statusCode, not.json(), not.headers['cache-control']]).toEqual([
    503,
    { status: 'not ready', ...(isTold ? { message: 'The disk is full.' } : {}) },
    'no-store',
  ]);
  expect((await ask('/healthz')).json()).toEqual({ status: 'ok' });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['not ready: The disk is full.']);
});
