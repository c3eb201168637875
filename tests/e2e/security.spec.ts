import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';
import { plugIn, openSecurity, addPasskey } from './steps/security.ts';

/** Browsers support passkeys only for host names, not for IP addresses. */
const byName = (origin: string) => origin.replace('127.0.0.1', 'localhost');

test.use({ holds: 'nothing' });

test('a passkey signs in instead of a password or after it', async ({ page, world: { proxy } }) => {
  const app = new App(page, byName(proxy.origin));
  await plugIn(page);
  await app.signIn();
  await openSecurity(page);
  const [paper = ''] = await addPasskey(page);
  const logOut = async () => {
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible();
  };
  await logOut();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('banner').first()).toBeVisible();
  await logOut();
  await app.enter();
  await expect(page.getByText('Password accepted. Now confirm it’s you.')).toBeVisible();
  await expectAccessible(page, 'the second step');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('banner').first()).toBeVisible();
  await logOut();
  await app.enter();
  await page.getByLabel('Recovery code').fill('wrong-wrong');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('main').getByText('This code is wrong or has already been used.')).toBeVisible();
  await page.getByLabel('Recovery code').fill(paper);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('banner').first()).toBeVisible();
  await openSecurity(page);
  await expect(page.getByText('9 codes of 10 left')).toBeVisible();
});
