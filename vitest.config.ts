import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Every test must assert something. The time-outs only end hung tests, because a busy machine may be slow. Milliseconds. */
const RULES = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { requireAssertions: true, poll: { timeout: 30_000 } },
} as const;

export default defineConfig({
  test: {
    allowOnly: false,
    // By default one core stays idle for the main process, which has little to do: half of a machine with two.
    maxWorkers: '100%',
    projects: [
      {
        // jsdom breaks Blobs stored in IndexedDB, so everything without UI runs in plain Node.
        test: {
          name: 'unit',
          environment: 'node',
          ...RULES,
          include: ['tests/{domain,offline,resource,simulation,server,tooling,worker}/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        test: { name: 'ui', environment: 'jsdom', ...RULES, include: ['tests/ui/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
