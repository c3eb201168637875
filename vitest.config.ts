import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** A busy machine is slow, not wrong: these limits only end a test that hangs. Milliseconds. */
const LIMITS = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } } as const;

export default defineConfig({
  test: {
    projects: [
      {
        // jsdom would break Blobs kept in IndexedDB, so everything without a screen runs in plain Node.
        test: {
          name: 'unit',
          environment: 'node',
          ...LIMITS,
          include: ['tests/{domain,offline,resource,simulation,server,tooling}/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        test: { name: 'ui', environment: 'jsdom', ...LIMITS, include: ['tests/ui/**/*.test.{ts,tsx}'] },
      },
    ],
  },
});
