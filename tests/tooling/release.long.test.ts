import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type FollowedStage, followDockerfile, imageEnvironment } from '../harness/dockerfile.ts';
import { freePort } from '../harness/ports.ts';

const scratch = mkdtempSync(join(tmpdir(), 'voltdesk-image-'));
let image: FollowedStage;
let app: string;

/** What the container's steps do that a folder need not, or must not. */
function instead(command: string, folder: string): boolean {
  // the build dependencies: the same as here, from the same lockfile
  if (command.startsWith('npm ci --ignore-scripts')) symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  else if (command.startsWith('install -d -o node')) mkdirSync(join(folder, 'data'), { recursive: true });
  else return false;
  return true;
}

beforeAll(() => {
  image = followDockerfile(readFileSync('Dockerfile', 'utf8'), scratch, instead);
  app = join(image.root, image.workdir);
}, 300_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Starts a program in the release's folder. Returns its output, and stops it when the test ends. */
function start(command: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command[0] ?? '', command.slice(1), { cwd: app, env, detached: true });
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return () => text;
}

/** Files that the page requests, by status. */
async function loadPage(address: string): Promise<Record<string, number>> {
  const page = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
  const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name ?? '');
  const loaded = names.map(async (name) => [name, (await fetch(address + name)).status] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

test('builds with the Dockerfile an image that starts, is healthy and serves the app', async () => {
  const port = String(await freePort());
  const env = imageEnvironment({ ...image.env, HOST: '127.0.0.1', PORT: port, DATA_DIR: join(image.root, 'data') });
  const check = () => spawnSync('node', image.healthCheck.slice(1), { cwd: app, env }).status;
  expect([image.user, image.healthCheck[0], check()]).toEqual(['node', 'node', 1]);
  const output = start(image.command, env);
  await expect.poll(output).toContain('Voltdesk is at');
  expect(check()).toBe(0);
  const files = await loadPage(`http://127.0.0.1:${port}`);
  expect(Object.keys(files).length).toBeGreaterThan(3);
  expect(new Set(Object.values(files))).toEqual(new Set([200]));
});

test('contains no build or test tools in a release, and lists its dependencies', () => {
  const installed = Object.entries(
    JSON.parse(readFileSync(join(app, 'node_modules/.package-lock.json'), 'utf8')).packages as object,
  ).map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  for (const tool of ['vite', 'vitest', 'typescript', 'react', '@playwright/test'])
    expect(installed.some((name) => name.startsWith(`${tool}@`))).toBe(false);
  expect(readdirSync(app)).not.toEqual(expect.arrayContaining(['tests']));
  const bill = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')) as {
    metadata: { component: object };
    components: { name: string; version: string }[];
  };
  expect(bill.metadata.component).toMatchObject({
    'bom-ref': expect.stringContaining('voltdesk@'),
    type: 'application',
  });
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
  expect(installed.length).toBeGreaterThan(50);
  expect(installed.filter((name) => !listed.includes(name))).toEqual([]);
});

/** The path of the machine's own programs: npm then runs on its Node instead of the project's. */
function pathOfMachine(): string {
  const own = (path: string) => path.startsWith(resolve('node_modules')) || path === dirname(process.execPath);
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !own(path))
    .join(delimiter);
}

test('runs a release with its own Node, without a build, and its commands work', async () => {
  const PATH = pathOfMachine();
  const env = imageEnvironment({ PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(scratch, 'other-data') });
  const npm = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: app, env, encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };
  expect(npm('ci', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline')).toMatchObject({ status: 0 });
  const output = start(['npm', 'start'], env);
  await expect.poll(output).toContain('Voltdesk is at');
  expect(output()).not.toContain('npm run build');
  expect(output()).not.toContain('The app is build');
  expect([existsSync(join(app, 'builds')), existsSync(join(app, 'dist/index.html'))]).toEqual([false, true]);
  expect(npm('run', 'admin', '--', 'add', 'second@example.com')).toMatchObject({ status: 0 });
  expect(npm('run', 'backup', '--', join(scratch, 'one.voltdesk'))).toMatchObject({ status: 0 });
}, 180_000);

test('warns of nothing when npm ci runs on an older Node', () => {
  const env = Object.entries(imageEnvironment({ PATH: pathOfMachine() })).filter(([name]) => !/^npm_/i.test(name));
  const words = ['ci', '--dry-run', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status, stdout, stderr } = spawnSync('npm', words, { env: Object.fromEntries(env), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).not.toMatch(/npm warn/i);
});
