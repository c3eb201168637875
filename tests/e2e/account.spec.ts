import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { App } from '../harness/app.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/world.ts';

const META = { title: 'Volt & Söhne', phone: '+88 01700 000000', email: 'office@example.com', address: 'Main Road 1' };

test.describe('on a new device', () => {
  test.use({ holds: 'nothing' });

  test('signing in opens the requested page and stores the token under its known name', async ({ page, world }) => {
    const app = new App(page, world.proxy.origin);
    await app.open('/generator-create');
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('banner')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await expect(page.getByLabel('Remember')).toBeChecked();
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
    // Password managers rely on these attributes.
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password');

    await page.getByLabel('Email').fill(ADMINISTRATOR.email);
    await page.getByLabel('Password', { exact: true }).fill('not the pass phrase');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('These credentials do not match our records.').first()).toBeVisible();

    await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await app.tells('Successfully Logged In...!');
    await expect(page).toHaveURL(/\/generator-create$/);
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBeNull();
  });
});

test('logging out with changes waiting asks first, and keeps them until the next sign-in', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = await App.signedIn(page, { proxy });
  await app.open('/sete-meta-update');
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await proxy.strike({ kind: 'cut-request', after: 0 }, { only: 'POST /api/site-meta' });
  await app.fill(siteMeta.fields, { ...META, title: 'Kept' });
  await app.submit();
  await app.tells('Saved on this device.');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByRole('button', { name: 'Keep until I sign in' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await proxy.clear();
  await app.signIn();
  const title = () => server.data.query('SELECT title FROM site_meta')[0]?.['title'];
  await expect.poll(title).toBe('Kept');
});
