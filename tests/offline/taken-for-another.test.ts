import { describe, expect, test } from 'vitest';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { generatorDraft, hashOf } from './support/drafts.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

describe('a server of this repository mistaken for a stock back end', () => {
  const html = () => new Response('<p>Sign in</p>', { headers: { 'content-type': 'text/html' } });
  const asks = (request: Request, path: string) => new URL(request.url).pathname === path;

  test('is asked again for its capabilities, since a portal may have answered first', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('portal-first'));
    const pages = [html()];
    world.device.wire = async (request, pass) =>
      asks(request, '/api/capabilities') ? (pages.pop() ?? pass(request)) : pass(request);
    await world.drain();
    expect(await readMeta(world.page.outbox, 'capabilities')).toMatchObject({ told: { server: 'voltdesk' } });
    expect(await world.done()).toHaveLength(1);
  });

  test.each([401, 403, 408])(
    'is asked again for its capabilities when the first request was refused with %i',
    async (status) => {
      const world = await OfflineWorld.begin();
      await world.save(generatorDraft(`refused-${status}`));
      const refusals = [json(status, { message: 'No.' })()];
      world.device.wire = async (request, pass) =>
        asks(request, '/api/capabilities') ? (refusals.pop() ?? pass(request)) : pass(request);
      await world.drain();
      expect(await readMeta(world.page.outbox, 'capabilities')).toMatchObject({ told: { server: 'voltdesk' } });
      expect(await world.done()).toHaveLength(1);
    },
  );

  test('stays unknown when the session has ended', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('unknown'));
    world.device.wire = async () => json(401, { message: 'Unauthenticated.' })();
    await world.drain();
    expect(await readMeta(world.page.outbox, 'capabilities')).toBeUndefined();
    expect(await readMeta(world.page.outbox, 'pause')).toMatchObject({ cause: 'signed-out' });
  });

  test('gets the files left out of its first part, although it knows the key', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('divided', 24);
    await world.save(draft);
    await writeMeta(world.page.outbox, 'capabilities', { at: world.device.time, told: CONTRACT_ONLY });
    world.answersAreLost();
    await world.drain();
    await writeMeta(world.page.outbox, 'capabilities', undefined);
    await world.linkReturns(60_000);
    expect(await world.waiting()).toEqual([]);
    const [row] = await world.generators('divided');
    const { files } = await world.ask<{ files: { field: string; sha256: string }[] }>(
      `/api/get-single-generator/${row?.id}`,
    );
    const stored = files.filter(({ field }) => field === 'images').map(({ sha256 }) => sha256);
    expect(stored).toEqual(await Promise.all(draft.files.slice(1).map(hashOf)));
  });

  test('is not taken for a stock back end after an empty answer', async () => {
    const world = await OfflineWorld.begin();
    await world.save(generatorDraft('empty'));
    world.answersAreLost();
    await world.drain();
    world.device.wire = async (request, pass) =>
      asks(request, '/api/capabilities')
        ? new Response('', { headers: { 'content-type': 'application/json' } })
        : pass(request);
    world.device.pass(60_000);
    await world.drain();
    expect(await readMeta(world.page.outbox, 'capabilities')).toMatchObject({ told: { server: 'voltdesk' } });
    expect(await world.waiting()).toMatchObject([{ state: 'pending', delivery: ['attempt'] }]);
    await world.linkReturns();
    expect(await world.waiting()).toEqual([]);
    expect(await world.generators('empty')).toHaveLength(1);
  });

  test('is recognized when it answers that the change is in flight', async () => {
    const world = await OfflineWorld.begin();
    const at = world.device.time;
    await world.save(generatorDraft('in-flight'));
    await writeMeta(world.page.outbox, 'capabilities', { at, told: CONTRACT_ONLY });
    world.answerChanges(
      json(409, { message: 'The server is still working on it.', code: 'in-flight' }, { 'retry-after': '1' }),
    );
    await world.drain();
    expect(await readMeta(world.page.outbox, 'capabilities')).toBeUndefined();
    world.device.pass(2_000);
    await world.drain();
    expect(await readMeta(world.page.outbox, 'capabilities')).toMatchObject({ told: { server: 'voltdesk' } });
    expect(await world.done()).toHaveLength(1);
    expect(new Set(world.sent.map(({ key }) => key)).size).toBe(1);
  });
});
