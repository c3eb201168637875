import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { generators } from '../../../src/domain/resources/generators.ts';
import { openOrMake, withUploads } from '../../../server/commands/installation.ts';
import { fill } from '../../../server/sample-data/fill.ts';
import { openDatabase } from '../../../server/stores/sqlite/open.ts';
import { ADMIN, freshFolder, keepRecordsIn, signedIn, testSettings } from '../harness.ts';
import { untouchedDatabase } from '../on-postgres.ts';

// here a server's settings say where its records are
keepRecordsIn({ openDatabase });

/** An open connection keeps a process alive for 10 seconds. Milliseconds. */
const ENDS_WITHIN = 8000;

/** Runs a command as `npm run` does. Returns its output. The command ends once it has printed that. */
async function run(command: string, env: Record<string, string>, ...words: string[]): Promise<string> {
  const options = { env: { ...process.env, LOG_LEVEL: 'silent', ...env } };
  const running = promisify(execFile)(process.execPath, ['server/cli.ts', command, ...words], options);
  let printedAt = Infinity;
  running.child.stdout?.on('data', () => (printedAt = performance.now()));
  const { stdout } = await running;
  expect(performance.now() - printedAt).toBeLessThan(ENDS_WITHIN);
  return stdout;
}

/** One sample of every kind, because the whole command draws for half a minute. */
async function fillWithOne(env: Record<string, string>): Promise<void> {
  const settings = testSettings(env);
  const db = await openOrMake(settings);
  const limits = { maxFileBytes: settings.maxFileBytes, maxRequestBytes: settings.maxRequestBytes, maxFiles: 20 };
  await withUploads(settings, db, (place) => fill({ db, storage: { ...place, limits, now: Date.now } }, 1));
  await db.destroy();
}

test('runs every command on the database in the settings, and moves an installation back home', async () => {
  const DATABASE_URL = await untouchedDatabase();
  const env = { DATABASE_URL, DATA_DIR: await freshFolder() };
  await fillWithOne(env);
  await expect(run('sample-data', env, '--size=small')).rejects.toThrow('/untouched has records already.');
  expect(await run('lookups', env, 'add', 'generator-series', 'Nova')).toBe('"Nova" is in generator-series.\n');
  const { admin, app } = await signedIn(env);
  expect(await run('admin', env, 'list')).toContain(ADMIN.email);
  expect((await admin.get('/api/get-generators-series')).json()).toContain('Nova');
  const [{ id }] = (await admin.get(generators.endpoints.list)).json();
  const { images } = (await admin.get(`${generators.endpoints.single}/${id}`)).json();
  const picture = await admin.get(`/uploads/${images[0].image}?width=100`, { accept: 'image/webp' });
  expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
  await app.close();

  const home = await freshFolder();
  expect(await run('move', env, '--to', `sqlite:${home}`)).toMatch(/Moved \d+ rows and \d+ files\. 0 differences\.\n$/);
  expect(await run('admin', { DATA_DIR: home }, 'list')).toContain(ADMIN.email);
  await expect(run('move', env, '--to', `sqlite:${home}`)).rejects.toThrow('is not empty');
});
