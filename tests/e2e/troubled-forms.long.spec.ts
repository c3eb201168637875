import { RESOURCES } from '../../src/domain/resources/index.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';
import { fillingOf } from '../harness/fillings.ts';
import { expect, test } from '../harness/shared-world.ts';
import { troubledForms, Troubles } from './steps/troubled-forms.ts';

for (const resource of RESOURCES.filter(({ name }) => name !== 'generators')) troubledForms(resource);

test('Site meta: a missing field, a wrong address and an unreachable server lose nothing typed', async ({
  inhabited,
}) => {
  const { app, page, proxy, server } = inhabited;
  const troubles = new Troubles(app, siteMeta);
  await app.open(`/${siteMeta.path}`);
  await app.fill(siteMeta.fields, await fillingOf(siteMeta.fields, 5));
  await page.getByLabel('Title', { exact: true }).fill('');
  await page.getByLabel('Email', { exact: true }).fill('no address');
  await troubles.saveRefused();
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(/valid email address/);
  await troubles.reloadWithoutServer(proxy, 'record/site-meta/1');
  await page.getByLabel('Title', { exact: true }).fill('Kept');
  await page.getByLabel('Email', { exact: true }).fill('office@example.com');
  await app.submit();
  await app.tells('Saved on this device.');
  await proxy.clear();
  await page.reload();
  const title = () => server.data.query('SELECT title FROM site_meta')[0]?.['title'];
  await expect.poll(title).toBe('Kept');
});

test('Change password: a refusal, a missing field and an unreachable server lose nothing typed', async ({
  inhabited,
}) => {
  const { app, page, proxy } = inhabited;
  await app.open('/pass-change');
  const typed = { previous_password: 'wrong', new_password: 'a new long pass phrase', new_password_confirmation: '' };
  const control = (name: string) => page.locator(`[name=${name}]`);
  const expectKept = async () => {
    for (const [name, text] of Object.entries(typed)) await expect(control(name)).toHaveValue(text);
  };
  for (const [name, text] of Object.entries(typed)) await control(name).fill(text);
  const change = page.getByRole('main').getByRole('button', { name: 'Change Password' });
  await change.click();
  await expect(control('previous_password')).toHaveAccessibleDescription(/incorrect/);
  await expectKept();
  await proxy.refuse();
  await change.click();
  await expect(page.getByRole('main').getByText('Can’t reach the server.')).toBeVisible();
  await expect(control('previous_password')).toHaveAttribute('aria-invalid', 'false');
  await expectKept();
  await proxy.clear();
});
