import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { openInstallation } from '../../server/commands/installation.ts';
import { move } from '../../server/commands/move.ts';
import { restore as restoreBackup } from '../../server/commands/restore.ts';
import { TRASH_PATH } from '../../src/domain/protocol/trash.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { freshFolder, signedIn } from './harness.ts';
import { bytesOf, created, namesOf, rowsOf, trashOf } from './trash-client.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

test.each(['deletion', 'restoration'])('undoes a %s whole if its last step fails', async (what) => {
  const server = await signedIn();
  const { admin, app } = server;
  const { single, record, remove, restore } = await created(admin, generators);
  if (what === 'restoration') await remove();
  const before = await rowsOf(server);
  await sql`CREATE TRIGGER no_history BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'no history'); END`.execute(
    app.services.db,
  );
  const answer = what === 'restoration' ? await restore() : await remove();
  expect(answer.statusCode).toBe(500);
  await sql`DROP TRIGGER no_history`.execute(app.services.db);
  expect(await rowsOf(server)).toEqual(before);
  if (what === 'restoration') await restore();
  expect((await admin.get(single)).json()).toMatchObject({ images: record.images });
});

/** A stopped installation with one record in the trash. */
async function stoppedWithTrash() {
  const { admin, app, dataDir } = await signedIn();
  const one = await created(admin, generators);
  const stored = await bytesOf(admin, namesOf(one.record));
  await one.remove();
  await app.services.sizes.done();
  return { app, dataDir, one, stored };
}

async function restoredAt(dataDir: string, { record, id, single }: Awaited<ReturnType<typeof created>>) {
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  expect((await trashOf(admin)).entries).toMatchObject([{ id }]);
  await admin.post(`${TRASH_PATH}/generators/${id}/restore`, undefined);
  expect((await admin.get(single)).json().images).toEqual(record.images);
  return bytesOf(admin, namesOf(record));
}

test('takes the trash along in a backup', async () => {
  const { app, dataDir, one, stored } = await stoppedWithTrash();
  const file = join(await freshFolder(), 'one.voltdesk');
  await backUp(dataDir, file);
  await app.close();
  const elsewhere = await freshFolder();
  await restoreBackup({ dataDir: elsewhere, file, now: NOW });
  expect(await restoredAt(elsewhere, one)).toEqual(stored);
});

test('takes the trash along to another database', async () => {
  const { app, dataDir, one, stored } = await stoppedWithTrash();
  await app.close();
  const target = await freshFolder();
  const from = await openInstallation(`sqlite:${dataDir}`, { isThere: true });
  const to = await openInstallation(`sqlite:${target}`, { isThere: false });
  await move(from, to, () => undefined);
  await to.close();
  await from.close();
  expect(await restoredAt(target, one)).toEqual(stored);
});
