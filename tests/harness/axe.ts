import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const SCHEMES = ['light', 'dark'] as const;

/** Nothing on the page as it stands that axe objects to, in either scheme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Colours in between the schemes belong to neither.
    await page.waitForFunction(() => !document.getAnimations().some((animation) => animation instanceof CSSTransition));
    const { violations } = await new AxeBuilder({ page }).analyze();
    const told = violations.flatMap(({ nodes }) => nodes.map((node) => `${node.html}: ${node.failureSummary}`));
    expect(told, `${name}, ${colorScheme}`).toEqual([]);
  }
}
