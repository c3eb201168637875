import { defineConfig } from 'vitest/config';

/** Folders of tests that have to notice the mutants: quick ones only, simulated worlds would take minutes for each. */
const FOLDERS = process.env['MUTATION_TESTS'] ?? 'domain,offline,worker';

export default defineConfig({
  test: {
    environment: 'node',
    include: FOLDERS.split(',').map((folder) => `tests/${folder}/**/*.test.ts`),
    testTimeout: 20_000,
  },
});
