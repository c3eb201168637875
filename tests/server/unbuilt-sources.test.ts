import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { freshFolder } from './harness.ts';

/** Hides a package, as `npm ci --omit=dev` leaves it out. */
const WITHOUT_VITE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) {
    if (name === 'vite') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  } });`)}`;

test('says what to do about sources without their tools, and shows no stack trace', async () => {
  const env = { ...process.env, APP_DIR: await freshFolder() };
  const { status, stderr } = spawnSync(process.execPath, ['--import', WITHOUT_VITE, 'server/cli.ts', 'build'], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('run npm ci without --omit=dev, or install a release');
  expect(stderr).not.toContain('    at ');
});
