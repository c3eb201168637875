import type { Page } from '@playwright/test';
import { followInAccount } from '../../harness/account-menu.ts';
import { expectAccessible } from '../../harness/axe.ts';
import { expect } from '../../harness/world.ts';

/** Gives the browser an authenticator that creates passkeys and always agrees. */
export async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

export async function openSecurity(page: Page): Promise<void> {
  await followInAccount(page, 'Security');
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible();
}

/** Adds the first passkey on offer, and returns the recovery codes. */
export async function addPasskey(page: Page): Promise<readonly string[]> {
  await page.getByRole('button', { name: /^Add a passkey/ }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const texts = await codes.allInnerTexts();
  await expectAccessible(page, 'the recovery codes');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(codes).toHaveCount(0);
  return texts;
}
