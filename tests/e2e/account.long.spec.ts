import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { App } from '../harness/app.ts';
import { Api } from '../harness/api.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/world.ts';

const META = { title: 'Volt & Söhne', phone: '+88 01700 000000', email: 'office@example.com', address: 'Main Road 1' };

test('a token that the server no longer knows opens the sign-in, but an unreachable server does not', async ({
  page,
  world,
}) => {
  const app = await App.signedIn(page, world);
  await world.proxy.refuse();
  await app.open('/generator-all');
  await expect(page.getByRole('heading', { name: 'Generators', level: 1 })).toBeVisible();

  await world.proxy.clear();
  const sessions = await Api.signIn(world.server.origin);
  await sessions.post('/api/change-password', [
    ['previous_password', ADMINISTRATOR.password],
    ['new_password', 'another long pass phrase'],
    ['new_password_confirmation', 'another long pass phrase'],
  ]);
  await app.open('/generator-all');
  await expect(page).toHaveURL(/\/login$/);
});

test('the password is changed, with each field’s errors below it', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await app.signIn();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(/\/pass-change$/);
  const previous = page.getByLabel('Previous password');
  const wanted = page.locator('[name=new_password]');
  const again = page.locator('[name=new_password_confirmation]');
  const change = page.getByRole('main').getByRole('button', { name: 'Change Password' });
  await expect(previous).toHaveAttribute('autocomplete', 'current-password');
  await expect(wanted).toHaveAttribute('autocomplete', 'new-password');
  await previous.fill('wrong');
  await wanted.fill('a new long pass phrase');
  await again.fill('another one');
  await change.click();
  await expect(previous).toHaveAccessibleDescription(/incorrect/);
  await expect(wanted).toHaveAccessibleDescription(/confirmation does not match/);

  await previous.fill(ADMINISTRATOR.password);
  await again.fill('a new long pass phrase');
  await change.click();
  await app.tells('Password Changed Successfully');
  await expect(previous).not.toHaveAttribute('aria-invalid', 'true');
  await Api.signIn(world.server.origin, { ...ADMINISTRATOR, password: 'a new long pass phrase' });
});

test('the site’s settings are saved, even without a server', async ({ page, world }) => {
  const { proxy, server } = world;
  const app = new App(page, proxy.origin);
  await app.signIn();
  await app.open('/sete-meta-update');
  await app.fill(siteMeta.fields, { ...META, metaTag: '<meta name="x" content="y">' });
  await app.submit();
  await app.tells('Site Meta Updated Successfully');
  await page.reload();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('Volt & Söhne');

  await proxy.refuse();
  await page.getByLabel('Title', { exact: true }).fill('Volt later');
  await app.submit();
  await app.tells('Saved on this device.');
  await proxy.clear();
  const title = () => server.data.query('SELECT title FROM site_meta')[0]?.['title'];
  await page.reload();
  await expect.poll(title).toBe('Volt later');
});

test('logging out offline asks first, and the sign-in then shows what waits and that it needs a connection', async ({
  page,
  world: { proxy },
}) => {
  const app = await App.signedIn(page, { proxy });
  await app.open('/sete-meta-update');
  await expect(page.getByLabel('Title', { exact: true })).toBeVisible();
  await proxy.refuse();
  await app.fill(siteMeta.fields, { ...META, title: 'Waits' });
  await app.submit();
  await app.tells('Saved on this device.');
  // the page notices with its next request
  await app.open('/partner-all');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Offline · 1 waiting' })).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await app.answer('Log out');
  await page.getByRole('button', { name: 'Keep until I sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('1 change waits on this device')).toBeVisible();
  await expect(page.getByText('You’re offline. Signing in needs a connection.')).toBeVisible();
});
