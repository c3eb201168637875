import { describe, expect, test } from 'vitest';
import type { OutboxEntry, Outcome, Possibility } from '../../src/domain/outbox/vocabulary.ts';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { answersTo, answerTo, lacksField, meaningByKey, needsComparing } from '../../src/offline/sender/keyed.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { cut, json, page } from './support/offline-world.ts';

const KEYED: Capabilities = { ...CONTRACT_ONLY, idempotencyKeys: true, versions: true, changesByKey: true };

/** A sender to a server that answers everything like this, and the addresses that are asked. */
function asking(answer: () => Response = cut, server = KEYED) {
  const device = new Device(contractOnlyBackend());
  const asked: string[] = [];
  device.wire = async ({ url }) => {
    asked.push(new URL(url).pathname + new URL(url).search);
    return answer();
  };
  device.time = NOW;
  const session = { administrator: '1', name: '', token: 'token', rememberAcrossRestarts: true };
  const environment = device.environment();
  const sender = { environment, fence: 1, session, server, travel: undefined, stops: () => false };
  return { sender, asked };
}

const inDoubt = (change: OutboxEntry['change'], ...more: Possibility[]) =>
  entryOf(change, { state: 'pending', delivery: ['attempt', ...more], attempts: 1 });

describe('the question for one change', () => {
  test('names its key, and finds nothing where the server itself knows none', async () => {
    const { sender, asked } = asking(json(404, { message: 'None.' }));
    const entry = inDoubt(creating());
    expect(await answerTo(sender, entry)).toBeUndefined();
    expect(asked).toEqual([`/api/changes/${entry.idempotencyKey}`]);
  });

  test.each<[string, () => Response, Partial<Outcome>]>([
    ['the answer that was lost', json(200, { message: 'Created.', id: 7 }), { kind: 'done', serverId: 7 }],
    ['a refusal', json(422, { message: 'No.', errors: {} }), { kind: 'refused' }],
    ['a page with a 404', page(404), { kind: 'unreachable' }],
    ['no answer', cut, { kind: 'uncertain' }],
  ])('tells %s', async (_what, answer, outcome) => {
    expect(await answerTo(asking(answer).sender, inDoubt(creating()))).toMatchObject(outcome);
  });
});

describe('the question for several', () => {
  test('is one, and each is told by its own key; what is not there is not told', async () => {
    const entries = [creating('a'), editing('5', partner('A'), partner('B'), '1'), deleting('6'), creating('b')].map(
      (change) => inDoubt(change),
    );
    const [made, edited, deleted, absent] = entries.map(({ idempotencyKey }) => idempotencyKey);
    const answers = {
      [made ?? '']: { status: 200, body: { message: 'Created.', id: 9 } },
      [edited ?? '']: { status: 409 },
      [deleted ?? '']: { status: 404 },
    };
    const { sender, asked } = asking(json(200, { answers }));
    const told = await answersTo(sender, entries);
    expect(asked).toEqual([`/api/changes?keys=${[made, edited, deleted, absent].join(',')}`]);
    const outcomes = 'outcomes' in told ? [...told.outcomes] : [];
    expect(outcomes).toMatchObject([
      [made, { kind: 'done', serverId: 9 }],
      [edited, { kind: 'busy', scope: 'entry', mayBeDone: true }],
    ]);
  });

  test.each<[string, () => Response, string]>([
    ['nothing', cut, 'uncertain'],
    ['a sign-in', json(401, {}), 'signed-out'],
    ['to wait', json(429, {}, { 'retry-after': '9' }), 'busy'],
    ['a fault', json(500, { answers: {} }), 'uncertain'],
    ['a refusal', json(400, { message: 'What?' }), 'unreachable'],
    ['a conflict', json(412, { answers: {} }), 'unreachable'],
    ['a success that tells nothing', json(200, { message: 'Done.' }), 'unreachable'],
    ['a portal’s page', page(200), 'unreachable'],
  ])('that is answered with %s tells nothing of any', async (_what, answer, kind) => {
    expect(await answersTo(asking(answer).sender, [inDoubt(creating())])).toMatchObject({ fault: { kind } });
  });
});

describe('what an answer by key means', () => {
  const done: Outcome = { kind: 'done', message: 'Created.', serverId: 7 };
  const meaning = (entry: OutboxEntry, outcome: Outcome | undefined) => meaningByKey(asking().sender, entry, outcome);
  const many = Array.from({ length: 21 }, (_, index) => fileOf(`photo-${index}`));

  test('a success ends the change, with what it says', () => {
    const finding = meaning(inDoubt(creating()), done);
    expect(finding).toMatchObject({ do: 'finish', receipt: { at: NOW, message: 'Created.', serverId: 7 } });
  });

  test.each<[string, OutboxEntry, Outcome | undefined]>([
    ['nothing is known', inDoubt(creating()), undefined],
    ['it was refused', inDoubt(creating()), { kind: 'refused', reason: { code: 'refused', message: 'No.' } }],
    ['somebody came before it', inDoubt(deleting('5')), { kind: 'conflict', message: 'Changed.' }],
    ['a create’s record is not named', inDoubt(creating()), { kind: 'done', message: 'Created.' }],
    [
      'it may be of the first files of an edit only',
      inDoubt({ ...editing('5', partner('A'), partner('B')), files: many }),
      done,
    ],
    [
      'it may be of the first files of a create only',
      { ...inDoubt({ ...creating(), files: many } as OutboxEntry['change']), baselineIds: [1] },
      done,
    ],
  ])('it is sent again where %s', (_what, entry, outcome) => {
    expect(meaning(entry, outcome)).toBeUndefined();
  });

  test('an edit needs no record’s name, and a create with many files was never divided on this server', () => {
    expect(meaning(inDoubt(editing('5', partner('A'), partner('B'))), { kind: 'done', message: 'Updated.' })?.do).toBe(
      'finish',
    );
    expect(meaning(inDoubt({ ...creating(), files: many } as OutboxEntry['change']), done)?.do).toBe('finish');
  });

  test('one that is being carried out waits by itself, whatever else is told holds the queue', () => {
    const busy = { kind: 'busy', mayBeDone: true, message: '' } as const;
    expect(meaning(inDoubt(creating()), { ...busy, scope: 'entry' })?.do).toBe('settle');
    expect(meaning(inDoubt(creating()), { ...busy, scope: 'queue' })?.do).toBe('postpone');
    expect(meaning(inDoubt(creating()), { kind: 'uncertain', message: '' })?.do).toBe('postpone');
  });
});

describe('the server is read before a change is sent', () => {
  const edit = (version?: string) => editing('5', partner('A'), partner('B'), version);
  const old = { ...edit('1'), values: { name: 'B' } };

  test.each<[string, boolean, OutboxEntry]>([
    ['an edit with its version', false, entryOf(edit('1'))],
    ['an edit without one', true, entryOf(edit())],
    ['an edit of an older app, which knew not all fields', true, entryOf(old)],
    ['the same in doubt: it goes out as it was', false, inDoubt(old)],
    ['an edit in doubt without a version', true, inDoubt(edit())],
    ['an edit in doubt without a version that was repaired', false, inDoubt(edit(), 'repair')],
    ['an edit in doubt that another device may send', true, inDoubt(edit(), 'export')],
    ['a new record', false, entryOf(creating())],
    ['a delete that was made on no version', false, entryOf(deleting('5'))],
  ])('%s: %s', (_what, isCompared, entry) => {
    expect(needsComparing(asking().sender, entry)).toBe(isCompared);
  });

  test('only where it keeps versions, and in doubt only where it can be asked by key', () => {
    expect(needsComparing(asking(cut, { ...KEYED, versions: false }).sender, entryOf(edit()))).toBe(false);
    expect(needsComparing(asking(cut, { ...KEYED, changesByKey: false }).sender, inDoubt(edit()))).toBe(false);
  });

  test('a field that is empty is known, and one that is missing is not', () => {
    expect([lacksField(edit()), lacksField({ ...edit(), values: partner('B', '') }), lacksField(old)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([lacksField(creating('a', { name: 'B' })), lacksField(deleting('5'))]).toEqual([false, false]);
  });
});
