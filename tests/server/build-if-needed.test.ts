import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from './harness.ts';

const PROGRAM = resolve('server/cli.ts');
const NOON = Date.parse('2026-11-22T12:00:00Z') / 1000;

/** A project folder with an `npm` that records its calls and exits with code 3. */
async function project() {
  const folder = await freshFolder();
  const write = async (path: string, at: number) => {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), '');
    await utimes(join(folder, path), at, at);
  };
  await write('bin/npm', NOON);
  await writeFile(join(folder, 'bin/npm'), '#!/bin/sh\necho "$@" > asked\nexit 3\n');
  await chmod(join(folder, 'bin/npm'), 0o755);
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  const start = async (APP_DIR = '') => {
    const { status } = spawnSync(process.execPath, [PROGRAM, 'build-if-needed'], {
      cwd: folder,
      env: { ...process.env, PATH, APP_DIR },
    });
    const asked = join(folder, 'asked');
    return [status, existsSync(asked) ? (await readFile(asked, 'utf8')).trim() : 'nothing'];
  };
  return { folder, write, start };
}

/** Sources changed at noon, in folders of the same time. */
async function withSources() {
  const made = await project();
  const { folder, write } = made;
  for (const path of ['index.html', 'vite.config.ts', 'src/screens/home.ts', 'sw/main.ts']) await write(path, NOON);
  for (const path of ['src/screens', 'src', 'sw']) await utimes(join(folder, path), NOON, NOON);
  return made;
}

test('builds the app where there is none, and exits like the build', async () => {
  const { start } = await withSources();
  expect(await start()).toEqual([3, 'run build']);
});

test('does not build an app that is as new as its sources', async () => {
  const { write, start } = await withSources();
  await write('dist/service-worker.js', NOON);
  expect(await start()).toEqual([0, 'nothing']);
});

test.each([
  'src/screens/home.ts',
  'sw/main.ts',
  'public/icon.svg',
  'index.html',
  'package-lock.json',
  'vite.config.ts',
])('rebuilds the app after a change of %s', async (path) => {
  const { write, start } = await withSources();
  await write('dist/service-worker.js', NOON);
  await write(path, NOON + 60);
  expect(await start()).toEqual([3, 'run build']);
});

test('looks for the app where the server serves it', async () => {
  const [built, unbuilt] = [await withSources(), await withSources()];
  await built.write('served/app/service-worker.js', NOON);
  expect(await built.start('served/app')).toEqual([0, 'nothing']);
  await unbuilt.write('dist/service-worker.js', NOON);
  expect(await unbuilt.start('served/app')).toEqual([3, 'run build']);
});

test('leaves an earlier build that a rollback serves alone', async () => {
  const { folder, write, start } = await withSources();
  for (const [day, at] of [NOON - 60, NOON + 60].entries()) {
    await write(`builds/2026-11-2${day + 1}T12-00-00-000Z/service-worker.js`, at);
  }
  await symlink('builds/2026-11-21T12-00-00-000Z', join(folder, 'dist'));
  expect(await start()).toEqual([0, 'nothing']);
});

test('builds nothing in a release, which has no sources', async () => {
  const { start } = await project();
  expect(await start()).toEqual([0, 'nothing']);
});
