import { vi } from 'vitest';

/**
 * Waits until `done` no longer throws, and resolves with what it returns. As patient as `expect.poll` here, for a busy machine.
 * `interval` in milliseconds.
 */
export function soon<T>(done: () => T | Promise<T>, interval = 50): Promise<T> {
  return vi.waitFor(done, { timeout: 120_000, interval });
}
