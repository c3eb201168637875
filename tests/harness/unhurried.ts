import type { BrowserContext } from '@playwright/test';

/** How long a form waits for the server's answer before it says "Saved on this device". Milliseconds. */
const PATIENCE = 4000;
/** How long it waits in tests: less than a test waits for the text that follows. Milliseconds. */
const PATIENCE_OF_TESTS = 15_000;

/**
 * Makes forms wait longer for the server's answer than a person would, so that the outcome is the same on a slow machine.
 * Everything else keeps its speed, and a save without a server ends as soon as ever. Not for tests of the waiting itself.
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
