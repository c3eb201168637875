import { configure } from '@testing-library/dom';

// Screens load lazily, and a busy machine is slow, not wrong. As patient as `expect.poll` in vitest.config.ts.
configure({ asyncUtilTimeout: 30_000 });
