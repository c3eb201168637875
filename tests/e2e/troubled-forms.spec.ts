import { resourceOf } from '../../src/domain/resources/index.ts';
import { ADMINISTRATOR } from '../harness/server.ts';
import { expect, test } from '../harness/shared-world.ts';
import { troubledForms } from './steps/troubled-forms.ts';

troubledForms(resourceOf('generators'));

test('Sign in: a missing field and an unreachable server lose nothing typed', async ({ inhabited, browser }) => {
  const { proxy } = inhabited;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${proxy.origin}/login`);
  const email = page.getByLabel('Email');
  const password = page.getByLabel('Password', { exact: true });
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await email.fill(ADMINISTRATOR.email);
  await signIn.click();
  await expect(password).toHaveAccessibleDescription(/field is required/);
  await expect(email).toHaveValue(ADMINISTRATOR.email);
  await password.fill('not the pass phrase');
  await proxy.refuse();
  await signIn.click();
  await expect(page.getByRole('main').getByText('Can’t reach the server.')).toBeVisible();
  await expect(email).toHaveValue(ADMINISTRATOR.email);
  await expect(password).toHaveValue('not the pass phrase');
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(0);
  await proxy.clear();
  await context.close();
});
