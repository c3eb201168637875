import { globSync, statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** Folders or files of tests that have to notice the mutants: quick ones only, simulated worlds would take minutes for each. */
const TESTS = (process.env['MUTATION_TESTS'] ?? 'domain,offline,worker').split(',');

/** Starts the type checker: no mutant can reach it. */
const OUT_OF_REACH = ['tests/domain/definitions.test.ts'];

/** They change what is global, or begin on storage of a fixed name: each has modules and globals of its own. */
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

/** Begins with the small files: most mutants fall there, and a run ends with its first failure. */
class SmallFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bytes = ({ moduleId }: TestSpecification) => statSync(moduleId).size;
    return Promise.resolve(files.toSorted((one, other) => bytes(one) - bytes(other)));
  }
}

/** The files that are named, of those that run together or of the others. */
function include(apart: boolean): string[] {
  const files = TESTS.flatMap((place) => (place.endsWith('.ts') ? [place] : globSync(`tests/${place}/**/*.test.ts`)));
  return files.filter((file) => !OUT_OF_REACH.includes(file) && isApart(file) === apart);
}

function isApart(file: string): boolean {
  return file.startsWith('tests/worker/') || ON_THEIR_OWN.includes(file);
}

/** Milliseconds. What waits for ever fails its test, long before the run is given up: only an endless loop outlasts its time there. */
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
      // one set of modules for all of them: to load them for each file costs more than the tests
      { test: { ...LIMITS, name: 'together', include: include(false), isolate: false } },
      { test: { ...LIMITS, name: 'apart', include: include(true) } },
    ],
  },
});
