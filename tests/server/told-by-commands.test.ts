import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSealed } from '../../server/ops/sealed-file.ts';
import { certifications } from '../../src/domain/resources/certifications.ts';
import { formOf, freshFolder, signedIn } from './harness.ts';
import { picture, valuesFor } from './samples.ts';

const KEY = { BACKUP_KEY: 'a key of twenty letters and more' };

/** A command's output, and how it ends. */
function command(name: string, dataDir: string, words: readonly string[], settings: NodeJS.ProcessEnv = KEY) {
  const env = { ...process.env, DATA_DIR: dataDir, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/cli.ts', name, ...words], {
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('says where a restore keeps the earlier data, and names a damaged file of a backup, which then fails', async () => {
  const { admin, app, dataDir } = await signedIn();
  const image = { field: 'image', bytes: await picture(), name: 'a.png', type: 'image/png' };
  await admin.post(certifications.endpoints.create, formOf(valuesFor(certifications.fields), [image]));
  const [{ name }] = (await app.services.db.selectFrom('files').select('name').execute()) as [{ name: string }];
  await app.services.sizes.done();
  await app.close();
  const folder = await freshFolder();
  const sound = join(folder, 'sound.voltdesk');
  expect(command('backup', dataDir, [sound])).toEqual({
    status: 0,
    stdout: `Wrote ${sound} with the database and 1 files, encrypted.\n`,
    stderr: '',
  });
  expect(await isSealed(sound)).toBe(true);

  await writeFile(join(dataDir, 'uploads', name), 'damaged');
  const other = join(folder, 'damaged.voltdesk');
  expect(command('backup', dataDir, [other], {})).toEqual({
    status: 1,
    stdout: `Wrote ${other} with the database and 1 files, not encrypted: BACKUP_KEY is not set.\n`,
    stderr: `Missing or damaged among the uploads:\n${name}\n`,
  });
  expect((await readdir(folder)).toSorted()).toEqual(['damaged.voltdesk', 'sound.voltdesk']);

  const restored = command('restore', dataDir, [sound]);
  expect(restored).toMatchObject({ status: 0, stdout: expect.stringContaining('the database and 1 files.') });
  const [, kept = ''] = /What was there before is in (.+)\.\n$/.exec(restored.stdout) ?? [];
  expect(await readFile(join(kept, 'uploads', name), 'utf8')).toBe('damaged');
});

test.each([
  ['release', ['--from', 'DIR'], 'npm run release              an archive in releases/\nnpm run release -- --to DIR'],
  ['release', ['--to'], 'npm run release -- --to DIR'],
  ['release', ['--to', '/dev/null/none', 'other'], 'npm run release -- --to DIR'],
  ['restore', [], 'npm run restore -- FILE'],
  ['restore', ['nothing.voltdesk'], 'There is no file nothing.voltdesk'],
  ['backup', [], 'npm run backup -- FILE\nnpm run backup -- --to DIR [--keep 14]'],
  ['admin', ['list'], 'There is no database in'],
  ['lookups', ['list'], 'There is no database in'],
  ['sample-data', ['--size', 'huge'], 'The size is small or full.'],
  ['sample-data', ['--size', 'constructor'], 'The size is small or full.'],
  ['move', [], '-- --from sqlite:FOLDER --to postgres://user:password@host/name\n'],
  ['move', [], '-- --from postgres://user:password@host/name --to sqlite:FOLDER\nThe side that is left out'],
])('npm run %s %j says what is missing, and does nothing', async (name, words, usage) => {
  const dataDir = await freshFolder();
  expect(command(name, dataDir, words)).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(usage),
  });
  expect((await readdir(dataDir)).filter((file) => file !== 'lock.sqlite')).toEqual([]);
});

test('takes the unnamed side of a move from the settings, and says what it moved', async () => {
  const { app, dataDir } = await signedIn();
  await app.close();
  const target = await freshFolder();
  const { status, stdout } = command('move', dataDir, ['--to', `sqlite:${target}`]);
  expect([status, stdout]).toEqual([0, expect.stringMatching(/Moved \d+ rows and 0 files\. 0 differences\.\n$/)]);
  expect(await readdir(target)).toContain('voltdesk.sqlite');
});

test('passes the health check of a container only while the server answers without an error', async () => {
  const state = { status: 200 };
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/healthz' ? state.status : 404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const env = { ...process.env, PORT: String((server.address() as AddressInfo).port) };
  const check = async () => (await once(spawn(process.execPath, ['server/ops/health-check.js'], { env }), 'exit'))[0];
  expect(await check()).toBe(0);
  state.status = 500;
  expect(await check()).toBe(1);
  server.close();
  server.closeAllConnections();
  expect(await check()).toBe(1);
});
