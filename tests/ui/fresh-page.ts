import { cleanup } from '@testing-library/react';
import { afterAll, vi } from 'vitest';
import { emptyPage } from './shared-page.ts';

/**
 * Runs before each file of tests, which begins as in a new page. In truth all files of a worker share one page and its React,
 * because a new page costs more than the tests of most files. What the file before left behind is removed, and the app's
 * modules are evaluated again, so that neither their state nor modules mocked elsewhere are met.
 */
emptyPage();
vi.resetModules();

afterAll(async () => {
  cleanup();
  // Imports that are still pending would be evaluated among the next file's modules.
  await vi.dynamicImportSettled();
});
