import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');

test('text typed while a new record is being saved becomes an edit of it, and the record is created once', async ({
  page,
  world: { proxy, server },
}) => {
  const app = new App(page, proxy.origin);
  const link = page.getByLabel('Link');
  await app.signIn();
  await app.workerReady();
  const saving = `POST ${partners.endpoints.create}`;
  await proxy.strike({ kind: 'hold' }, { only: saving });
  const sent = proxy.next(saving);
  await app.create(partners, { name: 'Typed on', image: [png('logo.png', 1)] });
  await sent;
  await link.fill('https://later.example');
  proxy.release();
  await expect(page).toHaveURL(/\/partner-edit\/(1|local-)/);
  await expect(link).toHaveValue('https://later.example');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove logo.png' })).toHaveCount(0);
  await proxy.clear();
  await app.submit();
  const row = { name: 'Typed on', link: 'https://later.example' };
  await expect.poll(() => server.data.rows('partners')).toMatchObject([row]);
  await expect(page).toHaveURL(/\/partner-all$/);
  await expect.poll(() => app.keptForms()).toEqual([]);
});
