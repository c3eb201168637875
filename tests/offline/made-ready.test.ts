import { describe, expect, test, vi } from 'vitest';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import type { AnyResourceName } from '../../src/domain/resource.ts';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { openAttempt, prepareAhead, runAttempt } from '../../src/offline/sender/attempt.ts';
import { prepareKeyed } from '../../src/offline/sender/keyed.ts';
import { preparePlain } from '../../src/offline/sender/plain.ts';
import type { Sender } from '../../src/offline/sender/sender.ts';
import { sha256 } from '../../src/offline/storage/files.ts';
import { readMeta, writeMeta } from '../../src/offline/storage/meta.ts';
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
import { type Answers, inDoubt, KEYED, senderAtWork } from './support/at-work.ts';
import { cut, json, page } from './support/offline-world.ts';

const RECORD = 'GET /api/get-single-partner/5';
const ROWS = 'GET /api/get-partners';
const KEY = 'GET /api/changes/k';
const key = { idempotencyKey: 'k' };
const edit = (version?: string) => editing('5', partner('A'), partner('B'), version);
const withFile = (change: Change) => ({ ...change, files: [fileOf('one', 'image')] }) as Change;
const record = (name: string, link = 'https://example.com') => ({
  [RECORD]: json(200, { id: 5, name, link, version: '2' }),
});

async function keyed(entry: OutboxEntry, answers: Answers = {}, server = KEYED) {
  const { sender, asked } = await senderAtWork(server, answers);
  return { decision: await prepareKeyed(sender, entry), asked };
}

async function plain(
  entry: OutboxEntry,
  answers: Answers = {},
  others: readonly OutboxEntry[] = [],
  madeAs?: AnyResourceName,
) {
  const { sender, asked, environment } = await senderAtWork(CONTRACT_ONLY, answers);
  await environment.outbox.entries.bulkPut([...others, entry]);
  // another create of this device has claimed the row
  if (madeAs) await environment.outbox.identities.put({ resource: madeAs, localId: 'local-8', serverId: 4 });
  return { decision: await preparePlain(sender, entry), asked, environment };
}

describe('a change for this repository’s server', () => {
  test.each<[string, OutboxEntry]>([
    ['with its base version', entryOf(edit('1'))],
    ['that creates a record', entryOf(creating())],
    ['with unknown delivery that is as small as a lookup', inDoubt(edit('1'))],
    ['that was exported', inDoubt(withFile(edit('1')), { delivery: ['attempt', 'export'] })],
    ['that was repaired', inDoubt(withFile(edit('1')), { delivery: ['attempt', 'repair'] })],
  ])('%s is sent unchanged, without a lookup', async (_what, entry) => {
    expect(await keyed(entry)).toEqual({ decision: { do: 'send', ready: entry }, asked: [] });
  });

  test('is sent when its server has no lookup by key', async () => {
    const entry = inDoubt(withFile(edit('1')), key);
    expect(await keyed(entry, {}, { ...KEYED, changesByKey: false })).toEqual({
      decision: { do: 'send', ready: entry },
      asked: [],
    });
  });

  test.each<[string, () => Response, unknown]>([
    ['was not executed', json(404, {}), { do: 'send' }],
    ['was refused at the time', json(422, { message: 'No.' }), { do: 'send' }],
    ['was executed', json(200, { message: 'Saved.' }), { do: 'finish', receipt: { at: NOW, message: 'Saved.' } }],
    ['is being executed', json(409, { code: 'in-flight' }), { do: 'settle', outcome: { scope: 'entry' } }],
    ['got a server error', json(500, { message: 'Broken.' }), { do: 'postpone', outcome: { status: 500 } }],
    ['has to be looked up later', json(429, {}), { do: 'postpone', outcome: { kind: 'busy', scope: 'queue' } }],
    ['got a portal’s page', page(404), { do: 'postpone', outcome: { kind: 'unreachable' } }],
    ['got no answer', cut, { do: 'postpone', outcome: { kind: 'uncertain' } }],
  ])('with files and unknown delivery is looked up: it %s', async (_what, answer, expected) => {
    const { decision, asked } = await keyed(inDoubt(withFile(edit('1')), key), { [KEY]: answer });
    expect([decision, asked]).toMatchObject([expected, [KEY]]);
  });

  test('that creates a record is done only when the answer names its id', async () => {
    const entry = inDoubt(withFile(creating()), key);
    expect((await keyed(entry, { [KEY]: json(200, {}) })).decision).toMatchObject({ do: 'send' });
    const told = await keyed(entry, { [KEY]: json(200, { id: 9 }) });
    expect(told.decision).toMatchObject({ do: 'finish', receipt: { serverId: 9 } });
  });

  test('that may have been sent in part is sent whole', async () => {
    const files = Array.from({ length: 23 }, (_, place) => fileOf(`f${place}`));
    const generator = { resource: 'generators', values: {}, files } as const;
    const done = { [KEY]: json(200, { id: 9 }) };
    const edited: Change = {
      op: 'update',
      ...generator,
      recordId: '5',
      base: { version: '1', values: {}, imageIds: [] },
    };
    expect((await keyed(inDoubt(edited, key), done)).decision).toMatchObject({ do: 'send' });
    const made: Change = { op: 'create', ...generator, recordId: 'local-1' };
    expect((await keyed(inDoubt(made, { ...key, baselineIds: [] }), done)).decision).toMatchObject({ do: 'send' });
    expect((await keyed(inDoubt(made, key), done)).decision).toMatchObject({ do: 'finish' });
  });

  test('without a base is a conflict', async () => {
    const { decision, asked } = await keyed(entryOf(deleting('5')), record('A'));
    expect(decision).toMatchObject({ do: 'report', event: { event: 'conflict' } });
    expect(asked).toEqual([RECORD]);
  });

  test('without a base version is rebased on the server’s record, under a new key', async () => {
    const { decision, asked } = await keyed(entryOf(edit(), key), record('A', 'https://example.org'));
    expect(decision).toMatchObject({
      do: 'send',
      ready: {
        merged: ['link'],
        change: { values: { name: 'B', link: 'https://example.org' }, base: { version: '2' } },
      },
    });
    expect(decision).not.toMatchObject({ ready: key });
    expect(asked).toEqual([RECORD]);
    const clash = await keyed(entryOf(edit(), key), record('C'));
    expect(clash.decision).toMatchObject({ do: 'report', about: key, event: { event: 'conflict' } });
  });

  test('without a base version that was exported is rebased under its own key', async () => {
    const exported = entryOf(edit(), { ...key, delivery: ['export'] });
    const { decision } = await keyed(exported, record('A', 'https://example.org'));
    expect(decision).toMatchObject({ do: 'send', ready: { ...key, merged: ['link'] } });
  });

  test('that was rebased before keeps its list of merged fields', async () => {
    const before = entryOf(edit(), { merged: ['name'] });
    const { decision } = await keyed(before, record('A', 'https://example.org'));
    expect(decision).toMatchObject({ ready: { merged: ['name', 'link'] } });
  });

  test('without a base version and with unknown delivery is looked up, however small', async () => {
    const told = await keyed(inDoubt(edit(), key), { [KEY]: json(200, { message: 'Saved.' }) });
    expect(told).toMatchObject({ decision: { do: 'finish' }, asked: [KEY] });
    const unknown = await keyed(inDoubt(edit(), key), record('A'));
    expect(unknown).toMatchObject({ decision: { do: 'send', ready: key }, asked: [KEY, RECORD] });
  });

  test('behind a discarded one that has not arrived is sent without it, even without versions', async () => {
    const discarded = [editing('5', partner('0'), partner('A', 'https://example.org'))];
    const entry = inDoubt(editing('5', discarded[0]?.values ?? {}, partner('B', 'https://example.org')), {
      ...key,
      discarded,
    });
    const { decision } = await keyed(entry, {}, { ...KEYED, versions: false });
    const change = { values: partner('B'), base: { values: partner('0') } };
    expect(decision).toMatchObject({ do: 'send', ready: { change } });
  });

  test('with unknown delivery behind a discarded one is looked up, and the result applies to it', async () => {
    const discarded = [editing('5', partner('0'), partner('A'))];
    const { asked } = await keyed(inDoubt(edit('1'), { ...key, discarded }), record('0'));
    expect(asked[0]).toBe(KEY);
    const settled = await keyed(entryOf(edit(), { ...key, discarded }), record('C'));
    expect(settled.decision).toMatchObject({ do: 'report', about: { discarded } });
  });
});

describe('a change for a stock back end', () => {
  const acme = { id: 4, name: 'Acme', link: 'https://example.com' };
  const rows = {
    [ROWS]: json(200, [{ id: 3, name: 'Other', link: '' }, acme]),
    'GET /api/get-single-partner/4': json(200, acme),
  };

  test('that creates a record first records the existing rows', async () => {
    const entry = entryOf(creating());
    const { decision, asked } = await plain(entry, rows);
    expect(decision).toEqual({ do: 'send', ready: { ...entry, baselineIds: [3, 4] } });
    expect(asked).toEqual([ROWS]);
  });

  test.each([
    ['was tried', { attempts: 1 }],
    ['may be delivered', { delivery: ['export'] }],
    ['was accepted without an id', { acceptedMessage: 'Made.' }],
  ] as const)('that creates a record and %s is looked for first', async (_what, facts) => {
    const entry = entryOf(creating(), { ...facts, baselineIds: [3] });
    const { decision } = await plain(entry, rows);
    const message = 'acceptedMessage' in facts ? facts.acceptedMessage : 'It had already arrived.';
    expect(decision).toMatchObject({ do: 'finish', receipt: { at: NOW, message, serverId: 4 } });
  });

  test('that creates a record and was repaired before it arrived is sent as repaired', async () => {
    const earlier = creating('local-1', partner('Before'));
    const delivery = ['attempt', 'earlier-payload'] as const;
    const entry = inDoubt(creating(), { attemptEndsBy: NOW, baselineIds: [3, 4], earlier, delivery });
    const { decision } = await plain(entry, rows);
    expect(decision).toMatchObject({ do: 'send', ready: { delivery: ['attempt'] } });
    expect(decision).not.toHaveProperty('ready.earlier');
  });

  test('that edits a record and was repaired before it arrived is sent as repaired', async () => {
    const earlier = editing('5', partner('A'), partner('Before'));
    const delivery = ['attempt', 'earlier-payload'] as const;
    const { decision } = await plain(inDoubt(edit(), { attemptEndsBy: NOW, earlier, delivery }), record('A'));
    expect(decision).toMatchObject({ do: 'send', ready: { change: { values: partner('B') }, delivery: [] } });
    expect(decision).not.toHaveProperty('ready.earlier');
  });

  test('that edits a record and was repaired after it arrived is rebased on that, without a conflict', async () => {
    const earlier = editing('5', partner('A'), partner('Before'));
    const delivery = ['attempt', 'earlier-payload'] as const;
    const entry = inDoubt(edit(), { attemptEndsBy: NOW, earlier, delivery });
    const { decision } = await plain(entry, record('Before'));
    expect(decision).toMatchObject({
      do: 'send',
      ready: { change: { values: partner('B'), base: { values: partner('Before') } }, delivery: [] },
    });
  });

  test('that creates a record never adopts a row that another create of this device has claimed', async () => {
    const entry = inDoubt(creating(), { attemptEndsBy: NOW, baselineIds: [3] });
    expect((await plain(entry, rows, [], 'partners')).decision).toMatchObject({ do: 'send' });
    const found = await plain(entry, rows, [], 'generators');
    expect(found.decision).toMatchObject({ do: 'finish', receipt: { serverId: 4 } });
  });

  test('that creates a record is a question with two candidate rows, unless it was accepted', async () => {
    const twins = {
      [ROWS]: json(200, [acme, { ...acme, id: 6 }]),
      'GET /api/get-single-partner/4': json(200, acme),
      'GET /api/get-single-partner/6': json(200, { ...acme, id: 6 }),
    };
    const entry = inDoubt(creating(), { attemptEndsBy: NOW, baselineIds: [3] });
    expect((await plain(entry, twins)).decision).toMatchObject({ event: { event: 'held', candidates: [4, 6] } });
    const accepted = { ...entry, acceptedMessage: 'Made.' };
    expect((await plain(accepted, twins)).decision).toMatchObject({ receipt: { serverId: 4, duplicates: [6] } });
  });

  test('that creates a record and was accepted is not repeated when its row is gone', async () => {
    const entry = inDoubt(creating(), { acceptedMessage: 'Made.', attemptEndsBy: NOW, baselineIds: [3, 4] });
    expect((await plain(entry, rows)).decision).toMatchObject({ do: 'finish', receipt: { message: 'Made.' } });
  });

  test('is compared with the server’s record, and in conflict without a base', async () => {
    const deletion = await plain(entryOf(deleting('5')), record('A'));
    expect(deletion).toMatchObject({ decision: { event: { event: 'conflict' } }, asked: [RECORD] });
    expect(await plain(entryOf(edit()), record('A'))).toMatchObject({ decision: { do: 'send' }, asked: [RECORD] });
    expect((await plain(entryOf(edit()), record('C'))).decision).toMatchObject({ event: { event: 'conflict' } });
    expect((await plain(entryOf(edit()))).decision).toMatchObject({ event: { reason: { code: 'gone' } } });
  });

  test('with unknown delivery may arrive until its attempt is over, whatever the clock says', async () => {
    const until = NOW + 30_000;
    const entry = inDoubt(edit(), { attemptEndsBy: until });
    const later = { do: 'report', event: { event: 'read-back-later', until } };
    expect((await plain(entry, record('A'))).decision).toEqual(later);
    const over = { ...entry, attemptEndsBy: NOW };
    expect((await plain(over, record('A'))).decision).toMatchObject({ do: 'send', ready: { delivery: [] } });
    const setBack = { ...entry, lastAttemptAt: NOW + 60_000, attemptEndsBy: NOW + 90_000 };
    expect((await plain(setBack, record('A'))).decision).toEqual(later);
    const setAhead = { ...entry, lastAttemptAt: NOW - 90_000, attemptEndsBy: NOW - 60_000 };
    expect((await plain(setAhead, record('A'))).decision).toEqual(later);
    expect((await plain(entry, record('B'))).decision).toEqual({
      do: 'finish',
      receipt: { at: NOW, message: 'It had already arrived.' },
    });
    expect((await plain(entry)).decision).toMatchObject({ do: 'report', event: { reason: { code: 'gone' } } });
  });

  test('to a row that a create with unknown delivery may own looks for that create first', async () => {
    const create = inDoubt(creating('local-1', partner('A')), { attemptEndsBy: NOW, baselineIds: [3] });
    const answers = { ...record('A'), [ROWS]: json(200, [{ id: 5, name: 'A', link: 'https://example.com' }]) };
    const found = await plain(entryOf(edit()), answers, [create]);
    expect(found.decision).toMatchObject({ do: 'finish', about: { id: create.id }, receipt: { serverId: 5 } });
    for (const other of [
      { ...create, baselineIds: [5] },
      { ...create, candidates: [5, 6] },
      { ...create, delivery: [] },
      { ...create, change: { ...create.change, resource: 'generators' } },
      { ...create, sequence: 10_000 },
    ]) {
      const { decision } = await plain(entryOf(edit()), answers, [other as OutboxEntry]);
      expect(decision).toMatchObject({ do: 'send', ready: { change: { recordId: '5' } } });
    }
  });
});

describe('before an attempt', () => {
  const opened = async (sender: Sender, entry: OutboxEntry, since: MoreFacts = {}) => {
    const { entries } = sender.environment.outbox;
    await entries.put({ ...entry, ...since } as OutboxEntry);
    return { attempt: await openAttempt(sender, entry), stored: await entries.get(entry.sequence) };
  };

  test('the entry is stored as being sent, with its time limit', async () => {
    const { sender } = await senderAtWork(KEYED);
    const { attempt, stored } = await opened(sender, entryOf(edit('1')));
    expect(stored).toMatchObject({ state: 'sending', attempts: 1, lastAttemptAt: NOW, attemptEndsBy: NOW + 60_000 });
    expect(attempt?.sending).toEqual(stored);
  });

  test('a change whose bytes are lost, or whose record was never created, needs the administrator', async () => {
    const { sender } = await senderAtWork(KEYED);
    const lost = await opened(sender, entryOf(withFile(edit('1')), key));
    expect(lost).toMatchObject({ stored: { state: 'attention', reason: { code: 'file-lost' }, ...key } });
    const orphan = await opened(sender, entryOf({ ...edit('1'), recordId: 'local-7' }));
    expect(orphan).toMatchObject({ stored: { state: 'attention', reason: { code: 'gone' } } });
    expect([lost.attempt, orphan.attempt]).toEqual([undefined, undefined]);
  });

  test.each([
    ['a create', creating('local-3')],
    ['an edit of an existing record', edit('1')],
  ])('a storage failure while %s is packed leaves it pending', async (_what, change) => {
    const { sender } = await senderAtWork(KEYED);
    const entry = entryOf(withFile(change));
    vi.spyOn(sender.environment.outbox.files, 'get').mockRejectedValue(new Error('The storage is gone.'));
    await expect(opened(sender, entry)).rejects.toThrow('The storage is gone.');
    expect(await sender.environment.outbox.entries.get(entry.sequence)).toMatchObject({ state: 'pending' });
  });

  test.each([
    ['was compared first', 'A', {}],
    ['followed a discarded one', '0', { discarded: [editing('5', partner('0'), partner('A'))] }],
  ])('a change whose bytes are lost needs the administrator even if it %s', async (_what, there, more) => {
    const { sender } = await senderAtWork(KEYED, record(there));
    const { attempt, stored } = await opened(sender, entryOf(withFile(edit()), { ...key, ...more }));
    expect(attempt).toBeUndefined();
    expect(stored).toMatchObject({ state: 'attention', reason: { code: 'file-lost' }, ...key });
  });

  test('nothing is read back on a server with keys but without lookup by key', async () => {
    const { sender, asked } = await senderAtWork({ ...KEYED, changesByKey: false });
    const { attempt } = await opened(sender, entryOf(creating(), key));
    expect(attempt?.sending).toMatchObject({ state: 'sending', ...key });
    expect(attempt?.sending).not.toHaveProperty('baselineIds');
    expect(asked).toEqual([]);
  });

  test.each<[string, MoreFacts]>([
    ['another save was merged', { idempotencyKey: 'newer' }],
    ['a copy was exported', { delivery: ['export'] }],
    ['it was deferred for the administrator', { state: 'attention' }],
  ])('a change is not sent when %s meanwhile', async (_what, since) => {
    const { sender, asked } = await senderAtWork(KEYED);
    const entry = entryOf(edit('1'));
    const { attempt, stored } = await opened(sender, entry, since);
    expect([attempt, stored, asked]).toEqual([undefined, { ...entry, ...since }, []]);
  });

  test('a change is not sent for a session that is over', async () => {
    const { sender, environment } = await senderAtWork(KEYED);
    await writeMeta(environment.outbox, 'session', { ...sender.session, token: 'newer' });
    const entry = entryOf(edit('1'));
    expect(await opened(sender, entry)).toEqual({ attempt: undefined, stored: entry });
  });

  test('packs no more files for a stock back end than it accepts in one request', async () => {
    const { sender, environment } = await senderAtWork(CONTRACT_ONLY, { 'GET /api/get-generators': json(200, []) });
    const bytes = new Uint8Array([1]).buffer;
    const hash = await sha256(bytes);
    const files = Array.from({ length: 23 }, (_, place) => ({ ...fileOf(`f${place}`, 'images', 1), sha256: hash }));
    await environment.outbox.files.bulkPut(files.map((file) => ({ ...file, entryId: '', bytes })));
    const change: Change = { op: 'create', resource: 'generators', recordId: 'local-1', values: {}, files };
    const { attempt } = await opened(sender, entryOf(change));
    expect(attempt?.prepared.request.files).toHaveLength(20);
    expect(attempt?.prepared.files).toHaveLength(20);
  });

  test('a failed preflight makes the change wait', async () => {
    const { sender } = await senderAtWork(KEYED, { [RECORD]: json(500, { message: 'Broken.' }) });
    const { attempt, stored } = await opened(sender, entryOf(edit()));
    expect(attempt).toBeUndefined();
    expect(stored).toMatchObject({ state: 'pending', attempts: 0, notBefore: NOW + 1_500 });
  });

  test('only a change that needs no check is prepared while another one is being sent', async () => {
    const { sender } = await senderAtWork(KEYED);
    const entry = entryOf(edit('1'));
    expect(await prepareAhead(sender, entry)).toMatchObject({ planned: entry, ready: entry });
    for (const other of [
      inDoubt(edit('1')),
      entryOf(edit('1'), { delivery: ['export'] }),
      entryOf(edit()),
      entryOf(withFile(edit('1'))),
    ]) {
      expect(await prepareAhead(sender, other)).toBeUndefined();
    }
    expect(await prepareAhead({ ...sender, server: CONTRACT_ONLY }, entry)).toBeUndefined();
  });
});

test('a change that succeeds ends the queue’s pause', async () => {
  const { sender, environment } = await senderAtWork(KEYED, {
    'POST /api/get-single-partner/5': json(200, { message: 'Saved.' }),
  });
  const { outbox } = environment;
  const entry = entryOf(edit('1'));
  await outbox.entries.put(entry);
  const attempt = await openAttempt(sender, entry);
  if (attempt === undefined) throw new Error('It is ready.');
  await writeMeta(outbox, 'pause', { cause: 'unreachable', since: NOW - 9_000, until: NOW - 1, failures: 4 });
  await runAttempt(sender, attempt, Promise.resolve(undefined));
  expect(await outbox.entries.get(entry.sequence)).toMatchObject({ state: 'done' });
  expect(await readMeta(outbox, 'pause')).toBeUndefined();
});
