import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildGateway, type GatewayOverrides } from '../../server/gateway.ts';
import { Journal } from '../../server/stores/remote/journal.ts';
import { LIVE_PATH } from '../../src/domain/protocol/feed.ts';
import { ups } from '../../src/domain/resources/ups.ts';
import { CREATE, VALUES } from './gateway-ups.ts';
import { adminOf, gatewayWorld } from './gateway-world.ts';
import { freshFolder, testSettings, withKey } from './harness.ts';
import { filesFor } from './samples.ts';

const DAY = 24 * 60 * 60_000;

test('removes files received by a killed process and uploads untouched for a month when it starts', async () => {
  const { app, dataDir, start, clock } = await gatewayWorld();
  await app.close();
  const incoming = join(dataDir, 'gateway', '.incoming');
  await writeFile(join(incoming, 'half'), 'x');
  await mkdir(join(dataDir, 'staging', '1'), { recursive: true });
  const names = ['a', 'b'].map((letter) => `${letter.repeat(64)}.5.part`);
  for (const [index, name] of names.entries()) {
    await writeFile(join(dataDir, 'staging', '1', name), 'x');
    const at = new Date(clock.now() - (index === 0 ? 31 : 29) * DAY);
    await utimes(join(dataDir, 'staging', '1', name), at, at);
  }
  await start();
  expect(await readdir(incoming)).toEqual([]);
  expect(await readdir(join(dataDir, 'staging', '1'))).toEqual(names.slice(1));
});

test('is not ready with an unusable journal, and says why', async () => {
  const { start, app } = await gatewayWorld();
  await app.close();
  const openJournal: NonNullable<GatewayOverrides['openJournal']> = async (...given) => {
    const journal = await Journal.open(...given);
    return Object.assign(journal, { check: () => Promise.reject(new Error('damaged')) });
  };
  const answer = await (await start({ openJournal })).inject('/readyz');
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { status: 'not ready', message: 'The journal cannot be used.' },
  ]);
});

test('is not ready and passes nothing on when its journal is removed while it runs, and names it', async () => {
  const { app, token, dataDir } = await gatewayWorld();
  await rm(join(dataDir, 'gateway.sqlite'));
  const answer = await app.inject('/readyz');
  expect([answer.statusCode, answer.json().message]).toEqual([503, expect.stringContaining('gateway.sqlite')]);
  const change = await adminOf(app, token).post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  expect(change.statusCode).toBe(503);
});

test('limits live connections per user to the configured number', async () => {
  const { app, token } = await gatewayWorld({ settings: { LIVE_CONNECTIONS: '0' } });
  const answer = await app.inject({ url: LIVE_PATH, headers: { authorization: `Bearer ${token}` } });
  expect([answer.statusCode, answer.json().code]).toEqual([429, 'too-many-connections']);
});

test('waits three minutes for a request without an answer before it passes the change on again', async () => {
  const { app, start, token, clock, link } = await gatewayWorld();
  await app.close();
  const usual = { longestRequest: undefined } as unknown as GatewayOverrides;
  const admin = adminOf(await start(usual), token);
  link.faults.push('lost');
  await admin.post(CREATE, VALUES, await filesFor(ups), withKey('key-of-a-create'));
  await clock.pass(179_000);
  expect((await admin.get('/api/changes/key-of-a-create')).statusCode).toBe(409);
  expect(link.posts).toHaveLength(1);
  await clock.pass(2_000);
  expect(link.posts).toHaveLength(2);
});

test('closes its connections to the back end on shutdown', async () => {
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const API_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await buildGateway(testSettings({ API_URL, DATA_DIR: await freshFolder() }));
  const open = () =>
    new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  await app.inject({ url: `${ups.endpoints.single}/1`, headers: { authorization: 'Bearer some-token' } });
  expect(await open()).toBeGreaterThan(0);
  await app.close();
  await expect.poll(open, { interval: 5 }).toBe(0);
});

test('writes its journal completely on shutdown, leaving no files beside it', async () => {
  const { app, dataDir } = await gatewayWorld();
  const beside = async () => (await readdir(dataDir)).filter((name) => /-(wal|shm)$/.test(name));
  expect(await beside()).not.toEqual([]);
  await app.close();
  expect(await beside()).toEqual([]);
});
