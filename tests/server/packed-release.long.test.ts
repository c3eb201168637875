import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { packRelease, stageRelease } from '../../server/ops/release.ts';
import { programVersion } from '../../server/ops/version.ts';
import { freshFolder } from './harness.ts';

async function builtApp() {
  const appDir = await freshFolder();
  await writeFile(join(appDir, 'index.html'), 'the page');
  return appDir;
}

test('packs the server, the app and the operator’s documents into one archive', async () => {
  const folder = join(await freshFolder(), 'made');
  const archive = packRelease(await builtApp(), folder);
  const name = `voltdesk-${programVersion()}`;
  expect([basename(archive), await readdir(folder)]).toEqual([`${name}.tgz`, [`${name}.tgz`]]);
  const { stdout } = spawnSync('tar', ['-tzf', archive], { encoding: 'utf8' });
  const listed = new Set(stdout.split('\n'));
  const parts = ['dist/index.html', 'server/start.ts', 'src/domain/limits.ts', 'package.json', 'package-lock.json'];
  const papers = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'docs/deployment.md'];
  for (const part of [...parts, ...papers, 'sbom.cdx.json', '.npmrc'])
    expect([part, listed.has(`${name}/${part}`)]).toEqual([part, true]);
  expect([...listed].filter((path) => /\/(tests|node_modules)\//.test(path))).toEqual([]);
  const { stdout: made } = spawnSync('tar', ['-xzOf', archive, `${name}/package.json`], { encoding: 'utf8' });
  expect(JSON.parse(made)).not.toHaveProperty('devDependencies');
}, 60_000);

test('makes a release only from a built app, and only into an empty folder', async () => {
  const [full, empty] = [await builtApp(), await freshFolder()];
  expect(() => stageRelease(full, full)).toThrow(`${full} is not empty.`);
  expect(() => stageRelease(empty, empty)).toThrow(`There is no built app in ${empty}.`);
  expect(await readdir(empty)).toEqual([]);
});

test('fails when a step of the release fails, with that step’s message, and leaves nothing', async () => {
  const [programs, folder] = [await freshFolder(), await freshFolder()];
  await writeFile(join(programs, 'npm'), '#!/bin/sh\necho no bill of materials >&2\nexit 3\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}${delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const appDir = await builtApp();
  expect(() => packRelease(appDir, folder)).toThrow('npm failed: no bill of materials');
  expect(await readdir(folder)).toEqual([]);
});
