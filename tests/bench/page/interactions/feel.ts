import type { Page } from '@playwright/test';

/** The perceived latency of an input in milliseconds. */
export interface Felt {
  /** From the input to the next paint: the longest Event Timing entry, in steps of 8. 16 if all were shorter. */
  readonly input: number;
  /** Until the result is painted, whatever is painted before it. */
  readonly stands: number;
}

interface Watch {
  longest: number;
  stands: number | undefined;
}

/** Elements whose text changes when a list has responded. */
const TELLING = ['[data-row] + [data-row]', '.list-count', '.selection-bar', '.cell-editor', '[role=menu]', '.facets'];

/** After this time all effects of an input are over and reported by the browser. Milliseconds. */
const REST = 600;

/** Performs an act in a page and returns its latency. */
export async function feel(page: Page, act: () => Promise<void>): Promise<Felt> {
  await page.evaluate(watch, TELLING);
  await act();
  await page.waitForFunction(() => (globalThis as unknown as { watched: Watch }).watched.stands !== undefined);
  return felt(page);
}

/** Input latency alone, for a page whose watched elements may not change. */
export async function inputOf(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(watch, TELLING);
  await act();
  return (await felt(page)).input;
}

async function felt(page: Page): Promise<Felt> {
  await page.waitForTimeout(REST);
  return page.evaluate(() => {
    const { longest, stands } = (globalThis as unknown as { watched: Watch }).watched;
    return { input: Math.max(16, longest), stands: stands ?? Number.NaN };
  });
}

/** Runs in the page. Measures the next input until the text of a watched element changes. */
function watch(telling: readonly string[]): void {
  const seen: Watch = { longest: 0, stands: undefined };
  const before = globalThis as unknown as { watched?: Watch; unwatch?: () => void };
  before.unwatch?.();
  const told = () => telling.map((selector) => document.querySelector(selector)?.textContent ?? '-').join('|');
  const first = told();
  const end = new AbortController();
  let began: number | undefined;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
  });
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  const painted = new MessageChannel();
  painted.port1.addEventListener('message', () => (seen.stands = performance.now() - (began ?? 0)));
  painted.port1.start();
  const look = () => {
    if (end.signal.aborted) return;
    if (told() === first) requestAnimationFrame(look);
    else painted.port2.postMessage(undefined);
  };
  const begin = (event: Event) => {
    if (began !== undefined) return;
    began = event.timeStamp;
    requestAnimationFrame(look);
  };
  for (const type of ['pointerdown', 'keydown'])
    document.addEventListener(type, begin, { capture: true, signal: end.signal });
  const unwatch = () => {
    observer.disconnect();
    end.abort();
  };
  Object.assign(globalThis, { watched: seen, unwatch });
}
