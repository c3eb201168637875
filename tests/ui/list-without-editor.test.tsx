import { expect, test, vi } from 'vitest';
import { names, openList } from './open-list.tsx';

vi.mock('../../src/resource/list/cell-editing.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test('a list stays where the code that edits its values cannot be fetched', async () => {
  await openList();
  await vi.dynamicImportSettled();
  expect(names()).toHaveLength(3);
});
