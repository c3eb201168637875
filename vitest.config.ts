import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Every test must assert something. The time-outs only end hung tests, because a busy machine may be slow. Milliseconds. */
const RULES = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { requireAssertions: true, poll: { timeout: 30_000 } },
} as const;

/** Files that take a minute or more. */
const LONG = /tests\/(simulation\/|server\/(postgres\/sign-in|hostile-files)|tooling\/release)/;

/** Starts the longest files first: at the end of the run, one of them would keep one core busy and leave the others idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    allowOnly: false,
    // By default one core stays idle for the main process, which has little to do: half of a machine with two.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // jsdom breaks Blobs stored in IndexedDB, so everything without UI runs in plain Node.
        test: {
          name: 'unit',
          environment: 'node',
          ...RULES,
          globalSetup: 'tests/harness/prepared-data.ts',
          include: ['tests/{domain,offline,resource,simulation,server,tooling,worker}/**/*.test.ts'],
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'ui',
          environment: 'jsdom',
          // Cheaper to start than processes, by a fifth of the time. Nothing here needs a process of its own.
          pool: 'threads',
          ...RULES,
          setupFiles: ['tests/ui/patience.ts'],
          include: ['tests/ui/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
