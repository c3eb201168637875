import { spawnSync } from 'node:child_process';

/** Runs before any browser test. Builds the app as it is installed, unless a build newer than its sources exists. */
export default function buildApp(): void {
  if (process.env['E2E_APP_DIR'] !== undefined) return;
  const build = spawnSync(process.execPath, ['server/cli.ts', 'build-if-needed'], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The app could not be built.');
}
