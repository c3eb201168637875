import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { atRest } from './at-rest.ts';

/** Colours are all that the schemes differ in: one is looked at with every rule, the other with those that look at colours. */
const SCHEMES = [
  ['light', undefined],
  ['dark', ['color-contrast', 'link-in-text-block']],
] as const;

/** Nothing on the page as it stands that axe objects to, in either scheme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const [colorScheme, only] of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await atRest(page);
    // The other mode opens a page of its own each time, for the sake of frames from elsewhere.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (only === undefined ? axe : axe.withRules([...only])).analyze();
    const told = violations.flatMap(({ nodes }) => nodes.map((node) => `${node.html}: ${node.failureSummary}`));
    expect(told, `${name}, ${colorScheme}`).toEqual([]);
  }
}
