import { beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { isLongInterrupted, isWorkOverdue } from '../../src/offline/sender/overdue.ts';
import { writeMeta } from '../../src/offline/storage/meta.ts';
import { creating, entryOf, fileOf, type MoreFacts, NOW } from '../domain/outbox/samples.ts';
import { inDoubt, KEYED, onItsWay, senderAtWork } from './support/at-work.ts';

const MINUTE = 60_000;
const PATIENCE = 2 * MINUTE;

let work: Awaited<ReturnType<typeof senderAtWork>>;

beforeEach(async () => {
  work = await senderAtWork(KEYED);
});

async function put(...entries: readonly OutboxEntry[]): Promise<void> {
  await work.environment.outbox.entries.bulkPut([...entries]);
}

describe('work is overdue', () => {
  test.each<[string, MoreFacts, number | undefined, boolean]>([
    ['once a change could have been sent for that long', { createdAt: NOW - PATIENCE }, undefined, true],
    ['but not a moment earlier', { createdAt: NOW - PATIENCE + 1 }, undefined, false],
    ['but not while something is sent now and then', { createdAt: NOW - 9 * PATIENCE }, NOW - PATIENCE + 1, false],
    ['once nothing is sent any more', { createdAt: NOW - 9 * PATIENCE }, NOW - PATIENCE, true],
    ['but not for a change that has to wait', { createdAt: NOW - PATIENCE, notBefore: NOW + 1 }, undefined, false],
    [
      'but not for a change that needs the administrator',
      { createdAt: NOW - PATIENCE, state: 'attention' },
      undefined,
      false,
    ],
    ['but not for another administrator’s change', { createdAt: NOW - PATIENCE, administrator: '2' }, undefined, false],
  ])('%s', async (_when, facts, lastAttempt, isOverdue) => {
    await put(entryOf(creating(), facts));
    await writeMeta(work.environment.outbox, 'lastAttempt', lastAttempt);
    expect(await isWorkOverdue(work.environment, PATIENCE)).toBe(isOverdue);
  });

  test('when a file could travel before its change, but not while the queue waits', async () => {
    const { environment } = work;
    await writeMeta(environment.outbox, 'capabilities', { at: NOW, told: { ...KEYED, staging: { fromBytes: 500 } } });
    await put(
      entryOf({ ...creating(), files: [fileOf('large')] } as OutboxEntry['change'], { createdAt: NOW - PATIENCE }),
    );
    expect(await isWorkOverdue(environment, PATIENCE)).toBe(true);
    await writeMeta(environment.outbox, 'pause', { cause: 'busy', since: NOW, until: NOW + 1, failures: 1 });
    expect(await isWorkOverdue(environment, PATIENCE)).toBe(false);
  });

  test('but never without waiting changes', async () => {
    expect(await isWorkOverdue(work.environment, 0)).toBe(false);
  });
});

describe('a change that takes longer than a worker lives counts as interrupted', () => {
  /** At 16 bytes a millisecond plus half a minute this takes exactly as long as a worker lives. */
  const AS_LONG = 16 * 3.5 * MINUTE;
  const heavy = (size: number) =>
    ({
      ...creating(),
      files: [fileOf('one', 'images', size / 2), fileOf('two', 'images', size / 2)],
    }) as OutboxEntry['change'];

  test.each<[string, number, (change: OutboxEntry['change'], more: MoreFacts) => OutboxEntry, MoreFacts, boolean]>([
    ['when its attempt got no answer', AS_LONG + 2, inDoubt, {}, true],
    ['but not when a worker has time for it', AS_LONG, inDoubt, {}, false],
    ['but not before it was tried', AS_LONG + 2, entryOf, {}, false],
    ['when it has been sending for that long', AS_LONG + 2, onItsWay, { lastAttemptAt: NOW - PATIENCE }, true],
    ['but not a moment earlier', AS_LONG + 2, onItsWay, { lastAttemptAt: NOW - PATIENCE + 1 }, false],
    [
      'but not while it waits after an answer',
      AS_LONG + 2,
      entryOf,
      { lastAttemptAt: NOW - PATIENCE, attempts: 1 },
      false,
    ],
    ['but not when it needs the administrator', AS_LONG + 2, inDoubt, { state: 'attention' }, false],
    ['but not when it is another administrator’s', AS_LONG + 2, inDoubt, { administrator: '2' }, false],
    ['but not when only a newer version can read it', AS_LONG + 2, inDoubt, { schema: ENTRY_SCHEMA + 1 }, false],
  ])('%s', async (_where, size, make, facts, isInterrupted) => {
    await put(make(heavy(size), facts));
    expect(await isLongInterrupted(work.environment, PATIENCE)).toBe(isInterrupted);
  });

  test('among others, but never when files travel in pieces', async () => {
    await put(entryOf(creating()), inDoubt(heavy(AS_LONG + 2)), inDoubt(creating('local-3')));
    const { outbox } = work.environment;
    await writeMeta(outbox, 'capabilities', { at: NOW, told: KEYED });
    expect(await isLongInterrupted(work.environment, PATIENCE)).toBe(true);
    await writeMeta(outbox, 'capabilities', { at: NOW, told: { ...KEYED, staging: { fromBytes: 1 } } });
    expect(await isLongInterrupted(work.environment, PATIENCE)).toBe(false);
  });
});
