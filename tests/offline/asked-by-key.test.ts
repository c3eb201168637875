import { describe, expect, test } from 'vitest';
import type { OutboxEntry, Outcome, Possibility } from '../../src/domain/outbox/vocabulary.ts';
import { type Capabilities, CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { answersTo, answerTo, lacksField, meaningByKey, needsComparing } from '../../src/offline/sender/keyed.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { contractOnlyBackend } from './support/backends.ts';
import { Device } from './support/device.ts';
import { cut, json, page } from './support/offline-world.ts';

const KEYED: Capabilities = { ...CONTRACT_ONLY, idempotencyKeys: true, versions: true, changesByKey: true };

/** A sender to a server that always gives this answer, and the addresses it requests. */
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

describe('a lookup by key', () => {
  test('names the key, and finds nothing when the server does not know it', async () => {
    const { sender, asked } = asking(json(404, { message: 'None.' }));
    const entry = inDoubt(creating());
    expect(await answerTo(sender, entry)).toBeUndefined();
    expect(asked).toEqual([`/api/changes/${entry.idempotencyKey}`]);
  });

  test.each<[string, () => Response, Partial<Outcome>]>([
    ['the lost answer', json(200, { message: 'Created.', id: 7 }), { kind: 'done', serverId: 7 }],
    ['a refusal', json(422, { message: 'No.', errors: {} }), { kind: 'refused' }],
    ['a page with a 404', page(404), { kind: 'unreachable' }],
    ['no answer', cut, { kind: 'uncertain' }],
  ])('returns %s', async (_what, answer, outcome) => {
    expect(await answerTo(asking(answer).sender, inDoubt(creating()))).toMatchObject(outcome);
  });
});

describe('a lookup of several keys', () => {
  test('is one request, matches each answer by key and leaves out unknown keys', async () => {
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
    ['no answer', cut, 'uncertain'],
    ['a sign-in', json(401, {}), 'signed-out'],
    ['a request to wait', json(429, {}, { 'retry-after': '9' }), 'busy'],
    ['a server error', json(500, { answers: {} }), 'uncertain'],
    ['a refusal', json(400, { message: 'What?' }), 'unreachable'],
    ['a conflict', json(412, { answers: {} }), 'unreachable'],
    ['a success without answers', json(200, { message: 'Done.' }), 'unreachable'],
    ['a portal’s page', page(200), 'unreachable'],
  ])('that gets %s settles no change', async (_what, answer, kind) => {
    expect(await answersTo(asking(answer).sender, [inDoubt(creating())])).toMatchObject({ fault: { kind } });
  });
});

describe('the result of a lookup by key', () => {
  const done: Outcome = { kind: 'done', message: 'Created.', serverId: 7 };
  const meaning = (entry: OutboxEntry, outcome: Outcome | undefined) => meaningByKey(asking().sender, entry, outcome);
  const many = Array.from({ length: 21 }, (_, index) => fileOf(`photo-${index}`));

  test('a success completes the change with its receipt', () => {
    const finding = meaning(inDoubt(creating()), done);
    expect(finding).toMatchObject({ do: 'finish', receipt: { at: NOW, message: 'Created.', serverId: 7 } });
  });

  test.each<[string, OutboxEntry, Outcome | undefined]>([
    ['the key is unknown', inDoubt(creating()), undefined],
    ['it was refused', inDoubt(creating()), { kind: 'refused', reason: { code: 'refused', message: 'No.' } }],
    ['someone else changed the record first', inDoubt(deleting('5')), { kind: 'conflict', message: 'Changed.' }],
    ['the answer names no id for a create', inDoubt(creating()), { kind: 'done', message: 'Created.' }],
    [
      'the answer may cover only the first files of an edit',
      inDoubt({ ...editing('5', partner('A'), partner('B')), files: many }),
      done,
    ],
    [
      'the answer may cover only the first files of a create',
      { ...inDoubt({ ...creating(), files: many } as OutboxEntry['change']), baselineIds: [1] },
      done,
    ],
  ])('a change is sent again when %s', (_what, entry, outcome) => {
    expect(meaning(entry, outcome)).toBeUndefined();
  });

  test('an edit needs no id in the answer, and a create without baseline ids was never split', () => {
    expect(meaning(inDoubt(editing('5', partner('A'), partner('B'))), { kind: 'done', message: 'Updated.' })?.do).toBe(
      'finish',
    );
    expect(meaning(inDoubt({ ...creating(), files: many } as OutboxEntry['change']), done)?.do).toBe('finish');
  });

  test('a change that is being executed waits by itself, and any other fault pauses the queue', () => {
    const busy = { kind: 'busy', mayBeDone: true, message: '' } as const;
    expect(meaning(inDoubt(creating()), { ...busy, scope: 'entry' })?.do).toBe('settle');
    expect(meaning(inDoubt(creating()), { ...busy, scope: 'queue' })?.do).toBe('postpone');
    expect(meaning(inDoubt(creating()), { kind: 'uncertain', message: '' })?.do).toBe('postpone');
  });
});

describe('a preflight check', () => {
  const edit = (version?: string) => editing('5', partner('A'), partner('B'), version);
  const old = { ...edit('1'), values: { name: 'B' } };

  test.each<[string, boolean, OutboxEntry]>([
    ['an edit with its version', false, entryOf(edit('1'))],
    ['an edit without one', true, entryOf(edit())],
    ['an edit by an older app that lacked a field', true, entryOf(old)],
    ['the same edit when it may be delivered', false, inDoubt(old)],
    ['an edit without a version that may be delivered', true, inDoubt(edit())],
    ['a repaired edit without a version that may be delivered', false, inDoubt(edit(), 'repair')],
    ['an edit without a version that was exported', true, inDoubt(edit(), 'export')],
    ['a create', false, entryOf(creating())],
    ['a delete without a base', true, entryOf(deleting('5'))],
  ])('of %s is needed: %s', (_what, isCompared, entry) => {
    expect(needsComparing(asking().sender, entry)).toBe(isCompared);
  });

  test('is made only on a server with versions, and for an unknown delivery only with lookup by key', () => {
    expect(needsComparing(asking(cut, { ...KEYED, versions: false }).sender, entryOf(edit()))).toBe(false);
    expect(needsComparing(asking(cut, { ...KEYED, changesByKey: false }).sender, inDoubt(edit()))).toBe(false);
  });

  test('is needed for a missing field, not for an empty one', () => {
    expect([lacksField(edit()), lacksField({ ...edit(), values: partner('B', '') }), lacksField(old)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([lacksField(creating('a', { name: 'B' })), lacksField(deleting('5'))]).toEqual([false, false]);
  });
});
