import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { withLifecycle } from '../harness/lifecycle-page.ts';

test('documents the lifecycle of a change as the code defines it (npm run lifecycle prints it)', async () => {
  const page = await readFile(new URL('../../docs/outbox.md', import.meta.url), 'utf8');
  expect(page).toBe(withLifecycle(page));
});
