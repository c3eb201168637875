import { expect, test } from 'vitest';
import { adopt, retry } from '../../src/offline/outbox/entry-commands.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import { enqueue } from '../../src/offline/outbox/enqueue.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { Device } from './support/device.ts';
import { generatorDraft, photo } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

/** A create that was exported before it was tried: a stock back end may have it from another device. */

/** A partner whose texts equal those of any other. */
function partnerWith(mark: string) {
  const values = { name: 'Same', link: '' };
  return { op: 'create', resource: 'partners', values, files: [photo(mark, 'image')] } as const;
}

test('an exported create is a question when the server has lost its picture, and holds back nothing else', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(partnerWith('one'));
  await world.drain();
  await world.page.outbox.identities.clear();
  const { id } = await world.save(partnerWith('two'));
  await exportQueue(world.page, world.me.id);
  const other = await world.save(generatorDraft('independent'));
  world.device.wire = async (request, pass) =>
    request.url.includes('/uploads/') ? new Response('Not found', { status: 404 }) : pass(request);
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ id, reason: { code: 'several-candidates' } }]);
  expect((await world.done()).map((entry) => entry.id)).toContain(other.id);
});

test('a repair of an exported create follows the row that it adopts', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const draft = generatorDraft('carried');
  const { id } = await world.save(draft);
  const file = await exportQueue(world.page, world.me.id);
  const other = new Device(world.backend);
  const page = other.environment();
  await other.signIn(page);
  await importQueue(page, file);
  await drain(page);
  await world.elsewhere('/api/get-single-generator/1', { ...draft.values, origin: 'France' });
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ id, candidates: [1] }]);
  const mended = { ...draft, values: { ...draft.values, capacity: '200 kVA' } };
  await repair(world.page, id, mended, { administrator: world.me.id, title: 'Mended' });
  await world.drain();
  await adopt(world.page, id, 1);
  await world.linkReturns();
  expect(await world.waiting()).toEqual([]);
  expect(await world.ask('/api/get-single-generator/1')).toMatchObject({ capacity: '200 kVA', origin: 'France' });
});

test('an exported create is told apart by its picture from an older record with the same texts', async () => {
  const world = await OfflineWorld.begin('contract-only');
  const other = new Device(world.backend);
  const page = other.environment();
  const me = await other.signIn(page);
  await enqueue(page, partnerWith('one'), { administrator: me.id, title: 'T' });
  await drain(page);
  const { id } = await world.save(partnerWith('two'));
  await exportQueue(world.page, world.me.id);
  await world.drain();
  expect(await world.waiting()).toMatchObject([{ id, reason: { code: 'several-candidates' }, candidates: [1] }]);
  await retry(world.page, id);
  await world.drain();
  expect(await world.ask<unknown[]>('/api/get-partners')).toHaveLength(2);
});
