// a live query uses the global IndexedDB
import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { IDBDatabase } from 'fake-indexeddb';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { filesOf } from '../../src/domain/outbox/vocabulary.ts';
import { drain } from '../../src/offline/sender/drain.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { watch } from '../../src/offline/storage/outbox-database.ts';
import {
  confirmedChanges,
  identities,
  pendingEntries,
  queueState,
  receipts,
} from '../../src/offline/outbox/queries.ts';
import {
  decidedSession,
  forgetSession,
  rememberedSession,
  rememberSession,
} from '../../src/offline/storage/session.ts';
import { editOf, generatorDraft, photo } from './support/drafts.ts';
import { discard } from '../../src/offline/outbox/entry-commands.ts';
import { repair } from '../../src/offline/outbox/repair.ts';
import { json, OfflineWorld } from './support/offline-world.ts';

/** Real transactions, and the spy that stands in for them. */
function spyOnTransactions(outbox: Environment['outbox']) {
  const run = outbox.transaction.bind(outbox) as (...given: unknown[]) => PromiseLike<unknown>;
  const spy = vi.spyOn(outbox, 'transaction') as unknown as {
    mockImplementation(run: unknown): void;
    mockRestore(): void;
  };
  return { run, spy };
}

/** The next write to the queue completes, and the connection breaks before that is known; `meanwhile` runs in between. */
function breakAfterWrite({ outbox }: Environment, meanwhile: () => Promise<unknown> = async () => {}): void {
  const { run, spy } = spyOnTransactions(outbox);
  spy.mockImplementation((mode: string, tables: unknown[], work: unknown) =>
    run(mode, tables, work).then(async (result) => {
      if (mode !== 'rw' || !tables.includes(outbox.entries)) return result;
      spy.mockRestore();
      await meanwhile();
      throw new Dexie.DatabaseClosedError('The connection was lost.');
    }),
  );
}

/** The next write to the queue is rolled back at its very end because the connection breaks. */
function breakBeforeCompletion({ outbox }: Environment): void {
  const { run, spy } = spyOnTransactions(outbox);
  spy.mockImplementation((mode: string, tables: unknown[], work: () => Promise<unknown>) => {
    if (mode !== 'rw' || !tables.includes(outbox.entries)) return run(mode, tables, work);
    spy.mockRestore();
    return run(mode, tables, async () => {
      await work();
      throw new Dexie.DatabaseClosedError('The connection was lost.');
    });
  });
}

/** The names of the files of all waiting changes. */
async function waitingFiles(world: OfflineWorld): Promise<string[]> {
  const entries = await world.waiting();
  return entries.flatMap(({ change }) => ('files' in change ? change.files.map(({ name }) => name) : []));
}

describe('a save whose connection breaks on completion', () => {
  test('is stored as one change', async () => {
    const world = await OfflineWorld.begin();
    breakAfterWrite(world.page);
    const saved = await world.save(generatorDraft('once'));
    expect(await world.waiting()).toEqual([saved]);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('is stored as one change with many files', async () => {
    const world = await OfflineWorld.begin('contract-only');
    breakAfterWrite(world.page);
    await world.save(generatorDraft('parts', 44));
    expect(await waitingFiles(world)).toHaveLength(45);
  });

  test('adds its photos once to the change that it merges into', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('taken-in', 0));
    breakAfterWrite(world.page);
    const saved = await world.save(editOf(created, { origin: 'Spain' }, [photo('added')]));
    expect(await world.waiting()).toEqual([saved]);
    expect(saved).toMatchObject({ id: created.id, change: { values: { origin: 'Spain' } } });
    expect(await waitingFiles(world)).toEqual(['taken-in.pdf', 'added.gif']);
  });

  test('adds its photos once, even if another save was merged meanwhile', async () => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft('two-taken-in', 0));
    breakAfterWrite(world.page, () => world.save(editOf(created, {}, [photo('other')])));
    await world.save(editOf(created, {}, [photo('added')]));
    expect(await waitingFiles(world)).toEqual(['two-taken-in.pdf', 'added.gif', 'other.gif']);
  });

  test('is stored by its second run when the first one was rolled back', async () => {
    const world = await OfflineWorld.begin();
    breakBeforeCompletion(world.page);
    const saved = await world.save(generatorDraft('rolled-back-save'));
    expect(await world.waiting()).toEqual([saved]);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test.each([
    ['with a photo', [photo('added')]],
    ['without a file', []],
  ])('is not repeated when it was sent meanwhile: an edit %s', async (how, files) => {
    const world = await OfflineWorld.begin();
    const created = await world.save(generatorDraft(`sent-${files.length}`));
    breakAfterWrite(world.page, () => drain(world.device.environment()));
    const saved = await world.save(editOf(created, { origin: 'Spain' }, files));
    expect(saved, how).toMatchObject({ id: created.id, state: 'done' });
    expect(await world.waiting()).toEqual([]);
  });
});

describe('a repair whose connection breaks on completion', () => {
  const refusal = json(422, { message: 'Invalid.', errors: { origin: ['Wrong.'] } });

  async function refused(world: OfflineWorld, mark: string) {
    const draft = generatorDraft(mark);
    const entry = await world.save(draft);
    world.answerChanges(refusal);
    await world.drain();
    world.goodLink();
    return { entry, draft, about: { administrator: world.me.id, title: 'Title' } };
  }

  test('is stored and succeeds', async () => {
    const world = await OfflineWorld.begin();
    const { entry, draft, about } = await refused(world, 'repaired-once');
    breakAfterWrite(world.page);
    const repaired = await repair(world.page, entry.id, draft, about);
    expect(repaired).toMatchObject({ id: entry.id, state: 'pending' });
    expect(await waitingFiles(world)).toEqual(['repaired-once.pdf', 'repaired-once-0.gif']);
    expect(await world.page.outbox.files.count()).toBe(2);
  });

  test('is stored by its second run when the first one was rolled back', async () => {
    const world = await OfflineWorld.begin();
    const { entry, draft, about } = await refused(world, 'rolled-back');
    breakBeforeCompletion(world.page);
    const values = { ...draft.values, origin: 'Spain' };
    const repaired = await repair(world.page, entry.id, { ...draft, values }, about);
    expect(await world.waiting()).toEqual([repaired]);
    expect(repaired).toMatchObject({ id: entry.id, state: 'pending', change: { values: { origin: 'Spain' } } });
    expect(await world.page.outbox.files.toCollection().primaryKeys()).toEqual(
      expect.arrayContaining(filesOf(repaired).map(({ id }) => id)),
    );
    expect(await world.page.outbox.files.count()).toBe(2);
    await world.drain();
    expect(await world.generators('rolled-back')).toHaveLength(1);
  });

  test('returns the current change when it was sent meanwhile', async () => {
    const world = await OfflineWorld.begin();
    const { entry, draft, about } = await refused(world, 'repaired-and-sent');
    breakAfterWrite(world.page, () => drain(world.device.environment()));
    expect(await repair(world.page, entry.id, draft, about)).toMatchObject({ id: entry.id, state: 'done' });
  });

  test('fails when someone discarded the change before', async () => {
    const world = await OfflineWorld.begin();
    const { entry, draft, about } = await refused(world, 'repaired-too-late');
    await discard(world.page, entry.id);
    await expect(repair(world.page, entry.id, draft, about)).rejects.toThrow('no longer refused');
  });
});

const lost = new WeakSet<object>();
const begin = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function transaction(...given) {
  if (!lost.has(this)) return begin.apply(this, given);
  throw new DOMException('Connection to Indexed Database server lost. Refresh the page to try again', 'UnknownError');
};
afterAll(() => {
  IDBDatabase.prototype.transaction = begin;
});

/** The browser loses the connection silently until it is used, as Safari does. A new one works. */
async function loseConnection({ outbox }: Environment): Promise<void> {
  lost.add((await outbox.open()).backendDB());
}

describe('after the connection to the storage was lost', () => {
  test.each<[string, (page: Environment) => Promise<unknown>]>([
    ['waiting changes', pendingEntries],
    ['the receipts', receipts],
    ['confirmed changes', confirmedChanges],
    ['the queue state', queueState],
    ['the server ids', identities],
    ['the session', rememberedSession],
  ])('reads %s', async (_what, query) => {
    const world = await OfflineWorld.begin('contract-only');
    await world.save(generatorDraft('sent'));
    await world.drain();
    await world.save(generatorDraft('waiting'));
    const before = await query(world.page);
    await loseConnection(world.page);
    expect(await query(world.page)).toEqual(before);
  });

  test('signs in and out', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const session = { administrator: '9', name: 'Omar', token: 't', rememberAcrossRestarts: true };
    await loseConnection(world.page);
    await rememberSession(session, world.page);
    expect(await rememberedSession(world.page)).toEqual(session);
    await loseConnection(world.page);
    await forgetSession(world.page);
    expect(await rememberedSession(world.page)).toBeUndefined();
  });

  test('answers all simultaneous queries', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const saved = await world.save(generatorDraft('together'));
    await loseConnection(world.page);
    const queries = [pendingEntries, queueState, receipts, identities, pendingEntries];
    const [first, , , , last] = await Promise.all(queries.map((query) => query(world.page)));
    expect([first, last]).toEqual([[saved], [saved]]);
  });

  test.each([
    ['started before', false],
    ['started afterwards', true],
  ])('a live query %s keeps reporting changes', async (_when, isLost) => {
    const world = await OfflineWorld.begin('contract-only');
    if (isLost) await loseConnection(world.page);
    const seen: number[] = [];
    const failed = vi.fn();
    const stop = watch(
      () => pendingEntries(world.page),
      (entries) => seen.push(entries.length),
      failed,
    );
    await expect.poll(() => seen).toEqual([0]);
    if (!isLost) await loseConnection(world.page);
    await world.save(generatorDraft('seen'));
    await expect.poll(() => seen).toEqual([0, 1]);
    const elsewhere = world.device.environment();
    await loseConnection(world.page);
    await drain(elsewhere);
    await expect.poll(() => seen.at(-1)).toBe(0);
    stop();
    expect(failed).not.toHaveBeenCalled();
  });
});

describe('a connection that the browser has dropped', () => {
  /** The next transaction fails before it starts. */
  const failOnce = ({ outbox }: Environment, name: string) =>
    vi
      .spyOn(outbox, 'transaction')
      .mockImplementationOnce(() => Dexie.Promise.reject(Object.assign(new Error('It was lost.'), { name })) as never);

  test.each(['DatabaseClosedError', 'InvalidStateError', 'UnknownError'])(
    'is opened again, and the save succeeds: %s',
    async (name) => {
      const world = await OfflineWorld.begin('contract-only');
      failOnce(world.page, name);
      const saved = await world.save(generatorDraft(name));
      expect(await world.waiting()).toEqual([saved]);
    },
  );

  test('keeps the last administrator when a log-out fails, and names them after the next one', async () => {
    const world = await OfflineWorld.begin('contract-only');
    failOnce(world.page, 'ConstraintError');
    await expect(forgetSession(world.page)).rejects.toThrow('It was lost.');
    expect(await rememberedSession(world.page)).toMatchObject({ administrator: world.me.id });
    await forgetSession(world.page);
    expect(await decidedSession(world.page)).toEqual({ lastAdministrator: world.me.id });
  });

  test('is told apart from a database error, which is reported at once', async () => {
    const world = await OfflineWorld.begin('contract-only');
    const close = vi.spyOn(world.page.outbox, 'close');
    failOnce(world.page, 'ConstraintError');
    await expect(world.save(generatorDraft('fault'))).rejects.toThrow('It was lost.');
    expect(close).not.toHaveBeenCalled();
  });
});
