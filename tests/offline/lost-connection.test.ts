import { Dexie } from 'dexie';
import { describe, expect, test, vi } from 'vitest';
import { drain } from '../../src/offline/drain.ts';
import type { Environment } from '../../src/offline/environment.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

/** The next write to the queue is completed, and then the connection breaks before that is known; `meanwhile` something happens. */
function breakAfterWrite({ outbox }: Environment, meanwhile: () => Promise<unknown> = async () => {}): void {
  const run = outbox.transaction.bind(outbox) as (...given: unknown[]) => PromiseLike<unknown>;
  const spy = vi.spyOn(outbox, 'transaction') as unknown as {
    mockImplementation(run: unknown): void;
    mockRestore(): void;
  };
  spy.mockImplementation((mode: string, tables: unknown[], work: unknown) =>
    run(mode, tables, work).then(async (result) => {
      if (mode !== 'rw' || !tables.includes(outbox.entries)) return result;
      spy.mockRestore();
      await meanwhile();
      throw new Dexie.DatabaseClosedError('The connection was lost.');
    }),
  );
}

/** The names of the files that the one waiting change brings. */
async function waitingFiles(world: OfflineWorld): Promise<string[]> {
  const entries = await world.waiting();
  return entries.flatMap(({ change }) => ('files' in change ? change.files.map(({ name }) => name) : []));
}

describe('a save whose connection breaks when it is completed', () => {
  test('is one change', async () => {
    const world = await OfflineWorld.begin();
    breakAfterWrite(world.page);
    const saved = await world.save(generatorDraft('once'));
    expect(await world.waiting()).toEqual([saved]);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('is one change in several parts', async () => {
    const world = await OfflineWorld.begin('contract-only');
    breakAfterWrite(world.page);
    await world.save(generatorDraft('parts', 44));
    expect(await waitingFiles(world)).toHaveLength(45);
  });

  test('brings its photos once into the change that takes it in', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('taken-in', 0));
    breakAfterWrite(world.page);
    const saved = await world.save(editOf(created, { origin: 'Spain' }, [photo('added')]));
    expect(await world.waiting()).toEqual([saved]);
    expect(saved).toMatchObject({ id: created.id, change: { values: { origin: 'Spain' } } });
    expect(await waitingFiles(world)).toEqual(['taken-in.pdf', 'added.gif']);
  });

  test('brings its photos once, also where another save was taken in meanwhile', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('two-taken-in', 0));
    breakAfterWrite(world.page, () => world.save(editOf(created, {}, [photo('other')])));
    await world.save(editOf(created, {}, [photo('added')]));
    expect(await waitingFiles(world)).toEqual(['two-taken-in.pdf', 'added.gif', 'other.gif']);
  });

  test.each([
    ['with a photo', [photo('added')]],
    ['without a file', []],
  ])('is not saved again where it was sent meanwhile: an edit %s', async (how, files) => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft(`sent-${files.length}`));
    breakAfterWrite(world.page, () => drain(world.device.environment()));
    const saved = await world.save(editOf(created, { origin: 'Spain' }, files));
    expect(saved, how).toMatchObject({ id: created.id, state: 'done' });
    expect(await world.waiting()).toEqual([]);
  });
});
