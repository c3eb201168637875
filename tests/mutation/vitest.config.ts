import { globSync, statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** Test folders or files that must catch the mutants. Only quick ones: simulated worlds would take minutes per mutant. */
const TESTS = (process.env['MUTATION_TESTS'] ?? 'domain,offline,worker').split(',');

/** Starts with the small files: they catch most mutants, and a run ends with its first failure. */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bytes = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return Promise.resolve(files.toSorted((one, other) => bytes(one) - bytes(other)));
  }
}

/** The named files, but those of the long tier. */
function include(): string[] {
  const files = TESTS.flatMap((place) => (place.endsWith('.ts') ? [place] : globSync(`tests/${place}/**/*.test.ts`)));
  return files.filter((file) => !file.includes('.long.'));
}

export default defineConfig({
  test: {
    sequence: { sequencer: SmallFirst },
    environment: 'node',
    include: include(),
    // One set of modules for all of them: loading them for each file takes longer than the tests.
    isolate: false,
    setupFiles: ['tests/harness/afresh.ts', 'tests/harness/empty-storage.ts'],
    globalSetup: 'tests/harness/prepared-data.ts',
    // Milliseconds. A test that waits for ever fails long before the run is aborted. Only an endless loop exceeds the run's time-out.
    testTimeout: 15_000,
    hookTimeout: 15_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
