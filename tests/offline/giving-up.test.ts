import { describe, expect, test } from 'vitest';
import { discard, discardedWith } from '../../src/offline/outbox/entry-commands.ts';
import { editOf, generatorDraft, generatorValues } from './support/drafts.ts';
import { cut, OfflineWorld } from './support/offline-world.ts';

describe('discarding', () => {
  test('a create also discards later changes of its record', async () => {
    const world = await OfflineWorld.begin();
    const draft = generatorDraft('give-up');
    const created = await world.save({ ...draft, values: { ...draft.values, capacity: '' } });
    await world.drain();
    const edit = await world.save(editOf(created, { origin: 'Spain' }));
    expect((await discardedWith(world.page, created.id)).map(({ id }) => id)).toEqual([edit.id]);
    await discard(world.page, created.id);
    expect(await world.waiting()).toEqual([]);
    expect(await world.page.outbox.files.count()).toBe(0);
  });

  test('a create leaves an edit from an open form waiting as gone, without asking the server', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('given-up-open'));
    await discard(world.page, created.id);
    await world.save(editOf(created, { origin: 'Spain' }));
    const asked: string[] = [];
    world.device.wire = async (request, pass) => {
      asked.push(new URL(request.url).pathname);
      return pass(request);
    };
    await world.drain();
    expect(await world.waiting()).toMatchObject([{ state: 'attention', reason: { code: 'gone' } }]);
    expect(asked.filter((path) => path.includes('local-'))).toEqual([]);
  });

  test('an edit reverts the fields that a later edit did not touch', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('back'));
    await world.drain();
    const shown = generatorValues('back');
    const recordId = String((await world.done())[0]?.receipt?.serverId);
    const base = { values: shown, imageIds: [] };
    const refused = { ...shown, capacity: '' };
    const draft = { op: 'update', resource: 'generators', recordId, files: [] } as const;
    const first = await world.save({ ...draft, values: refused, base });
    await world.drain();
    await world.save({ ...draft, values: { ...refused, origin: 'Spain' }, base: { ...base, values: refused } });
    await discard(world.page, first.id);
    await world.drain();
    expect(await world.waiting()).toEqual([]);
    expect(await world.ask(`/api/get-single-generator/${recordId}`)).toMatchObject({
      capacity: '100 kVA',
      origin: 'Spain',
    });
    expect(created.title).toBe('Title');
  });

  test('an edit leaves a later one of a newer version of the app unchanged', async () => {
    const world = await OfflineWorld.begin();
    const draft = { op: 'update', resource: 'generators', recordId: '7', files: [] } as const;
    const base = { values: generatorValues('older'), imageIds: [] };
    const first = await world.save({ ...draft, values: { ...base.values, origin: 'Spain' }, base });
    const { delivery: _, ...facts } = first;
    const newer = { ...facts, id: 'newer', idempotencyKey: 'newer', sequence: first.sequence + 1, schema: 99 };
    await world.page.outbox.entries.put(newer as never);
    await discard(world.page, first.id);
    expect(await world.waiting()).toEqual([newer]);
  });

  test('a change that is being sent does not bring it back', async () => {
    const world = await OfflineWorld.begin();
    const { id } = await world.save(generatorDraft('on-its-way'));
    world.onChanges(async () => {
      await discard(world.page, id);
      return cut();
    });
    await world.drain();
    expect(await world.waiting()).toEqual([]);
  });
});
