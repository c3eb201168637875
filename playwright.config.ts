import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './tests/harness/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'tests',
  testMatch: '{e2e,contract}/**/*.spec.ts',
  globalSetup: './tests/harness/build-app.ts',
  timeout: 120_000,
  // Two workers share two cores, each with a browser and a server, so the default of five seconds is too short.
  expect: { timeout: 20_000 },
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { args: [...chromiumArgs], ...(executablePath && { executablePath }) },
    // Screenshots of every test would cost more than the tests themselves.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
  projects: [{ name: 'chromium' }],
});
