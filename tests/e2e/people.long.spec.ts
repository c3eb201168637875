import type { Browser, Page } from '@playwright/test';
import { partners } from '../../src/domain/resources/partners.ts';
import { followInAccount } from '../harness/account-menu.ts';
import { Api } from '../harness/api.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { fillingOf } from '../harness/fillings.ts';
import { storeRecord } from '../harness/seed.ts';
import { expect, test } from '../harness/world.ts';

const OMAR = { name: 'Omar Faruk', email: 'omar@voltdesk.test', password: 'four grey donkeys' };

/** Another person's browser. */
async function elsewhere(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

/** Opens the People screen as an owner. */
async function openPeople(page: Page): Promise<void> {
  await followInAccount(page, 'People');
  await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
}

test('an owner invites a viewer, who sets a password and sees nothing that a viewer must not use', async ({
  page,
  browser,
  world,
}) => {
  const { origin } = world.proxy;
  const owner = new App(page, origin);
  await owner.signIn();
  await storeRecord(await Api.signIn(world.server.origin), partners, 1, { name: 'Volt Partner' });
  await openPeople(page);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('Email').fill(OMAR.email);
  await page.getByLabel('Name').fill(OMAR.name);
  await page.getByLabel('Role', { exact: true }).selectOption('viewer');
  await expectAccessible(page, 'the invitation');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('Viewer · until')).toBeVisible();
  await expectAccessible(page, 'People');

  const theirs = await elsewhere(browser);
  const app = new App(theirs, origin);
  await theirs.goto(link);
  await expect(theirs.getByRole('heading', { name: 'Welcome, Omar Faruk' })).toBeVisible();
  await expectAccessible(theirs, 'the welcome');
  await theirs.getByLabel('Password', { exact: true }).fill(OMAR.password);
  await theirs.getByLabel('Confirm password').fill(OMAR.password);
  await theirs.getByRole('button', { name: 'Set password' }).click();
  await expect(theirs.getByLabel('Email')).toHaveValue(OMAR.email);
  await theirs.getByLabel('Password', { exact: true }).fill(OMAR.password);
  await theirs.getByRole('button', { name: 'Sign in' }).click();
  await expect(theirs.getByRole('banner').first()).toBeVisible();

  await app.open('/partner-all');
  await expect(app.row('Volt Partner')).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Create New' })).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expect(theirs.getByRole('checkbox')).toHaveCount(0);
  await theirs.getByRole('link', { name: 'Open Volt Partner' }).click();
  await expect(theirs.getByLabel('Name')).toBeDisabled();
  await expect(theirs.getByRole('button', { name: 'Update' })).toHaveCount(0);
  await app.open('/partner-create');
  await expect(theirs.getByText('Your role is viewer')).toBeVisible();
  await app.open('/people');
  await expect(theirs.getByText('Only owners manage people')).toBeVisible();
  // the link works only once
  await theirs.goto(link);
  await expect(theirs.getByText('This link no longer works')).toBeVisible();
});

test('an owner changes a role, creates a password link and removes a person', async ({ page, world }) => {
  const app = new App(page, world.proxy.origin);
  await Api.join(world.server.origin, { ...OMAR, role: 'viewer' });
  await app.signIn();
  await openPeople(page);
  await page.getByLabel('Role of Omar Faruk').selectOption('editor');
  await app.tells('Omar Faruk is now an editor');
  await expect(page.getByLabel('Role of Test Administrator')).toBeDisabled();
  const more = page.getByRole('button', { name: 'More for Omar Faruk' });
  await more.click();
  await page.getByRole('menuitem', { name: 'New password link' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(/\/welcome#[\w-]{43}$/);
  await page.getByRole('button', { name: 'Close' }).click();
  await more.click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await app.answer('Remove');
  await app.tells('Removed Omar Faruk');
  await expect(page.getByText(OMAR.email)).toHaveCount(0);
});

test.describe('on the device of an editor', () => {
  test.use({ holds: 'nothing' });

  test('a change by someone who lost their role needs a decision, and can be retried once the role is back', async ({
    page,
    world: { proxy, server },
  }) => {
    const id = await Api.join(server.origin, { ...OMAR, role: 'editor' });
    const owner = await Api.signIn(server.origin);
    const app = new App(page, proxy.origin);
    await app.signIn(OMAR);
    await app.workerReady();
    await proxy.refuse();
    await app.createUnsent(partners, { ...(await fillingOf(partners.fields, 1)), name: 'Made as an editor' });
    await owner.ask(`/api/people/${id}/role`, { role: 'viewer' });
    await proxy.clear();
    await app.linkReturns();
    await app.open('/outbox');
    await expect(page.getByText('Your role does not allow it')).toBeVisible();
    await expect(page.getByText('This needs the role Editor. Yours is Viewer.')).toBeVisible();

    await owner.ask(`/api/people/${id}/role`, { role: 'editor' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => server.data.query('SELECT name FROM partners')).toEqual([{ name: 'Made as an editor' }]);
  });
});
