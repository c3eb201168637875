import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newestBuild } from '../ops/builds.ts';

/** The sources of the built page and worker. */
const SOURCES = ['index.html', 'package-lock.json', 'vite.config.ts', 'public', 'src', 'sw'];
const APP = resolve(process.env['APP_DIR'] || 'dist');

function changedAt(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** The time of the newest build, even after a rollback: a restart must not undo it. */
async function builtAt(): Promise<number> {
  if (!existsSync(APP)) return 0;
  return changedAt(join((await newestBuild({ appDir: APP })) ?? APP, 'service-worker.js'));
}

/** Builds the app if a source is newer than the newest build. A release contains the built app and no sources. */
export async function run(): Promise<void> {
  const hasSources = existsSync('vite.config.ts');
  if (!hasSources || (await builtAt()) >= Math.max(...SOURCES.map(changedAt))) return;
  const build = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = build.status ?? 1;
}
