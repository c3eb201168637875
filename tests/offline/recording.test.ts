import { beforeEach, describe, expect, test } from 'vitest';
import type { OutboxEntry, Outcome } from '../../src/domain/outbox/vocabulary.ts';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import {
  begunAnew,
  chosen,
  confirmAll,
  deferAfterError,
  pauseFor,
  record,
  reportAll,
  type Sender,
  settleAll,
  underFence,
} from '../../src/offline/sender/sender.ts';
import { FencedOffError } from '../../src/offline/sender/lease.ts';
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
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';

const KEYED: Capabilities = { ...CONTRACT_ONLY, idempotencyKeys: true, versions: true, changesByKey: true };
const SESSION = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
const RECEIPT = { at: NOW, message: 'Saved.' };
const LOST = { code: 'file-lost', message: 'Lost.' } as const;
const held = { do: 'report', event: { event: 'held', reason: LOST } } as const;
const silence: Outcome = { kind: 'uncertain', message: 'No answer came.' };
const portal: Outcome = { kind: 'unreachable', message: 'Somebody else answered.' };

let device: Device;
let sender: Sender;

beforeEach(async () => {
  device = new Device(contractOnlyBackend());
  device.time = NOW;
  const environment = device.environment();
  sender = { environment, fence: 3, session: SESSION, server: KEYED, travel: undefined, stops: () => false };
  await writeMeta(environment.outbox, 'lease', { fence: 3, holder: environment.holder, expires: NOW + 60_000 });
  await writeMeta(environment.outbox, 'session', SESSION);
});

async function stored(entry: OutboxEntry, since: MoreFacts = {}): Promise<OutboxEntry> {
  await sender.environment.outbox.entries.put({ ...entry, ...since } as OutboxEntry);
  return entry;
}

const onItsWay = (change: OutboxEntry['change'], more: MoreFacts = {}) =>
  entryOf(change, { state: 'sending', delivery: [], attempts: 1, attemptEndsBy: NOW + 30_000, ...more });

const now = ({ sequence }: OutboxEntry) => sender.environment.outbox.entries.get(sequence);
const pause = () => readMeta(sender.environment.outbox, 'pause');
const edit = () => editing('5', partner('A'), partner('B'), '1');

describe('a finding about a waiting change', () => {
  test('is recorded when nobody has touched the change', async () => {
    const entry = await stored(entryOf(edit()));
    await record(sender, entry, held);
    expect(await now(entry)).toMatchObject({ state: 'attention', reason: LOST });
  });

  test.each<[string, MoreFacts]>([
    ['it was decided or retried under another key', { idempotencyKey: 'other' }],
    ['another sender has tried it', { attempts: 1 }],
    ['it needs the administrator by now', { state: 'attention' }],
    ['it is done by now', { state: 'done' }],
    ['an earlier one was discarded', { discarded: [edit()] }],
  ])('is dropped when %s', async (_what, since) => {
    const entry = await stored(entryOf(edit()), since);
    await record(sender, entry, { ...held, event: { event: 'held', reason: { ...LOST, message: 'Late.' } } });
    await record(sender, entry, { do: 'finish', receipt: RECEIPT });
    expect(await now(entry)).toEqual({ ...entry, ...since });
  });

  test('does not bring back a discarded change', async () => {
    const entry = entryOf(edit());
    await record(sender, entry, held);
    await record(sender, entry, { do: 'finish', receipt: RECEIPT });
    await deferAfterError(sender, entry, new Error('Odd.'));
    expect(await now(entry)).toBeUndefined();
  });

  test('may be about another change', async () => {
    const [entry, about] = [await stored(entryOf(edit())), await stored(entryOf(creating()))];
    await record(sender, entry, { ...held, about });
    expect([(await now(entry))?.state, (await now(about))?.state]).toEqual(['pending', 'attention']);
  });

  test('is not recorded by a sender that was replaced', async () => {
    const entry = await stored(entryOf(edit()));
    await expect(record({ ...sender, fence: 2 }, entry, held)).rejects.toBeInstanceOf(FencedOffError);
    expect(await now(entry)).toEqual(entry);
  });

  test('makes only the change wait for a server error, and the queue for a failing link', async () => {
    const entry = await stored(entryOf(edit()));
    await record(sender, entry, { do: 'postpone', outcome: portal });
    expect([await now(entry), await pause()]).toMatchObject([entry, { cause: 'unreachable', failures: 1 }]);
    await record(sender, entry, { do: 'postpone', outcome: silence });
    expect(await now(entry)).toEqual(entry);
    await record(sender, entry, { do: 'postpone', outcome: { kind: 'uncertain', status: 500, message: 'Broken.' } });
    expect(await now(entry)).toMatchObject({ state: 'pending', attempts: 0, notBefore: NOW + 1_500 });
  });

  test('needs the administrator when reading is refused', async () => {
    const entry = await stored(entryOf(edit()));
    const reason = { code: 'refused', status: 403, message: 'No.' } as const;
    await record(sender, entry, { do: 'postpone', outcome: { kind: 'refused', reason } });
    expect(await now(entry)).toMatchObject({ state: 'attention', reason });
  });
});

describe('the answer to a change that is being sent', () => {
  test('is recorded even if an earlier change was discarded meanwhile, which is kept', async () => {
    const discarded = [edit()];
    const entry = await stored(onItsWay(edit()), { discarded });
    await record(sender, entry, { do: 'settle', outcome: silence });
    expect(await now(entry)).toMatchObject({ state: 'pending', delivery: ['attempt'], discarded });
  });

  test('keeps the export and key of a change that was exported meanwhile', async () => {
    const entry = await stored(onItsWay(edit()), { delivery: ['export'] });
    const rebased = { event: 'rebased', change: edit(), idempotencyKey: 'fresh', merged: [] } as const;
    await record(sender, entry, { do: 'report', event: rebased });
    expect(await now(entry)).toMatchObject({ idempotencyKey: entry.idempotencyKey, delivery: ['export'] });
  });

  test('gives the change its new key when it was not exported', async () => {
    const entry = await stored(onItsWay(edit()));
    const rebased = { event: 'rebased', change: edit(), idempotencyKey: 'fresh', merged: [] } as const;
    await record(sender, entry, { do: 'report', event: rebased });
    expect(await now(entry)).toMatchObject({ state: 'pending', idempotencyKey: 'fresh' });
  });

  test('adds no follower to a change that was discarded', async () => {
    const entry = onItsWay(creating());
    const follower = { change: { ...edit(), recordId: 'local-1' }, delivery: [] };
    await record(sender, entry, { do: 'finish', receipt: { ...RECEIPT, serverId: 9 }, follower });
    expect(await sender.environment.outbox.entries.toArray()).toMatchObject([
      { state: 'done', change: { op: 'create' } },
    ]);
  });

  test('removes the bytes of files that the change no longer has, and no others', async () => {
    const { outbox } = sender.environment;
    const [gone, left] = [fileOf('gone'), fileOf('left')];
    await outbox.files.bulkPut(
      [gone, left].map(({ id, name, type, size, sha256 }) => ({
        id,
        name,
        type,
        size,
        sha256,
        bytes: new ArrayBuffer(1),
      })) as never,
    );
    const entry = await stored(onItsWay({ ...edit(), files: [gone, left] }));
    const change = { ...edit(), files: [left] };
    await record(sender, entry, { do: 'report', event: { event: 'key-reused', change, idempotencyKey: 'fresh' } });
    expect(await outbox.files.toCollection().primaryKeys()).toEqual(['left']);
  });

  test('ends a pause that is over, but not one reported to another request', async () => {
    const { outbox } = sender.environment;
    const over = { cause: 'unreachable', since: NOW - 9_000, until: NOW - 1, failures: 4 } as const;
    await writeMeta(outbox, 'pause', over);
    await record(sender, await stored(onItsWay(edit())), { do: 'finish', receipt: RECEIPT });
    expect(await pause()).toBeUndefined();
    const told = { cause: 'busy', since: NOW, until: NOW + 9_000, failures: 1 } as const;
    await writeMeta(outbox, 'pause', told);
    await record(sender, await stored(onItsWay(creating())), { do: 'finish', receipt: RECEIPT });
    expect(await pause()).toEqual(told);
  });

  test('lengthens the pause each time nothing comes, except for a change with files, which waits by itself', async () => {
    const failing = async (change: OutboxEntry['change']) => {
      await record(sender, await stored(onItsWay(change)), { do: 'settle', outcome: silence });
      const { failures } = (await pause()) ?? {};
      device.pass(10 * 60_000);
      return failures;
    };
    expect([await failing(edit()), await failing(creating()), await failing(deleting('6'))]).toEqual([1, 2, 3]);
    expect(await failing({ ...edit(), files: [fileOf('photo')] })).toBe(1);
  });

  test('has the capabilities asked again of a server that reveals keys, and of no other', async () => {
    const { outbox } = sender.environment;
    const known = { told: CONTRACT_ONLY, at: NOW } as never;
    const busy = { kind: 'busy', mayBeDone: true, message: '', retryAfter: 1_000 } as const;
    const asked = async (server: Capabilities, scope: 'entry' | 'queue') => {
      await writeMeta(outbox, 'capabilities', known);
      await record({ ...sender, server }, await stored(onItsWay(edit())), {
        do: 'settle',
        outcome: { ...busy, scope },
      });
      return (await readMeta(outbox, 'capabilities')) === undefined;
    };
    expect(await asked(CONTRACT_ONLY, 'entry')).toBe(true);
    expect([await asked(CONTRACT_ONLY, 'queue'), await asked(KEYED, 'entry')]).toEqual([false, false]);
  });

  test('that reports missing files has only those staged again, from the first byte', async () => {
    const { outbox } = sender.environment;
    const [missing, there] = [fileOf('missing'), fileOf('there')];
    for (const { sha256, size } of [missing, there]) {
      await writeUpload(outbox, '1', {
        sha256,
        size,
        offset: size,
        failures: 2,
        restarts: 0,
        triedAt: 1,
        anyway: true,
      });
    }
    const entry = await stored(onItsWay({ ...edit(), files: [missing, there] }));
    await record(sender, entry, { do: 'restage', missing: [missing.sha256] });
    expect(await now(entry)).toMatchObject({ state: 'pending', attempts: 0, delivery: [] });
    const upload = await readUpload(outbox, '1', missing);
    expect(upload).toMatchObject({ offset: 0, restarts: 1, triedAt: NOW, anyway: true });
    expect(upload.message).toContain('sent again');
    expect(await readUpload(outbox, '1', there)).toMatchObject({ offset: there.size, restarts: 0 });
  });
});

describe('several changes that are being sent', () => {
  test('are confirmed together, and a follower gets the id of its record', async () => {
    const create = await stored(onItsWay(creating('local-9')));
    const follower = await stored(onItsWay(editing('local-9', partner('Acme'), partner('B'))));
    const receipt = { ...RECEIPT, serverId: 9, version: 'v1' };
    await confirmAll(sender, [
      { entry: follower, receipt: { ...RECEIPT, version: 'v2' }, after: create },
      { entry: create, receipt },
    ]);
    expect(await now(create)).toMatchObject({ state: 'done', receipt });
    expect(await now(follower)).toMatchObject({ state: 'done', change: { recordId: '9' }, receipt: { version: 'v2' } });
  });

  test('share their outcome and one pause', async () => {
    const both = [await stored(onItsWay(edit())), await stored(onItsWay(creating()))];
    await settleAll(sender, both, silence);
    for (const entry of both) expect(await now(entry)).toMatchObject({ state: 'pending', delivery: ['attempt'] });
    expect(await pause()).toMatchObject({ cause: 'unreachable', failures: 1 });
  });

  test('that were not tried count no attempt', async () => {
    const both = [await stored(onItsWay(edit())), await stored(onItsWay(creating()))];
    await reportAll(sender, both, { event: 'not-tried' });
    for (const entry of both) expect(await now(entry)).toMatchObject({ state: 'pending', attempts: 0, delivery: [] });
  });
});

test.each<[unknown, string]>([
  [new Error('The disk is odd.'), 'The disk is odd.'],
  ['odd', 'odd'],
])('an unexpected error is reported in its own words, and the change waits (%s)', async (failure, message) => {
  const entry = await stored(onItsWay(edit()));
  await deferAfterError(sender, entry, failure);
  const left = await now(entry);
  expect([left?.state, left?.reason?.message]).toEqual(['pending', message]);
  expect(left?.notBefore).toBeGreaterThan(NOW);
});

test('an unexpected error does not undo what was changed meanwhile', async () => {
  const entry = entryOf(edit());
  const since = { change: editing('5', partner('A'), partner('C'), '1'), delivery: ['export'] } as const;
  await stored(entry, since);
  await deferAfterError(sender, entry, new Error('Odd.'));
  expect(await now(entry)).toMatchObject({ state: 'pending', ...since, reason: { message: 'Odd.' } });
});

test('a pause for a sign-in applies only to the refused session', async () => {
  const { environment } = sender;
  const refused = { kind: 'signed-out', message: '' } as const;
  const pausing = (token: string) =>
    underFence(sender, () => pauseFor({ environment, session: { ...SESSION, token } }, refused, false));
  await pausing('older token');
  expect(await pause()).toBeUndefined();
  await pausing('token');
  expect(await pause()).toMatchObject({ cause: 'signed-out' });
});

test('a file starts again at once the first time, then with a backoff, and stays paused if it was', () => {
  const upload = { sha256: 'a', size: 9, offset: 9, failures: 2, triedAt: 1, halted: true, notBefore: 5 } as const;
  const first = begunAnew(sender, { ...upload, restarts: 0 }, 'Again.');
  expect(first).toEqual({
    sha256: 'a',
    size: 9,
    offset: 0,
    failures: 2,
    restarts: 1,
    triedAt: 1,
    halted: true,
    message: 'Again.',
  });
  expect(begunAnew(sender, { ...upload, restarts: 1 }, '').notBefore).toBe(NOW + 1_500);
  expect(begunAnew(sender, { ...upload, restarts: 2 }, '').notBefore).toBe(NOW + 3_000);
  expect(chosen({ ...upload, restarts: 0 })).toEqual({ sha256: 'a', size: 9, halted: true });
});
