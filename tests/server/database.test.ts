import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEngine } from '../../server/database.ts';
import { FOR_MIGRATIONS, FOR_REQUESTS, openPool } from '../../server/stores/postgres/pool.ts';
import { freshFolder, testSettings } from './harness.ts';

test('waits two minutes for a database that cannot be reached, then fails with an explanation', async () => {
  const settings = testSettings({ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x', DATA_DIR: await freshFolder() });
  const begun = performance.now();
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => begun + passed);
  onTestFinished(() => void vi.restoreAllMocks());
  const told: string[] = [];
  const onWait = (words: string) => {
    told.push(words);
    passed += 121_000;
    if (told.length > 1) throw new Error('waited for longer');
  };
  await expect(openEngine(settings, { onWait })).rejects.toThrow(/^The database 127\.0\.0\.1:9\/x cannot be reached/);
  expect(told).toEqual([expect.stringMatching(/cannot be reached .* Trying again\.$/)]);
});

test.each([
  ['requests', FOR_REQUESTS],
  ['migrations', FOR_MIGRATIONS],
])('gives a statement of %s its whole time before silence counts as a dead connection', (_, limits) => {
  expect(limits.silence).toBeGreaterThan(limits.statement);
});

test('fails within seconds on a database that accepts the connection and stays silent', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void silent.close());
  const pool = openPool(`postgres://a:b@127.0.0.1:${(silent.address() as AddressInfo).port}/x`);
  onTestFinished(() => pool.end());
  const begun = Date.now();
  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
  expect(Date.now() - begun).toBeLessThan(60_000);
});
