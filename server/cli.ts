import './require-node.js';
import { explainFailure } from './ops/messages.ts';

/** What `npm run …` runs beside the server, by name. The code of each loads on its own: building needs packages that a release lacks. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  admin: () => import('./cli/admin.ts'),
  adopt: () => import('./cli/adopt.ts'),
  backup: () => import('./cli/backup.ts'),
  build: () => import('./cli/build.ts'),
  'build-if-needed': () => import('./cli/build-if-needed.ts'),
  'check-back-end': () => import('./cli/check-back-end.ts'),
  'content-types': () => import('./cli/content-types.ts'),
  dev: () => import('./cli/dev.ts'),
  lookups: () => import('./cli/lookups.ts'),
  move: () => import('./cli/move.ts'),
  release: () => import('./cli/release.ts'),
  restore: () => import('./cli/restore.ts'),
  rollback: () => import('./cli/rollback.ts'),
  'sample-data': () => import('./cli/sample-data.ts'),
};

interface Command {
  /** `words` are what follows its name. Throws readable errors. */
  run(words: readonly string[]): Promise<void>;
}

try {
  const [name = '', ...words] = process.argv.slice(2);
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw new Error(`Unknown command "${name}". There are: ${Object.keys(COMMANDS).join(', ')}.`);
  const { run } = await load();
  await run(words);
} catch (error) {
  explainFailure(error);
}
