import { expect, onTestFinished, test, vi } from 'vitest';
import { openEngine } from '../../server/database.ts';
import { FOR_MIGRATIONS, FOR_REQUESTS } from '../../server/stores/postgres/pool.ts';
import { freshFolder, testSettings } from './harness.ts';

test('a database that cannot be reached is waited for two minutes, and then given up in words', async () => {
  const settings = testSettings({ DATABASE_URL: 'postgres://a:b@127.0.0.1:9/x', DATA_DIR: await freshFolder() });
  const begun = Date.now();
  let passed = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => begun + passed);
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
])('a statement of %s may take its whole time before the silence counts as a dead connection', (_, limits) => {
  expect(limits.silence).toBeGreaterThan(limits.statement);
});
