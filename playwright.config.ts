import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium } from './tests/harness/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { args: [...chromiumArgs], ...(executablePath && { executablePath }) },
    trace: 'retain-on-failure',
  },
  projects: [{ name: 'chromium' }],
});
