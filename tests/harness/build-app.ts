import { spawnSync } from 'node:child_process';

/** Before any browser test: the app as it is installed, built unless it is there and newer than its sources. */
export default function buildApp(): void {
  if (process.env['E2E_APP_DIR'] !== undefined) return;
  const build = spawnSync(process.execPath, ['server/build-if-needed.ts'], { stdio: 'inherit' });
  if (build.status !== 0) throw new Error('The app could not be built.');
}
