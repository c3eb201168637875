import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { partners } from '../../src/domain/resources/partners.ts';
import { followInAccount } from '../harness/account-menu.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { fillingOf } from '../harness/fillings.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/world.ts';
import { plugIn, openSecurity, addPasskey } from './steps/security.ts';

const OMAR = { name: 'Omar Faruk', email: 'omar@voltdesk.test', password: 'four grey donkeys' };

/** Browsers support passkeys only for host names, not for IP addresses. */
const byName = (origin: string) => origin.replace('127.0.0.1', 'localhost');

test.use({ holds: 'nothing' });

test('a passkey is added, and signs in again over a form, whose queue is then sent', async ({
  page,
  world: { proxy, server },
}) => {
  const app = new App(page, byName(proxy.origin));
  const elsewhere = await Api.signIn(server.origin);
  await plugIn(page);
  await app.signIn();
  await app.workerReady();
  await openSecurity(page);
  await expectAccessible(page, 'Security without a second factor');
  await addPasskey(page);
  await expect(page.getByText(/^Passkey · added .+ · not used yet$/)).toBeVisible();
  await expectAccessible(page, 'Security with a passkey');
  await page.getByRole('button', { name: /^Rename / }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Tablet in the van');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByText('Tablet in the van', { exact: true })).toBeVisible();

  await proxy.refuse();
  await app.createUnsent(partners, { ...(await fillingOf(partners.fields, 1)), name: 'Made without a link' });
  await elsewhere.ask('/api/sessions/end-others', {});
  await page.getByRole('main').getByRole('link', { name: 'Create New' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Half typed');
  await proxy.clear();
  await app.linkReturns();
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half typed');
  await expect.poll(() => server.data.query('SELECT name FROM partners')).toEqual([{ name: 'Made without a link' }]);
});

test('an authenticator app is set up and required of everyone; waiting changes are sent after the set-up', async ({
  page,
  browser,
  world: { proxy, server },
}) => {
  await Api.join(server.origin, { ...OMAR, role: 'editor' });
  const theirs = new App(await (await browser.newContext()).newPage(), proxy.origin);
  await theirs.signIn(OMAR);
  await theirs.workerReady();
  await proxy.refuse();
  await theirs.createUnsent(partners, { ...(await fillingOf(partners.fields, 1)), name: 'Made before' });

  const owner = new App(page, server.origin);
  await owner.signIn();
  await openSecurity(page);
  // an IP address has no passkeys
  await expect(page.getByRole('button', { name: /^Add a passkey/ })).toHaveCount(0);
  const { secret, at } = await setUpApp(page);
  await followInAccount(page, 'People');
  await page.getByRole('button', { name: 'Require it for everyone' }).click();
  await owner.answer('Require it');
  await expect(page.getByText('Everyone needs one')).toBeVisible();
  await expectAccessible(page, 'People with a required factor');

  await proxy.clear();
  await theirs.linkReturns();
  await theirs.page.reload();
  await expect(theirs.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  await expectAccessible(theirs.page, 'the required second factor');
  expect(server.data.query('SELECT name FROM partners')).toEqual([]);
  await setUpApp(theirs.page);
  await expect(theirs.page.getByRole('heading', { name: 'Partners', level: 1 })).toBeVisible();
  await expect.poll(() => server.data.query('SELECT name FROM partners')).toEqual([{ name: 'Made before' }]);

  await page.getByRole('button', { name: 'Logout' }).click();
  await owner.enter(ADMINISTRATOR);
  await page.getByLabel('Code from your authenticator app').fill(codeAt(secret, Math.max(Date.now(), at + 30_000)));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('banner').first()).toBeVisible();
});

/** Sets up an authenticator app with the shown secret, and confirms the recovery codes. */
async function setUpApp(page: Page): Promise<{ readonly secret: string; readonly at: number }> {
  await page.getByRole('button', { name: /^Use an authenticator app/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
  await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await expectAccessible(page, 'the set-up of an authenticator app');
  const secret = (await dialog.getByRole('code').innerText()).replaceAll(' ', '');
  const at = Date.now();
  await dialog.getByLabel('Code the app shows now').fill(codeAt(secret, at));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  return { secret, at };
}

/** The code that an authenticator app shows. */
function codeAt(secret: string, at: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
}
