import { Dexie } from 'dexie';
import { expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { exportQueue, importQueue } from '../../src/offline/outbox/export.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { Device } from './support/device.ts';
import { generatorDraft } from './support/drafts.ts';
import { OfflineWorld } from './support/offline-world.ts';

/** A transaction whose connection is lost as it completes runs twice. */

/** Loses the connection to the outbox after the next transaction that leaves the entries like this. */
function breakAfter({ outbox }: Environment, when: (entries: readonly OutboxEntry[]) => boolean): void {
  const run = outbox.transaction.bind(outbox) as (...given: unknown[]) => PromiseLike<unknown>;
  const spy = vi.spyOn(outbox, 'transaction') as unknown as {
    mockImplementation(run: unknown): void;
    mockRestore(): void;
  };
  spy.mockImplementation((mode: string, tables: unknown[], work: unknown) =>
    run(mode, tables, work).then(async (result) => {
      if (mode !== 'rw' || !tables.includes(outbox.entries)) return result;
      const entries = (await run('r', [outbox.entries], () => outbox.entries.toArray())) as OutboxEntry[];
      if (!when(entries)) return result;
      spy.mockRestore();
      throw new Dexie.DatabaseClosedError('The connection was lost.');
    }),
  );
}

test('an import tells what it has added', async () => {
  const world = await OfflineWorld.begin('own');
  await world.save(generatorDraft('import'));
  const file = await exportQueue(world.page, world.me.id);
  const other = new Device(world.backend);
  const there = other.environment();
  await other.signIn(there);
  breakAfter(there, (entries) => entries.length > 0);
  expect(await importQueue(there, file)).toEqual({ added: 1, known: 0 });
  expect(await importQueue(there, file)).toEqual({ added: 0, known: 1 });
});

test('a confirmation brings the rest of a divided create once', async () => {
  const world = await OfflineWorld.begin('contract-only');
  await world.save(generatorDraft('divided', 23));
  breakAfter(world.page, (entries) => entries.some(({ state }) => state === 'done'));
  await world.drain();
  await world.linkReturns();
  await world.linkReturns();
  const record = await world.ask<{ images: unknown[] }>('/api/get-single-generator/1');
  expect(record.images).toHaveLength(23);
  expect(await world.waiting()).toEqual([]);
});
