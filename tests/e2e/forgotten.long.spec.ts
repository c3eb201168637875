import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp } from '../../server/commands/backup.ts';
import { restore } from '../../server/commands/restore.ts';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { App } from '../harness/app.ts';
import { expectAccessible } from '../harness/axe.ts';
import { png } from '../harness/sample-files.ts';
import { expect, test } from '../harness/world.ts';

const partners = resourceOf('partners');
const logo = png('logo.png', 1);
const filling = { name: 'Volt Brothers', link: 'https://example.com', image: [logo] };

test.use({ holds: 'nothing' });

test('a server loses its disk, an older backup is restored, and the app brings everything back', async ({
  page,
  world,
}) => {
  const { server, proxy } = world;
  const folder = mkdtempSync(join(tmpdir(), 'voltdesk-backups-'));
  const file = join(folder, 'older.voltdesk');
  const app = await App.signedIn(page, { proxy });
  await backUp(server.dataDir, file);
  await app.create(partners, filling);
  await app.tells('Partner Created Successfully');
  const [made] = server.data.rows('partners');
  const received = server.data.receivedHash(made?.['image']);
  await app.open('/outbox');
  await expect(page.getByText('1 sent change since')).toContainText('is in no backup of the server yet.');

  await server.stop();
  await restore({ dataDir: server.dataDir, file, now: Date.now() });
  await server.start();
  expect(server.data.rows('partners')).toEqual([]);

  // the restore has ended all sessions
  await page.reload();
  await app.enter();
  const told = page.getByRole('region', { name: '1 change of today is not on the server any more.' });
  await expect(told).toContainText('Volt Brothers');
  await expectAccessible(page, 'what the server has forgotten');
  await app.open('/');
  await expect(told).toBeVisible();
  await told.getByRole('button', { name: 'Send again' }).click();
  await expect(told).toBeHidden();
  await expect
    .poll(() => server.data.rows('partners').map(({ id, name }) => [id, name]))
    .toEqual([[made?.id, 'Volt Brothers']]);
  expect(server.data.receivedHash(server.data.rows('partners')[0]?.['image'])).toBe(received);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(told).toBeHidden();
  rmSync(folder, { recursive: true });
});
