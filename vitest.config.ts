import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { quickFolder } from './tests/harness/quick-folder.ts';
import { FILES_OF, type ProjectName } from './tests/runner/projects.ts';

// for every process of the run
process.env['TMPDIR'] = quickFolder();

/** Every test must assert something. The time-outs only end hung tests, because a busy machine may be slow. Milliseconds. */
const RULES = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { requireAssertions: true, poll: { timeout: 120_000 } },
} as const;

/** Files that take a minute or more. */
const SLOW = /tests\/(simulation\/|server\/(postgres\/sign-in|hostile-files)|tooling\/release)/;

/** Starts the longest files first: at the end of the run, one of them would keep one core busy and leave the others idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files);
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

/** jsdom breaks Blobs stored in IndexedDB, so everything without UI runs in plain Node. */
function inNode(
  name: ProjectName,
  options: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return { test: { name, environment: 'node', ...RULES, include: [FILES_OF[name]], ...options } };
}

const AFRESH = 'tests/harness/afresh.ts';

/** Prepares the data of servers. */
const SERVERS = { globalSetup: 'tests/harness/prepared-data.ts' } as const;

function inJsdom(name: ProjectName): TestProjectInlineConfiguration {
  return {
    plugins: [react()],
    test: {
      name,
      environment: 'jsdom',
      // Cheaper to start than processes, by a fifth of the time. Nothing here needs a process of its own.
      pool: 'threads',
      isolate: false,
      ...RULES,
      setupFiles: [AFRESH, 'tests/ui/patience.ts', 'tests/ui/fresh-page.ts'],
      include: [FILES_OF[name]],
    },
  };
}

export default defineConfig({
  test: {
    allowOnly: false,
    // By default one core stays idle for the main process, which has little to do: half of a machine with two.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    projects: [
      inNode('pure', { ...SERVERS, isolate: false, setupFiles: [AFRESH, 'tests/harness/empty-storage.ts'] }),
      inNode('server', { ...SERVERS, isolate: false, setupFiles: [AFRESH] }),
      inNode('simulation', SERVERS),
      inNode('tooling', SERVERS),
      inJsdom('ui'),
      inNode('long-pure', SERVERS),
      inNode('long-server', SERVERS),
      inNode('long-postgres', SERVERS),
      inNode('long-laravel', SERVERS),
      inNode('long-simulation', SERVERS),
      inNode('long-tooling', SERVERS),
      inJsdom('long-ui'),
    ],
  },
});
