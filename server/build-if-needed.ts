import './require-node.js';
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the built page and worker are made from. */
const SOURCES = ['index.html', 'package-lock.json', 'vite.config.ts', 'public', 'src', 'sw'];

function changedAt(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

if (changedAt('dist/service-worker.js') < Math.max(...SOURCES.map(changedAt))) {
  const build = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' });
  process.exitCode = build.status ?? 1;
}
