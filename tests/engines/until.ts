import { setTimeout as sleep } from 'node:timers/promises';

/** How long any step may take on a busy machine. Milliseconds. */
const PATIENCE = 45_000;

/**
 * Polls until the result is not false, undefined or null, and returns it. Retries after errors too: a page cannot be
 * queried during a navigation.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  patience = PATIENCE,
): Promise<Exclude<T, false | undefined | null>> {
  const end = Date.now() + patience;
  let failure: unknown;
  while (Date.now() < end) {
    try {
      const answer = await ask();
      if (answer !== false && answer !== undefined && answer !== null)
        return answer as Exclude<T, false | undefined | null>;
    } catch (caught) {
      failure = caught;
    }
    await sleep(50);
  }
  throw new Error(`Not within ${patience / 1000} s: ${what}`, { cause: failure });
}
