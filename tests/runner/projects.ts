/**
 * The projects of the Vitest suite and the files of each. A file named `*.long.test.ts` belongs to the long tier, which only
 * `npm run test:all` runs; every other one runs in `npm test`.
 */

const NODE = 'tests/{domain,offline,resource,worker}';

/** What `npm test` runs. */
export const QUICK = {
  pure: `${NODE}/**/!(*.long).test.ts`,
  server: 'tests/server/**/!(*.long).test.ts',
  simulation: 'tests/simulation/**/!(*.long).test.ts',
  tooling: 'tests/tooling/**/!(*.long).test.ts',
  ui: 'tests/ui/**/!(*.long).test.{ts,tsx}',
} as const;

/** What only `npm run test:all` runs. */
export const LONG = {
  'long-pure': `${NODE}/**/*.long.test.ts`,
  'long-server': 'tests/server/*.long.test.ts',
  'long-postgres': 'tests/server/postgres/**/*.long.test.ts',
  'long-laravel': 'tests/server/laravel/**/*.long.test.ts',
  'long-simulation': 'tests/simulation/**/*.long.test.ts',
  'long-tooling': 'tests/tooling/**/*.long.test.ts',
  'long-ui': 'tests/ui/**/*.long.test.{ts,tsx}',
} as const;

export type ProjectName = keyof typeof QUICK | keyof typeof LONG;

/** The files of each project. */
export const FILES_OF: Readonly<Record<ProjectName, string>> = { ...QUICK, ...LONG };
