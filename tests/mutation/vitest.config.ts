import { globSync, statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** Test folders or files that must catch the mutants. Only quick ones: simulated worlds would take minutes per mutant. */
const TESTS = (process.env['MUTATION_TESTS'] ?? 'domain,offline,worker').split(',');

/** Files that change globals or need empty storage of a fixed name. Each gets its own modules and globals. */
const ON_THEIR_OWN = [
  'answers',
  'await-settled',
  'cached-site-meta',
  'drafts',
  'engines',
  'feed-not-kept',
  'full-device',
  'key-reuse',
  'lost-connection',
  'queue-file',
  'real-world',
  'stalled-storage',
].map((name) => `tests/offline/${name}.test.ts`);

/** Starts with the small files: they catch most mutants, and a run ends with its first failure. */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bytes = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return Promise.resolve(files.toSorted((one, other) => bytes(one) - bytes(other)));
  }
}

/** The named files, either those that run together or those that run apart. */
function include(apart: boolean): string[] {
  const files = TESTS.flatMap((place) => (place.endsWith('.ts') ? [place] : globSync(`tests/${place}/**/*.test.ts`)));
  return files.filter((file) => !file.includes('.long.') && isApart(file) === apart);
}

function isApart(file: string): boolean {
  return file.startsWith('tests/worker/') || ON_THEIR_OWN.includes(file);
}

/**
 * Milliseconds. A test that waits for ever fails long before the run is aborted. Only an endless loop exceeds the run's
 * time-out.
 */
const LIMITS = {
  environment: 'node',
  testTimeout: 15_000,
  hookTimeout: 15_000,
  passWithNoTests: true,
  expect: { poll: { timeout: 10_000 } },
} as const;

export default defineConfig({
  test: {
    sequence: { sequencer: SmallFirst },
    projects: [
      // One set of modules for all of them: loading them for each file takes longer than the tests.
      { test: { ...LIMITS, name: 'together', include: include(false), isolate: false } },
      { test: { ...LIMITS, name: 'apart', include: include(true) } },
    ],
  },
});
