import { defineConfig } from '@playwright/test';
import { ENGINES, type EngineName } from './drive/tab.ts';

const isLong = process.env['ENGINES_LONG'] === '1';

/** The walks that `npm test` leaves out in Chromium, where tests/e2e has played the same scenarios in more depth. */
const IN_E2E = process.env['ENGINES_AFTER_E2E'] === '1' ? '**/{create,killed,screens,sessions}.spec.ts' : [];

/** The walks in three engines. Those of `long/` run only on request. */
export default defineConfig<object, { engine: EngineName }>({
  testDir: '.',
  testMatch: isLong ? '{walks,long}/**/*.spec.ts' : 'walks/**/*.spec.ts',
  globalSetup: ['../harness/build-app.ts', '../harness/prepare-server.ts'],
  timeout: 180_000,
  expect: { timeout: 45_000 },
  outputDir: '../../test-results/engines',
  fullyParallel: true,
  forbidOnly: !!process.env['CI'],
  retries: 0,
  workers: Number(process.env['E2E_WORKERS'] ?? 2),
  reporter: 'list',
  projects: ENGINES.map((engine) => ({
    name: engine,
    use: { engine },
    testIgnore: engine === 'chromium' ? IN_E2E : [],
  })),
});
