import { vi } from 'vitest';

/** Runs before each test file: files share one process, and each must find its globals, its environment and its clock as they were. */
vi.unstubAllGlobals();
vi.unstubAllEnvs();
vi.restoreAllMocks();
vi.useRealTimers();
