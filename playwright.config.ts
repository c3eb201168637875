import { defineConfig } from '@playwright/test';
import { chromiumArgs, findHeadlessShell } from './tests/harness/chromium.ts';

const executablePath = findHeadlessShell();

export default defineConfig({
  testDir: 'tests',
  testMatch: '{e2e,contract}/**/*.spec.ts',
  globalSetup: ['./tests/harness/build-app.ts', './tests/harness/prepare-server.ts'],
  timeout: 240_000,
  // Workers share the cores, each with a browser and a server: on a slow machine any step may take half a minute.
  expect: { timeout: 45_000 },
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { args: [...chromiumArgs], ...(executablePath && { executablePath }) },
    // A trace of every test costs a tenth of the run. `E2E_TRACE=1` keeps those of failed tests.
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
  // A file named `*.long.spec.ts` runs only in `npm run test:all`.
  projects: [
    { name: 'chromium', testIgnore: '**/*.long.spec.ts' },
    { name: 'long', testMatch: '{e2e,contract}/**/*.long.spec.ts' },
  ],
});
