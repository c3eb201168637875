import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { expect, test } from '../harness/world.ts';

test('the list of sessions shows how many changes wait on another device', async ({
  page,
  browser,
  world: { proxy, server },
}) => {
  const tablet = new App(page, proxy.origin);
  await tablet.signIn();
  await tablet.workerReady();
  await proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'POST /api/site-meta' });
  await tablet.open('/sete-meta-update');
  await page.getByLabel('Title', { exact: true }).fill('Waits');
  await tablet.submit();
  await tablet.tells('Saved on this device.');
  await tablet.open('/partner-all');
  // Reported with a request, once the page has counted the waiting changes.
  const told = async () => {
    await tablet.linkReturns();
    return server.data.query('SELECT user_id FROM tokens WHERE waiting = 1');
  };
  await expect.poll(told).toHaveLength(1);

  const desk = new App(await (await browser.newContext()).newPage(), server.origin);
  await desk.signIn();
  await desk.open('/sessions');
  // in the list of one's own sessions, and in that of all devices
  await expect(desk.page.getByText('1 change waiting there')).toHaveCount(2);
});

test.describe('with a generated password', () => {
  test.use({ holds: 'nothing', settings: { ADMIN_PASSWORD: '' } });

  test('the password must be changed before anything else', async ({ page, world: { proxy, server } }) => {
    const app = new App(page, proxy.origin);
    const password = readFileSync(join(server.dataDir, 'first-password.txt'), 'utf8').trim();
    expect(server.log).not.toContain(password);
    await app.open('/partner-all');
    await app.enter({ email: 'admin@voltdesk.test', password });
    await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
    await expectAccessible(page, 'the made-up password');
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await page.reload();
    await page.getByLabel('Previous password').fill(password);
    await page.getByLabel('New password', { exact: true }).fill('a long pass phrase for tests');
    await page.getByLabel('Confirm new password').fill('a long pass phrase for tests');
    await page.getByRole('button', { name: 'Change Password' }).click();
    await expect(page.getByRole('heading', { name: 'Partners', level: 1 })).toBeVisible();
    await Api.signIn(server.origin);
  });
});

test.describe('with a mail server', () => {
  test.use({ holds: 'nothing', settings: { SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_HOST: '127.0.0.1' } });

  test('a link for a forgotten password can be requested by mail', async ({ page, world }) => {
    const app = new App(page, world.proxy.origin);
    await app.open('/login');
    const forgot = page.getByRole('link', { name: 'Forgot password' });
    await expect(forgot).toHaveAttribute('href', '/forgot-password');
    await forgot.click();
    await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
    await page.getByLabel('Email').fill('nobody@voltdesk.test');
    await expectAccessible(page, 'the forgotten password');
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('If there is an account with this email')).toBeVisible();
  });
});
