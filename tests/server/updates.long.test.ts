import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Overrides } from '../../server/app.ts';
import { addBuild, newestBuild, rollBack } from '../../server/ops/builds.ts';
import { earlierAppFiles } from '../../server/ops/earlier-app-files.ts';
import { freshFolder, startServer } from './harness.ts';
import { startProcess } from './process.ts';

const DAY = 24 * 60 * 60 * 1000;
const TODAY = Date.parse('2026-11-22T12:00:00Z');

/** Creates an app of one page and one script, both identified by a name of eight letters. */
function appNamed(name: string) {
  return async (folder: string) => {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'assets', `app-${name}.js`), `console.log('${name}')`);
    await writeFile(join(folder, 'index.html'), `<title>${name}</title><script src="/assets/app-${name}.js"></script>`);
  };
}

async function place() {
  return { appDir: join(await freshFolder(), 'dist'), now: () => TODAY };
}

const pageOf = (appDir: string) => readFile(join(appDir, 'index.html'), 'utf8');
const buildsBeside = async (appDir: string) => (await readdir(join(appDir, '../builds'))).toSorted();

/** Loads the page and everything it names, like a browser. Returns the addresses that were missing. */
async function visit(address: string): Promise<{ readonly page: string; readonly missing: string[] }> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  const page = await answer.text();
  const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
  const missing = answer.ok && names.length > 0 ? [] : [`/ (${answer.status})`];
  for (const name of names) if (!(await fetch(address + name)).ok) missing.push(name);
  return { page, missing };
}

test('builds under a running server unnoticed by visitors, and open pages still find their files', async () => {
  const appDir = join(await freshFolder(), 'dist');
  await addBuild({ appDir, now: () => Date.now() - DAY }, appNamed('EarlierA'));
  const env = { APP_DIR: appDir, DATA_DIR: await freshFolder() };
  const server = startProcess(env);
  const address = await server.listening();
  const first = await visit(address);
  expect(first).toMatchObject({ page: expect.stringContaining('EarlierA'), missing: [] });

  const { VITEST: _, NODE_ENV: __, ...plain } = process.env;
  const build = spawn(process.execPath, ['server/cli.ts', 'build'], { env: { ...plain, ...env } });
  onTestFinished(() => void build.kill());
  let said = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (data) => (said += String(data)));
  const built = once(build, 'close');
  let visits = 0;
  const missing: string[] = [];
  while (visits < 51 || build.exitCode === null) {
    missing.push(...(await visit(address)).missing);
    visits += 1;
  }
  expect(await built).toEqual([0, null]);
  expect(said).toMatch(/^The app is build \S+\.\n$/);
  expect({ visits: visits >= 51, missing }).toEqual({ visits: true, missing: [] });
  expect((await visit(address)).page).toContain('early-');
  expect((await fetch(`${address}/assets/app-EarlierA.js`)).headers.get('cache-control')).toContain('immutable');

  const rollback = spawnSync(process.execPath, ['server/cli.ts', 'rollback'], {
    env: { ...plain, ...env },
    encoding: 'utf8',
  });
  expect([rollback.status, rollback.stderr]).toEqual([0, '']);
  expect(await visit(address)).toEqual(first);
}, 180_000);

test('leaves the app unchanged after a failed build, and nothing of the build', async () => {
  const here = await place();
  await addBuild({ ...here, now: () => TODAY - DAY }, appNamed('EarlierA'));
  const before = await buildsBeside(here.appDir);
  const failing = async (folder: string) => {
    await appNamed('HalfDone')(folder);
    throw new Error('no room');
  };
  await expect(addBuild(here, failing)).rejects.toThrow('no room');
  expect(await pageOf(here.appDir)).toContain('EarlierA');
  expect(await buildsBeside(here.appDir)).toEqual(before);
});

test('turns the folder of an older installation into the previous build', async () => {
  const here = await place();
  await mkdir(here.appDir);
  await appNamed('FromOnce')(here.appDir);
  await utimes(here.appDir, TODAY / 1000 - 60, TODAY / 1000 - 60);
  await addBuild(here, appNamed('NewOne_1'));
  expect(await pageOf(here.appDir)).toContain('NewOne_1');
  await rollBack(here);
  expect(await pageOf(here.appDir)).toContain('FromOnce');
  await expect(rollBack(here)).rejects.toThrow('There is no earlier build');
});

test('fails a rollback without an earlier build with an explanation', async () => {
  const { appDir } = await place();
  const env = { ...process.env, APP_DIR: appDir };
  const rollback = spawnSync(process.execPath, ['server/cli.ts', 'rollback'], { env, encoding: 'utf8' });
  expect(rollback).toMatchObject({ status: 1, stdout: '' });
  expect(rollback.stderr).toMatch(/^There is no earlier build.*\n$/);
});

test('keeps five builds, and removes what a killed build left a day later', async () => {
  const { appDir } = await place();
  const names: string[] = [];
  for (let hour = 0; hour < 7; hour += 1) {
    if (hour === 1) await mkdir(join(appDir, '../builds/2026-11-21T11-00-00-000Z.part'));
    if (hour === 2) await mkdir(join(appDir, '../builds/2026-11-22T13-30-00-000Z.part'));
    names.push(await addBuild({ appDir, now: () => TODAY + (hour * DAY) / 24 }, appNamed(`Number_${hour}`)));
  }
  expect(await buildsBeside(appDir)).toEqual(['2026-11-22T13-30-00-000Z.part', ...names.slice(2)].toSorted());
});

test('rolls back one build at a time, and keeps the newest marked as newest', async () => {
  const { appDir } = await place();
  const made: string[] = [];
  for (const [day, name] of ['FirstApp', 'SecondAp', 'ThirdApp'].entries())
    made.push(await addBuild({ appDir, now: () => TODAY + day * DAY }, appNamed(name)));
  const beside = { appDir, now: () => TODAY + 3 * DAY };
  expect(await newestBuild(beside)).toBe(join(appDir, '../builds', made[2] ?? ''));
  expect([await rollBack(beside), await pageOf(appDir)]).toEqual([made[1], expect.stringContaining('SecondAp')]);
  expect([await rollBack(beside), await pageOf(appDir)]).toEqual([made[0], expect.stringContaining('FirstApp')]);
  await expect(rollBack(beside)).rejects.toThrow('There is no earlier build');
  expect(await newestBuild(beside)).toBe(join(appDir, '../builds', made[2] ?? ''));
});

test('keeps only those files of an earlier app that open pages ask for', async () => {
  const [appDir, folder] = [await freshFolder(), await freshFolder()];
  await appNamed('OldApp12')(appDir);
  await writeFile(join(appDir, 'assets', 'app-OldApp12.js.map'), '{}');
  const files = earlierAppFiles(appDir, folder, Date.now);
  await files.note();
  expect(await readdir(join(folder, 'assets'))).toEqual(['app-OldApp12.js']);
  await writeFile(join(folder, 'index.html'), 'old');
  expect(await files.find('/index.html')).toBeUndefined();
  expect(await files.find('/assets/app-OldApp12.js')).toBeDefined();
});

test('serves files of an earlier app for a week after the update, and not longer', async () => {
  const [appDir, folder] = [await freshFolder(), join(await freshFolder(), 'app-files')];
  let time = TODAY;
  const earlier = earlierAppFiles(appDir, folder, () => time);
  await appNamed('EarlierA')(appDir);
  await earlier.note();
  time += 30 * DAY;
  await earlier.note();
  await rename(join(appDir, 'assets'), join(appDir, 'gone'));
  await appNamed('NewOne_1')(appDir);
  time += 7 * DAY;
  await earlier.note();
  expect((await earlier.find('/assets/app-EarlierA.js'))?.type).toContain('javascript');
  time += DAY;
  await earlier.note();
  expect(await earlier.find('/assets/app-EarlierA.js')).toBeUndefined();
  expect(await earlier.find('/assets/app-NewOne_1.js')).toBeDefined();
});

test('serves pages opened before a new release their files from the data folder', async () => {
  const DATA_DIR = await freshFolder();
  const release = async (name: string) => {
    const APP_DIR = await freshFolder();
    await appNamed(name)(APP_DIR);
    const { app } = await startServer({ APP_DIR, DATA_DIR });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const isThere = async (path: string) => (await app.inject(path)).statusCode === 200;
    return { isThere, close: () => app.close() };
  };
  const old = await release('EarlierA');
  await expect.poll(() => existsSync(join(DATA_DIR, 'app-files/assets/app-EarlierA.js'))).toBe(true);
  await old.close();
  const { isThere } = await release('NewOne_1');
  const paths = ['/assets/app-NewOne_1.js', '/assets/app-EarlierA.js', '/assets/app-Unknown1.js', '/index.htm'];
  expect(await Promise.all(paths.map(isThere))).toEqual([true, true, false, false]);
});

/** A server of an app, and whether one of its files is kept for open pages. */
async function serving(environment: Record<string, string> = {}, overrides: Overrides = {}) {
  const APP_DIR = await freshFolder();
  await appNamed('EarlierA')(APP_DIR);
  const server = await startServer({ APP_DIR, ...environment }, overrides);
  const isKept = (name: string) => existsSync(join(server.dataDir, `app-files/assets/app-${name}.js`));
  const update = async (name: string) => {
    await rename(join(APP_DIR, 'assets'), join(APP_DIR, `gone-${name}`));
    await appNamed(name)(APP_DIR);
  };
  const open = () => server.app.inject({ url: '/', headers: { accept: 'text/html' } });
  return { ...server, isKept, update, open };
}

test('keeps the files of a new build once someone opens its page', async () => {
  const { isKept, update, open } = await serving();
  await open();
  await update('NewerApp');
  await open();
  await expect.poll(() => isKept('NewerApp'), { interval: 5 }).toBe(true);
});

test('records the app’s files every hour while the server runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const before = vi.getTimerCount();
  const { app, isKept } = await serving();
  expect(isKept('EarlierA')).toBe(false);
  vi.advanceTimersByTime(60 * 60 * 1000);
  await expect.poll(() => isKept('EarlierA'), { interval: 5 }).toBe(true);
  await app.close();
  expect(vi.getTimerCount()).toBe(before);
});

test('logs files that cannot be kept for open pages', async () => {
  const log: string[] = [];
  const { dataDir, app } = await serving({ LOG_LEVEL: 'warn' }, { logStream: { write: (line) => log.push(line) } });
  await writeFile(join(dataDir, 'app-files'), 'a file in its place');
  await app.listen({ host: '127.0.0.1', port: 0 });
  await expect.poll(() => log.join(''), { interval: 5 }).toContain('files of the app are not kept for open pages');
});
