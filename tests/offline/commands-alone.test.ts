import { beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import {
  adopt,
  discard,
  discardedWith,
  linkReturned,
  resolve,
  retry,
  sendNow,
  serverAnswered,
  serverIdOf,
  stored,
  undo,
  waitingFor,
  withdraw,
} from '../../src/offline/outbox/entry-commands.ts';
import type { Environment } from '../../src/offline/storage/environment.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
import { readUpload, writeUpload } from '../../src/offline/storage/uploads.ts';
import {
  creating,
  deleting,
  editing,
  entryOf,
  fileOf,
  type MoreFacts,
  NOW,
  partner,
} from '../domain/outbox/samples.ts';
import { inDoubt, onItsWay, senderAtWork } from './support/at-work.ts';

let page: Environment;

beforeEach(async () => {
  ({ environment: page } = await senderAtWork(CONTRACT_ONLY));
});

async function put<E extends readonly OutboxEntry[]>(...entries: E): Promise<E> {
  await page.outbox.entries.bulkPut([...entries]);
  return entries;
}

const now = ({ sequence }: OutboxEntry) => page.outbox.entries.get(sequence);
const edit = (from: string, to: string, recordId = '5') => editing(recordId, partner(from), partner(to));
const refused: MoreFacts = { state: 'attention', attempts: 1, reason: { code: 'refused', message: 'No.' } };
const cutOff: MoreFacts = { attempts: 1, notBefore: NOW + 9_000, reason: { code: 'no-answer', message: '' } };
const newer: MoreFacts = { schema: ENTRY_SCHEMA + 1 };
const withFile = { ...creating('local-f'), files: [fileOf('one', 'image')] } as OutboxEntry['change'];

describe('discarding a change', () => {
  test('also discards later changes of the record that it creates, and nothing else', async () => {
    const [create, later, other, early] = await put(
      entryOf(creating()),
      entryOf(edit('A', 'B', 'local-1')),
      entryOf(edit('A', 'B')),
      entryOf(edit('A', 'B', 'local-1'), { sequence: 0.5 }),
    );
    expect((await discardedWith(page, create.id)).map(({ id }) => id)).toEqual([later.id]);
    await discard(page, create.id);
    expect([await now(create), await now(later)]).toEqual([undefined, undefined]);
    expect([await now(other), await now(early)]).toEqual([other, early]);
  });

  test.each<[string, (change: OutboxEntry['change']) => OutboxEntry, string, boolean]>([
    ['waits is rebased under a new key', (change) => entryOf(change), 'A', true],
    ['was exported is rebased under its own key', (change) => entryOf(change, { delivery: ['export'] }), 'A', false],
    ['may be delivered stays as it was sent', inDoubt, 'B', false],
    ['is being sent stays as it is sent', onItsWay, 'B', false],
  ])('affects a later change: one that %s', async (_what, make, base, isRenewed) => {
    const [gone, later] = await put(entryOf(edit('A', 'B')), make(edit('B', 'C')));
    await discard(page, gone.id);
    const left = await now(later);
    expect(left).toMatchObject({ change: { values: { name: 'C' }, base: { values: { name: base } } } });
    expect(left?.idempotencyKey !== later.idempotencyKey).toBe(isRenewed);
    expect(left?.discarded?.length).toBe(base === 'B' ? 1 : undefined);
  });

  test('leaves changes of a newer version, other records and earlier changes alone', async () => {
    const kept = [
      entryOf(edit('0', 'A')),
      entryOf(edit('B', 'C'), { ...newer, sequence: 5_000 }),
      entryOf(edit('B', 'C', '6'), { sequence: 5_001 }),
    ];
    const gone = entryOf(edit('A', 'B'));
    await put(...kept, gone);
    await discard(page, gone.id);
    expect(await page.outbox.entries.toArray()).toEqual(kept);
    await discard(page, 'unknown');
    expect(await discardedWith(page, 'unknown')).toEqual([]);
  });

  test('removes a refused change that is taken back only when it cannot be delivered', async () => {
    const [no, maybe, waits] = await put(
      entryOf(edit('A', 'B', '7'), refused),
      entryOf(edit('A', 'B', '8'), { ...refused, delivery: ['attempt'] }),
      entryOf(edit('A', 'B', '9')),
    );
    for (const entry of [no, maybe, waits]) await withdraw(page, entry);
    expect((await page.outbox.entries.toArray()).map(({ id }) => id)).toEqual([maybe.id, waits.id]);
  });
});

test.each<[string, OutboxEntry, boolean]>([
  ['waits', entryOf(deleting('5')), true],
  [
    'of an image waits',
    entryOf({ op: 'delete-image', resource: 'generators', recordId: '5', imageId: 1, image: '' }),
    true,
  ],
  ['was exported', entryOf(deleting('5'), { delivery: ['export'] }), true],
  ['was tried', entryOf(deleting('5'), { attempts: 1 }), false],
  ['may be delivered', entryOf(deleting('5'), { delivery: ['attempt'] }), false],
  ['was refused', entryOf(deleting('5'), refused), true],
  ['was refused but may be delivered', entryOf(deleting('5'), { ...refused, delivery: ['attempt'] }), false],
  ['was refused and dropped earlier changes', entryOf(deleting('5'), { ...refused, tookAlong: 1 }), false],
  ['is being sent', entryOf(deleting('5'), { state: 'sending' }), false],
  ['is done', entryOf(deleting('5'), { state: 'done', receipt: { at: NOW, message: '' } }), false],
  ['is really an edit', entryOf(edit('A', 'B')), false],
])('a deletion that %s can be undone: %s', async (_how, entry, isUndone) => {
  await put(entry);
  expect(await undo(page, entry.id)).toBe(isUndone);
  expect(await now(entry)).toEqual(isUndone ? undefined : entry);
  if (isUndone) expect(await undo(page, entry.id)).toBe(true);
});

describe('retrying', () => {
  test.each<[string, MoreFacts, boolean]>([
    ['was refused', refused, true],
    ['waits after an attempt', cutOff, true],
    ['could not be compared', { notBefore: NOW + 9, reason: { code: 'server-error', message: '' } }, true],
    ['may be delivered', { delivery: ['attempt'], notBefore: NOW + 9 }, true],
    ['can still be undone', { notBefore: NOW + 9 }, false],
    ['is in conflict', { ...refused, conflict: { theirs: { values: {}, imageIds: [] }, foundAt: NOW } }, false],
    ['is being sent', { state: 'sending' }, false],
  ])('sends a change that %s: %s', async (_how, facts, isTried) => {
    const pause = { cause: 'busy', since: NOW - 5, until: NOW + 5, failures: 2 } as const;
    await writeMeta(page.outbox, 'pause', pause);
    const [entry] = await put(entryOf(edit('A', 'B'), facts));
    await retry(page, entry.id);
    const after = await now(entry);
    if (isTried) {
      expect(after).toMatchObject({ state: 'pending', idempotencyKey: entry.idempotencyKey });
      expect(after?.notBefore ?? 0).toBeLessThanOrEqual(NOW);
    } else expect(after).toEqual(entry);
    expect(await readMeta(page.outbox, 'pause')).toEqual(isTried ? { ...pause, until: NOW - 5 } : pause);
  });

  test('keeps a pause for a sign-in', async () => {
    const pause = { cause: 'signed-out', since: NOW, failures: 1 } as const;
    await writeMeta(page.outbox, 'pause', pause);
    const [entry] = await put(entryOf(edit('A', 'B'), refused));
    await retry(page, entry.id);
    await sendNow(page);
    await linkReturned(page);
    expect(await readMeta(page.outbox, 'pause')).toEqual(pause);
  });
});

describe('waits', () => {
  const file = { sha256: 'a', size: 9 };
  const upload = { ...file, offset: 3, failures: 1, restarts: 0, triedAt: 1, notBefore: NOW + 9 };
  /** The names of all that still waits after this command and this pause. */
  async function left(command: (environment: Environment) => Promise<unknown>, cause: 'busy' | 'unreachable') {
    await writeMeta(page.outbox, 'pause', { cause, since: NOW - 5, until: NOW + 5, failures: 2 });
    await writeUpload(page.outbox, '1', upload);
    const entries = {
      small: entryOf(edit('A', 'B'), cutOff),
      large: entryOf(withFile, cutOff),
      busy: entryOf(withFile, { ...cutOff, reason: { code: 'busy', message: '' } }),
      undo: entryOf(deleting('5'), { notBefore: NOW + 6_000 }),
      newer: entryOf(withFile, { ...cutOff, ...newer }),
      refused: entryOf(withFile, refused),
    };
    await put(...Object.values(entries));
    await command(page);
    const waits: string[] = [];
    for (const [name, entry] of Object.entries(entries)) {
      if (JSON.stringify(await now(entry)) === JSON.stringify(entry)) waits.push(name);
    }
    const isFileWaiting = (await readUpload(page.outbox, '1', file)).notBefore !== 0;
    return [...waits, ...(isFileWaiting ? ['file'] : []), (await readMeta(page.outbox, 'pause'))?.until === NOW + 5];
  }

  test.each([
    ['“Send now”', 'busy', sendNow, ['undo', 'newer', 'refused', false]],
    ['“Send now”', 'unreachable', sendNow, ['undo', 'newer', 'refused', false]],
    ['the returning link', 'unreachable', linkReturned, ['small', 'busy', 'undo', 'newer', 'refused', false]],
    ['the returning link', 'busy', linkReturned, ['small', 'busy', 'undo', 'newer', 'refused', true]],
    ['an answer', 'unreachable', serverAnswered, ['small', 'large', 'busy', 'undo', 'newer', 'refused', 'file', false]],
    ['an answer', 'busy', serverAnswered, ['small', 'large', 'busy', 'undo', 'newer', 'refused', 'file', true]],
  ] as const)('that remain after %s while the queue waits (%s)', async (_what, cause, command, expected) => {
    expect(await left(command, cause)).toEqual(expected);
  });
});

describe('a decision', () => {
  const theirs = { version: '9', values: partner('T'), imageIds: [] };
  const conflict: MoreFacts = { ...refused, conflict: { theirs, foundAt: NOW } };

  test('on a conflict is based on the server’s record, under a new key unless a copy was exported', async () => {
    const [one, copied] = await put(
      entryOf(edit('A', 'B'), conflict),
      entryOf(edit('A', 'B', '6'), { ...conflict, delivery: ['export'] }),
    );
    for (const { id } of [one, copied]) await resolve(page, id, partner('M'));
    const decided = { state: 'pending', change: { values: { name: 'M' }, base: theirs } };
    expect([await now(one), await now(copied)]).toMatchObject([
      decided,
      { ...decided, idempotencyKey: copied.idempotencyKey },
    ]);
    expect((await now(one))?.idempotencyKey).not.toBe(one.idempotencyKey);
    expect(await now(one)).not.toHaveProperty('conflict');
  });

  test('on a deletion sends it anyway, and without a conflict does nothing', async () => {
    const [deletion, waits] = await put(
      entryOf({ ...deleting('5'), base: { ...theirs, version: '1' } } as OutboxEntry['change'], conflict),
      entryOf(edit('A', 'B', '6')),
    );
    for (const { id } of [deletion, waits]) await resolve(page, id, partner('M'));
    expect(await now(deletion)).toMatchObject({ state: 'pending', change: { op: 'delete', base: theirs } });
    expect((await now(deletion))?.change).not.toHaveProperty('values');
    expect(await now(waits)).toEqual(waits);
  });

  test('on candidate rows applies only to a create that needs the administrator', async () => {
    const [asked, waits, change] = await put(
      entryOf(creating(), refused),
      entryOf(creating('local-2')),
      entryOf(edit('A', 'B'), refused),
    );
    for (const { id } of [asked, waits, change]) await adopt(page, id, 9);
    expect(await now(asked)).toMatchObject({
      state: 'done',
      receipt: { at: NOW, serverId: 9, message: 'It had already arrived.' },
    });
    expect([await now(waits), await now(change)]).toEqual([waits, change]);
    expect(await serverIdOf(page, 'partners', 'local-1')).toBe(9);
    expect(await serverIdOf(page, 'partners', 'local-2')).toBeUndefined();
    expect([await stored(page, asked.id), await stored(page, 'unknown')]).toEqual([undefined, undefined]);
    expect(await stored(page, waits.id)).toEqual(waits);
    expect([await waitingFor(page, '1'), await waitingFor(page, '2')]).toEqual([2, 0]);
  });
});
