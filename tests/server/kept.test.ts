import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../server/commands/backup.ts';
import { addUser } from '../../server/stores/sql/users.ts';
import { restore } from '../../server/commands/restore.ts';
import { ACTIVITY_PATH, type ActivityEntry } from '../../src/domain/activity.ts';
import { type Again, AGAIN_HEADER, KEPT_PATH, type KeptAnswer } from '../../src/domain/protocol/kept.ts';
import { solarPanels } from '../../src/domain/resources/solar-panels.ts';
import { page } from './feed-client.ts';
import { type Client, formOf, freshFolder, signedIn } from './harness.ts';
import { filesFor, valuesFor } from './samples.ts';

const asked = async (admin: Client, keys: readonly string[]) =>
  (await admin.get(`${KEPT_PATH}?keys=${keys.join(',')}`)).json() as KeptAnswer;

const OTHER = { name: 'Other', email: 'other@example.com', password: 'three brown horses' };

interface Made {
  readonly id?: number;
  readonly images?: readonly number[];
}

/** Creates a partner with its image under a key, perhaps again. */
async function createUnder(admin: Client, key: string, again?: Again): Promise<Made> {
  const form = formOf(valuesFor(solarPanels.fields, 'one'), await filesFor(solarPanels));
  return (await admin.post(solarPanels.endpoints.create, form, headersOf(key, again))).json();
}

const headersOf = (key: string, again?: Again) => ({
  'idempotency-key': key,
  ...(again === undefined ? {} : { [AGAIN_HEADER]: JSON.stringify(again) }),
});

const images = async (admin: Client, id: number) =>
  ((await admin.get(`${solarPanels.endpoints.single}/${id}`)).json().images as readonly { id: number }[]).map(
    (image) => image.id,
  );

/** A server whose last change is in no backup, and the server after that backup was restored. */
async function losing(work: (admin: Client) => Promise<void>) {
  const dataDir = join(await freshFolder(), 'data');
  const file = join(await freshFolder(), 'one.voltdesk');
  const before = await signedIn({ DATA_DIR: dataDir });
  await createUnder(before.admin, 'in-the-backup');
  await backUp(dataDir, file);
  await work(before.admin);
  await before.app.services.sizes.done();
  await before.app.close();
  await restore({ dataDir, file, now: Date.now() });
  return signedIn({ DATA_DIR: dataDir });
}

test('tells how far a backup reaches, which keys are in it, and which are forgotten', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  await createUnder(admin, 'first-key');
  expect((await page(admin)).backedUp).toBeUndefined();
  await backUp(dataDir, join(await freshFolder(), 'one.voltdesk'));
  await createUnder(admin, 'second-key');
  const keys = ['first-key', 'second-key', 'third-key'];
  expect(await asked(admin, keys)).toEqual({ forgotten: ['third-key'], backedUp: ['first-key'] });
  await app.services.sizes.done();
  await app.close();
  const { admin: later } = await signedIn({ DATA_DIR: dataDir });
  const told = await page(later);
  expect([told.backedUp, told.epoch]).toEqual([expect.stringMatching(/^[\w-]+\.\d+$/), expect.stringMatching(/.+/)]);
});

test('counts no backup in which a file is damaged, and none of a history that was put away', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const [old, newer] = [join(await freshFolder(), 'old.voltdesk'), join(await freshFolder(), 'new.voltdesk')];
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  await backUp(dataDir, old);
  const first = (await page(admin)).backedUp;
  const { images: added = [] } = await createUnder(admin, 'first-key');
  expect(added.length).toBeGreaterThan(0);
  await app.services.sizes.done();
  await backUp(dataDir, newer);
  await app.close();
  await restore({ dataDir, file: old, now: Date.now() });
  const { admin: again, app: last } = await signedIn({ DATA_DIR: dataDir });
  expect((await page(again)).backedUp).toBe(first);
  const { images: more = [] } = await createUnder(again, 'second-key');
  await last.services.sizes.done();
  const row = last.services.db
    .selectFrom('images')
    .select('image')
    .where('id', '=', more[0] ?? 0);
  await rm(join(dataDir, 'uploads', (await row.executeTakeFirstOrThrow()).image));
  await backUp(dataDir, join(await freshFolder(), 'damaged.voltdesk'));
  expect(await asked(again, ['second-key'])).toEqual({ forgotten: [], backedUp: [] });
});

test('tells nobody about the keys of others, and refuses what is no question', async () => {
  const { admin, client, app } = await signedIn();
  const far = Array.from({ length: 101 }, (_, i) => `key-number-${i}`).join(',');
  for (const keys of ['', 'short', far]) expect((await admin.get(`${KEPT_PATH}?keys=${keys}`)).statusCode).toBe(400);
  await createUnder(admin, 'first-key');
  await addUser(app.services, { ...OTHER, at: new Date().toISOString() });
  const other = await client();
  expect((await other.get(`${KEPT_PATH}?keys=first-key`)).statusCode).toBe(401);
  await other.signIn(OTHER.email, OTHER.password);
  expect(await asked(other, ['first-key'])).toEqual({ forgotten: ['first-key'], backedUp: [] });
});

test('gives a record that is sent again its id and those of its images, once, and says from which device', async () => {
  let made: Made = {};
  const { admin } = await losing(async (before) => {
    made = await createUnder(before, 'lost-key');
  });
  const { id = 0, images: ids = [] } = made;
  const again = await createUnder(admin, 'lost-key', { id, images: ids });
  expect(again).toMatchObject({ id, images: ids });
  expect(await createUnder(admin, 'lost-key', { id, images: ids })).toEqual(again);
  expect(await images(admin, id)).toEqual(ids);
  const activity = (await admin.get(ACTIVITY_PATH)).json() as ActivityEntry[];
  expect(activity.map(({ recordId, sentAgainFrom }) => [recordId, sentAgainFrom])[0]).toEqual([
    id,
    expect.stringMatching(/.+/),
  ]);
  // another one that was given the same id elsewhere
  const other = await createUnder(admin, 'other-key', { id, images: ids });
  expect(other.id).not.toBe(id);
  expect(other.images).toHaveLength(ids.length);
  const next = await createUnder(admin, 'next-key');
  expect(next.id).toBeGreaterThan(other.id ?? 0);
});

test('does not bring back what another device has deleted again before', async () => {
  let made: Made = {};
  let kept: Made = {};
  const { admin } = await losing(async (before) => {
    made = await createUnder(before, 'lost-key');
    kept = await createUnder(before, 'kept-key');
  });
  const [image = 0] = kept.images ?? [];
  const path = `${solarPanels.endpoints.delete}/${made.id}`;
  expect((await admin.post(path, undefined, headersOf('delete-key'))).statusCode).toBe(404);
  expect((await admin.post(path, undefined, headersOf('delete-key', {}))).statusCode).toBe(200);
  expect((await admin.post(`/api/delete-image/${image}`, undefined, headersOf('image-key', {}))).statusCode).toBe(200);
  const list = async () => (await admin.get(solarPanels.endpoints.list)).json() as unknown[];
  const before = (await list()).length;
  const again: Again = { id: made.id ?? 0, images: made.images ?? [] };
  expect(await createUnder(admin, 'lost-key', again)).toEqual({ message: expect.any(String) });
  expect(await list()).toHaveLength(before);
  await createUnder(admin, 'kept-key', { id: kept.id ?? 0, images: kept.images ?? [] });
  expect(await images(admin, kept.id ?? 0)).not.toContain(image);
});
