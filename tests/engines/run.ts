import { run } from '../runner/suites.ts';
import { installEngines } from './install.ts';

/**
 * `npm run test:engines`: the walks of `npm test` in three engines. `--long` adds the longer ones. Other arguments go to
 * Playwright: `--project webkit`, `-g "two tabs"`, `--repeat-each 10`.
 */

const args = process.argv.slice(2);
const options = args.filter((arg) => arg !== '--long').map((arg) => JSON.stringify(arg));
for (const engine of installEngines()) console.log(`${engine} cannot be installed here: its walks will fail.`);
const env = args.includes('--long') ? { ENGINES_LONG: '1' } : {};
const succeeded = run(`playwright test -c tests/engines/playwright.config.ts ${options.join(' ')}`, { env });
process.exitCode = succeeded ? 0 : 1;
