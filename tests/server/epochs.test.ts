import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FeedPage } from '../../src/domain/protocol/feed.ts';
import { partners } from '../../src/domain/resources/partners.ts';
import { create, cursorNow, page, readOn } from './feed-client.ts';
import { freshFolder, signedIn } from './harness.ts';

/** Starts a server on a folder, does the work and stops it. */
async function during<T>(dataDir: string, work: (server: Awaited<ReturnType<typeof signedIn>>) => Promise<T>) {
  const server = await signedIn({ DATA_DIR: dataDir });
  const result = await work(server);
  await server.app.services.sizes.done();
  await server.app.close();
  return result;
}

const idsIn = (pages: readonly FeedPage[]) =>
  pages.flatMap(({ changed }) => (changed.partners ?? []).map(({ id }) => id));

test('tells a device everything anew once a snapshot of the disk was put back', async () => {
  const [dataDir, snapshot] = [join(await freshFolder(), 'data'), join(await freshFolder(), 'snapshot')];
  await during(dataDir, ({ admin }) => create(admin, partners, 'one'));
  await cp(dataDir, snapshot, { recursive: true });
  const cursor = await during(dataDir, async ({ admin }) => {
    for (const mark of ['lost', 'lost-2']) await create(admin, partners, mark);
    return cursorNow(admin);
  });
  await rm(dataDir, { recursive: true });
  await cp(snapshot, dataDir, { recursive: true });
  const { admin } = await signedIn({ DATA_DIR: dataDir });
  const fresh: number[] = [];
  for (const mark of ['new-1', 'new-2', 'new-3']) fresh.push(await create(admin, partners, mark));
  const pages = await readOn(admin, cursor);
  expect(pages[0]?.snapshot).toBe(true);
  expect(idsIn(pages)).toEqual([1, ...fresh]);
});

test('recognizes a snapshot made within an epoch, and goes on for a device that had not read beyond it', async () => {
  const [dataDir, snapshot] = [join(await freshFolder(), 'data'), join(await freshFolder(), 'snapshot')];
  const [within, beyond] = await during(dataDir, async ({ admin, app }) => {
    await create(admin, partners, 'one');
    await app.services.sizes.done();
    await cp(dataDir, snapshot, { recursive: true });
    const then = await cursorNow(admin);
    await create(admin, partners, 'lost');
    return [then, await cursorNow(admin)];
  });
  const { admin } = await signedIn({ DATA_DIR: snapshot });
  // the numbers of the lost changes are used again
  const fresh = [await create(admin, partners, 'new-1'), await create(admin, partners, 'new-2')];
  const [known, lost] = [await page(admin, within), await page(admin, beyond)];
  expect([known.snapshot, idsIn([known])]).toEqual([undefined, fresh]);
  expect([lost.snapshot, idsIn([lost])]).toEqual([true, [1, ...fresh]]);
});

test('keeps a cursor through any number of starts, and begins an epoch with each', async () => {
  const dataDir = join(await freshFolder(), 'data');
  const first = await during(dataDir, ({ admin }) => cursorNow(admin));
  const added = await during(dataDir, ({ admin }) => create(admin, partners, 'one'));
  const { admin, app } = await signedIn({ DATA_DIR: dataDir });
  const told = await page(admin, first);
  expect([told.snapshot, idsIn([told])]).toEqual([undefined, [added]]);
  const epochs = await app.services.db.selectFrom('epochs').select('name').execute();
  expect(new Set(epochs.map(({ name }) => name)).size).toBe(3);
});
