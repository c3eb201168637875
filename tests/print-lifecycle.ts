import { readFile, writeFile } from 'node:fs/promises';
import { withLifecycle } from './harness/lifecycle-page.ts';

/** Prints the life of a change into its page: `npm run lifecycle`. */
const page = new URL('../docs/outbox.md', import.meta.url);
await writeFile(page, withLifecycle(await readFile(page, 'utf8')));
