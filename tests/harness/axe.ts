import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { atRest } from './at-rest.ts';

/** The schemes differ only in colours. One is checked with every rule, the other with the colour rules. */
const SCHEMES = [
  ['light', undefined],
  ['dark', ['color-contrast', 'link-in-text-block']],
] as const;

/** Expects that axe finds no violation on the page in its current state, in either scheme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, only] of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await atRest(page);
    // The other mode opens a new page each time, to support cross-origin frames.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (only === undefined ? axe : axe.withRules([...only])).analyze();
    const told = violations.flatMap(({ nodes }) => nodes.map((node) => `${node.html}: ${node.failureSummary}`));
    expect(told, `${name}, ${colorScheme}`).toEqual([]);
  }
}
