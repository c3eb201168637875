import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepFirstPassword } from '../../server/accounts/first-password.ts';
import { earlierAppFiles } from '../../server/ops/earlier-app-files.ts';
import { lockDataFolder } from '../../server/stores/sqlite/sqlite-lock.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { ADMIN, formOf, freshFolder, startServer } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

test.skipIf(process.platform === 'win32')('keeps the data folder and all in it from other accounts', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const unlock = lockDataFolder(dataDir, 'serve');
  const server = await startServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password });
  const admin = await server.client();
  await admin.signIn();
  await admin.post(generators.endpoints.create, formOf(valuesFor(generators.fields), await filesFor(generators)));
  await server.app.services.sizes.done();
  const appDir = await freshFolder();
  await mkdir(join(appDir, 'assets'));
  await writeFile(join(appDir, 'assets', 'index-B1c2D3e4.js'), '1', { mode: 0o644 });
  await earlierAppFiles(appDir, join(dataDir, 'app-files'), Date.now).note();
  keepFirstPassword(dataDir, 'password');
  const release = lockDataFolder(join(dataDir, 'servers', '1'), 'serve');
  const entries = await readdir(dataDir, { recursive: true });
  const modes = await Promise.all(
    entries.map(async (name) => `${name} ${((await stat(join(dataDir, name))).mode & 0o077).toString(8)}`),
  );
  expect(modes.filter((mode) => !mode.endsWith(' 0'))).toEqual([]);
  expect(entries).toEqual(
    expect.arrayContaining(['lock.sqlite', 'voltdesk.sqlite', 'app-files/assets/index-B1c2D3e4.js']),
  );
  expect((await stat(dataDir)).mode & 0o077).toBe(0);
  unlock();
  release();
});
