import type { BrowserContext } from '@playwright/test';

/** How long a form waits for the server's answer before it says "Saved on this device". Milliseconds. */
const PATIENCE = 4000;
/** How long it waits here: less than a test waits for the words that end it. */
const PATIENCE_OF_TESTS = 15_000;

/**
 * Forms that wait for the server's answer longer than a person would: what comes of it is then the same on a slow machine. All
 * else keeps its pace, and a save that meets no server ends as soon as ever. Not for tests of the waiting itself.
 */
export async function unhurried(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ([usual, here]) => {
      const { setTimeout: real } = window;
      const patient = (run: TimerHandler, delay?: number, ...more: unknown[]) =>
        real(run, delay === usual ? here : delay, ...more);
      Object.assign(window, { setTimeout: patient });
    },
    [PATIENCE, PATIENCE_OF_TESTS],
  );
}
