import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/domain/outbox/classify.ts';
import type { Change, OutboxEntry } from '../../src/domain/outbox/vocabulary.ts';
import { CONTRACT_ONLY } from '../../src/domain/protocol/capabilities.ts';
import { STAGE_AGAIN } from '../../src/domain/protocol/staging.ts';
import { meaningOf } from '../../src/offline/sender/attempt.ts';
import { creating, deleting, editing, fileOf, NOW, partner } from '../domain/outbox/samples.ts';
import { type Answers, KEYED, onItsWay, senderAtWork } from './support/at-work.ts';
import { cut, json } from './support/offline-world.ts';

const RECORD = 'GET /api/get-single-partner/5';
const edit = (more: Partial<Extract<Change, { op: 'update' }>> = {}) => ({
  ...editing('5', partner('A'), partner('B'), '1'),
  ...more,
});
const answered = (status: number, body?: unknown): Answer => ({ status, redirected: false, json: true, body });
const refusedByProxy = (status: number): Answer => ({ status, redirected: false, json: false, body: undefined });

async function meaning(answer: Answer | undefined, entry: OutboxEntry, answers: Answers = {}, server = KEYED) {
  const { sender, asked } = await senderAtWork(server, answers);
  return { finding: await meaningOf(sender, entry, answer), asked };
}

describe('an answer to a change', () => {
  test.each<[string, Answer | undefined, unknown]>([
    ['a missing answer', undefined, { do: 'settle', outcome: { kind: 'uncertain' } }],
    [
      'that it was not tried since an earlier one failed',
      answered(424),
      { do: 'report', event: { event: 'not-tried' } },
    ],
    [
      'that names missing files',
      answered(409, { code: STAGE_AGAIN, missing: ['a', 'b'] }),
      { do: 'restage', missing: ['a', 'b'] },
    ],
    [
      'that reports missing files without naming them',
      answered(409, { code: STAGE_AGAIN }),
      { do: 'settle', outcome: { kind: 'refused' } },
    ],
    [
      'that it is in flight, whatever else it says',
      answered(409, { code: 'in-flight', missing: ['a'] }),
      { do: 'settle', outcome: { kind: 'busy', scope: 'entry' } },
    ],
    ['a 409 without a body', answered(409, null), { do: 'settle', outcome: { kind: 'refused' } }],
    ['missing files with another status', answered(422, { code: STAGE_AGAIN, missing: ['a'] }), { do: 'settle' }],
    [
      'a success',
      answered(200, { message: 'Saved.', version: '2' }),
      { do: 'finish', receipt: { at: NOW, message: 'Saved.', version: '2' } },
    ],
    ['a conflict for a change without a base', answered(412), { do: 'settle', outcome: { kind: 'conflict' } }],
  ])('%s', async (what, answer, expected) => {
    const change = what.startsWith('a conflict') ? creating() : edit();
    const { finding, asked } = await meaning(answer, onItsWay(change));
    expect([finding, asked]).toMatchObject([expected, []]);
  });

  test.each([
    [413, 'too-large'],
    [403, 'blocked'],
  ])('%i of a proxy applies to this change if the server is reached, and else to the link', async (status, code) => {
    const sent = onItsWay(edit(), { idempotencyKey: 'k' });
    const there = await meaning(refusedByProxy(status), sent, { 'GET /healthz': json(200, {}) });
    expect(there.finding).toMatchObject({ do: 'report', event: { event: 'held', reason: { code, status } } });
    const gone = await meaning(refusedByProxy(status), onItsWay(edit()), { 'GET /healthz': cut });
    expect(gone.finding).toMatchObject({ do: 'settle', outcome: { kind: 'unreachable' } });
    expect([there.asked, gone.asked]).toEqual([['GET /healthz', 'GET /api/changes/k'], ['GET /healthz']]);
  });

  test('a refusal with unknown delivery is believed only when its key is unknown and not in flight', async () => {
    const doubtful = onItsWay(edit(), { delivery: ['attempt'], idempotencyKey: 'k' });
    const asked = ['GET /api/changes/k'];
    const refusal = answered(422, { message: 'No.', errors: {} });
    expect(await meaning(refusal, doubtful)).toMatchObject({ finding: { outcome: { kind: 'refused' } }, asked });
    const running = { 'GET /api/changes/k': json(409, { code: 'in-flight' }) };
    expect(await meaning(refusal, doubtful, running)).toMatchObject({ finding: { outcome: { kind: 'busy' } }, asked });
    const done = { 'GET /api/changes/k': json(200, { message: 'Saved.' }) };
    expect(await meaning(refusal, doubtful, done)).toMatchObject({
      finding: { outcome: { kind: 'uncertain', status: 500 } },
    });
    const refusedThen = { 'GET /api/changes/k': json(422, { message: 'No.', errors: {} }) };
    expect(await meaning(refusal, doubtful, refusedThen)).toMatchObject({ finding: { outcome: { kind: 'refused' } } });
    expect(await meaning(refusal, onItsWay(edit()), done)).toMatchObject({
      finding: { outcome: { kind: 'refused' } },
      asked: [],
    });
  });
});

test('a reused key keeps the files of a change whose record is gone or cannot be read', async () => {
  const files = [fileOf('one', 'image')];
  const reused = answered(422, { code: 'idempotency-key-reused', message: 'Reused.' });
  const change = edit({ files });
  const gone = await meaning(reused, onItsWay(change));
  expect(gone).toMatchObject({ finding: { event: { event: 'key-reused', change: { files } } }, asked: [RECORD] });
  const unread = await meaning(reused, onItsWay(change), { [RECORD]: json(500, { message: 'Broken.' }) });
  expect(unread.finding).toMatchObject({ do: 'settle', outcome: { kind: 'uncertain', status: 500 } });
});

test('a reused key sends only the repair, based on the payload that had arrived', async () => {
  const reused = answered(422, { code: 'idempotency-key-reused', message: 'Reused.' });
  const mended = onItsWay(edit({ values: partner('C') }), { earlier: edit() });
  const { finding } = await meaning(reused, mended);
  expect(finding).toMatchObject({ event: { change: { values: partner('C'), base: { values: partner('B') } } } });
});

test('a reused key has the repair of a create follow as never sent', async () => {
  const reused = answered(422, { code: 'idempotency-key-reused', message: 'Reused.' });
  const mended = onItsWay(creating('local-1', partner('C')), { idempotencyKey: 'k', earlier: creating() });
  const { finding } = await meaning(reused, mended, { 'GET /api/changes/k': json(200, { id: 9 }) });
  expect(finding).toMatchObject({ do: 'finish', receipt: { serverId: 9 }, follower: { delivery: [] } });
});

test('a reused key repeats the removal of an image under a new key', async () => {
  const reused = answered(422, { code: 'idempotency-key-reused', message: 'Reused.' });
  const removal: Change = { op: 'delete-image', resource: 'generators', recordId: '5', imageId: 3, image: '' };
  const { finding } = await meaning(reused, onItsWay(removal, { idempotencyKey: 'k' }));
  expect(finding).toMatchObject({ do: 'report', event: { event: 'key-reused', change: removal } });
  expect(finding).not.toMatchObject({ event: { idempotencyKey: 'k' } });
});

describe('a success', () => {
  const made = creating();
  test('without an id completes a create, except on a stock back end, where its row is looked for', async () => {
    const done = answered(201, { message: 'Made.' });
    expect((await meaning(done, onItsWay(made))).finding).toMatchObject({
      do: 'finish',
      receipt: { message: 'Made.' },
    });
    expect((await meaning(done, onItsWay(made), {}, CONTRACT_ONLY)).finding).toEqual({
      do: 'report',
      event: { event: 'accepted', message: 'Made.' },
    });
    expect((await meaning(done, onItsWay(edit()), {}, CONTRACT_ONLY)).finding).toMatchObject({ do: 'finish' });
  });

  test('of a stock back end is followed by the files that one request could not carry', async () => {
    const files = Array.from({ length: 23 }, (_, place) => fileOf(`f${place}`));
    const many: Change = { op: 'create', resource: 'generators', recordId: 'local-1', values: {}, files };
    const done = answered(201, { id: 9 });
    const [own, stock] = [await meaning(done, onItsWay(many)), await meaning(done, onItsWay(many), {}, CONTRACT_ONLY)];
    expect(own.finding).not.toHaveProperty('follower');
    expect(stock.finding).toMatchObject({ do: 'finish', receipt: { serverId: 9 }, follower: { delivery: [] } });
    const edited: Change = {
      op: 'update',
      resource: 'generators',
      recordId: '5',
      values: {},
      files,
      base: { values: {}, imageIds: [] },
    };
    const entry = onItsWay(edited, { idempotencyKey: 'k' });
    expect((await meaning(answered(200, {}), entry)).finding).toMatchObject({ do: 'finish' });
    const rest = await meaning(answered(200, {}), entry, {}, CONTRACT_ONLY);
    expect(rest.finding).toMatchObject({ do: 'report', event: { event: 'rebased', merged: [] } });
    expect(rest.finding).not.toMatchObject({ event: { idempotencyKey: 'k' } });
    const copied = await meaning(answered(200, {}), { ...entry, delivery: ['export'] }, {}, CONTRACT_ONLY);
    expect(copied.finding).toMatchObject({ event: { idempotencyKey: 'k' } });
  });
});

describe('a version conflict', () => {
  const server = (name: string, link = 'https://example.com') => ({
    [RECORD]: json(200, { id: 5, name, link, version: '2' }),
  });
  const conflict = (change: Change, answers: Answers, more = {}) =>
    meaning(answered(412), onItsWay(change, { idempotencyKey: 'k', ...more }), answers);

  test('rebases the change when no field was changed by both', async () => {
    const { finding, asked } = await conflict(edit(), server('A', 'https://example.org'));
    expect(finding).toMatchObject({
      do: 'report',
      event: {
        event: 'rebased',
        merged: ['link'],
        change: { values: { name: 'B', link: 'https://example.org' }, base: { version: '2' } },
      },
    });
    expect(finding).not.toMatchObject({ event: { idempotencyKey: 'k' } });
    expect(asked).toEqual([RECORD]);
    const copied = await conflict(edit(), server('A', 'https://example.org'), { delivery: ['export'] });
    expect(copied.finding).toMatchObject({ event: { event: 'rebased', idempotencyKey: 'k' } });
  });

  test('stays a conflict when a field was changed by both, and settles the delivery', async () => {
    const { finding } = await conflict(edit(), server('C'), { delivery: ['attempt'] });
    expect(finding).toMatchObject({
      do: 'report',
      about: { delivery: [] },
      event: { event: 'conflict', found: { foundAt: NOW, theirs: { version: '2', values: { name: 'C' } } } },
    });
    expect(finding).not.toHaveProperty('event.facts.own');
  });

  test('completes the deletion of a deleted record, and needs the administrator for an edit of it', async () => {
    const deletion = { ...deleting('5'), base: { version: '1', values: partner('A'), imageIds: [] } } as Change;
    expect((await conflict(deletion, {})).finding).toMatchObject({
      do: 'finish',
      receipt: { at: NOW, message: 'It had already been deleted.' },
    });
    expect((await conflict(edit(), {})).finding).toMatchObject({ do: 'report', event: { reason: { code: 'gone' } } });
  });

  test('waits when the record cannot be read', async () => {
    const { finding } = await conflict(edit(), { [RECORD]: json(500, { message: 'Broken.' }) });
    expect(finding).toMatchObject({ do: 'settle', outcome: { kind: 'uncertain', status: 500 } });
  });
});
