import { describe, expect, test } from 'vitest';
import type { LifeEvent } from '../../../src/domain/outbox/events.ts';
import { changed, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

/** What the end of an attempt leaves in an entry. Facts that are not listed stay unchanged; `undefined` means removed. */

const edit = editing('7', partner('Acme'), partner('Acme Ltd'), '1');
const withFile = { ...edit, files: [fileOf('a')] };
const repaired = editing('7', partner('Acme'), partner('Acme Inc'), '1');
const busy = { code: 'busy', message: 'Busy.' } as const;
const reason = { code: 'refused', message: 'No.' } as const;
const errors = { count: 2, since: NOW - 9_000 };
const moment = { now: NOW, random: 1 };
const facts = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };

const onItsWay: MoreFacts = { state: 'sending', attempts: 2, attemptEndsBy: NOW + 60_000, lastAttemptAt: NOW - 1_000 };

type Case = readonly [what: string, before: MoreFacts, event: LifeEvent, expected: Record<string, unknown>];

describe('an entry that is being sent', () => {
  test.each<Case>([
    [
      'may be delivered when its sender is lost',
      { ...onItsWay, serverErrors: errors },
      { event: 'sender-lost' },
      {
        state: 'pending',
        delivery: ['attempt'],
        reason: { code: 'no-answer', message: 'Sending was interrupted.' },
      },
    ],
    [
      'may be delivered without an answer, for as long as the request can be under way',
      { ...onItsWay, serverErrors: errors },
      { event: 'link-fault', ...moment, reason: busy },
      { state: 'pending', delivery: ['attempt'], reason: busy, attemptEndsBy: NOW + 30_000, lastAttemptAt: NOW },
    ],
    [
      'measures the end of the attempt from when its answer was lost, whatever the clock said before',
      { ...onItsWay, attemptEndsBy: NOW - 5_000 },
      { event: 'link-fault', ...moment, reason: busy },
      { state: 'pending', delivery: ['attempt'], reason: busy, lastAttemptAt: NOW, attemptEndsBy: NOW + 30_000 },
    ],
    [
      'backs off after a server error',
      onItsWay,
      { event: 'server-error', ...moment, status: 500, message: 'Server Error' },
      {
        state: 'pending',
        delivery: ['attempt'],
        attemptEndsBy: NOW + 30_000,
        lastAttemptAt: NOW,
        notBefore: NOW + 2_000,
        reason: { code: 'server-error', status: 500, message: 'Server Error' },
        serverErrors: { count: 1, since: NOW },
      },
    ],
    [
      'does not count the attempt when the server was too busy to look at it',
      { ...onItsWay, serverErrors: errors },
      {
        event: 'told-to-wait',
        ...moment,
        outcome: { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: false },
      },
      { state: 'pending', attempts: 1, reason: busy },
    ],
    [
      'may be delivered when the busy answer does not rule it out; the queue pauses, not the entry',
      { ...onItsWay, serverErrors: errors },
      {
        event: 'told-to-wait',
        ...moment,
        outcome: { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: true, retryAfter: 9_000 },
      },
      { state: 'pending', delivery: ['attempt'], reason: busy, attemptEndsBy: NOW + 30_000, lastAttemptAt: NOW },
    ],
    [
      'backs off by itself while its key is in flight',
      onItsWay,
      {
        event: 'told-to-wait',
        ...moment,
        outcome: { kind: 'busy', scope: 'entry', message: 'Busy.', mayBeDone: true, retryAfter: 0 },
      },
      {
        state: 'pending',
        delivery: ['attempt'],
        reason: busy,
        attemptEndsBy: NOW + 30_000,
        lastAttemptAt: NOW,
        notBefore: NOW + 4_000,
      },
    ],
    [
      'does not count the attempt without a sign-in, whose request may be a repeat',
      { ...onItsWay, serverErrors: errors },
      { event: 'signed-out' },
      { state: 'pending', attempts: 1, delivery: ['attempt'] },
    ],
    [
      'may be delivered after an unexpected error',
      { ...onItsWay, attempts: 0 },
      { event: 'crashed', ...moment, message: 'Oh.' },
      {
        state: 'pending',
        delivery: ['attempt'],
        notBefore: NOW + 2_000,
        lastAttemptAt: NOW,
        reason: { code: 'server-error', message: 'Oh.' },
      },
    ],
    [
      'keeps the message of a success without an id until the list reveals the id',
      { ...onItsWay, reason: busy },
      { event: 'accepted', message: 'Created.' },
      { state: 'pending', delivery: ['attempt'], acceptedMessage: 'Created.' },
    ],
    [
      'waits with a reason when the record has changed and could not be compared',
      onItsWay,
      { event: 'stale', reason },
      { state: 'pending', reason },
    ],
    [
      'needs the administrator when it cannot be sent as it is, and may still be delivered',
      { ...onItsWay, delivery: ['attempt'] },
      { event: 'held', reason },
      { state: 'attention', reason },
    ],
    [
      'asks which row is its own',
      { ...onItsWay, delivery: ['attempt'] },
      { event: 'held', reason, candidates: [3, 4] },
      { state: 'attention', reason, candidates: [3, 4] },
    ],
    [
      'keeps the server’s record in a conflict',
      onItsWay,
      { event: 'conflict', found: facts },
      {
        state: 'attention',
        conflict: facts,
        reason: { code: 'conflict', message: 'The record has since changed on the server.' },
      },
    ],
    [
      'is rebased on the server’s record: only an exported copy may still be delivered',
      { ...onItsWay, delivery: ['attempt', 'export'], merged: ['phone', 'link'], reason: busy },
      { event: 'rebased', change: repaired, idempotencyKey: 'new', merged: ['link', 'name'] },
      {
        state: 'pending',
        delivery: ['export'],
        change: repaired,
        idempotencyKey: 'new',
        merged: ['phone', 'link', 'name'],
      },
    ],
    [
      'continues under a new key when an earlier payload was delivered',
      { ...onItsWay, delivery: ['attempt', 'repair', 'earlier-payload'], earlier: edit, reason: busy },
      { event: 'key-reused', change: repaired, idempotencyKey: 'new' },
      {
        state: 'pending',
        delivery: ['repair'],
        change: repaired,
        idempotencyKey: 'new',
        earlier: undefined,
        reason: undefined,
      },
    ],
    [
      'keeps a receipt and drops the facts of its troubles',
      {
        ...onItsWay,
        delivery: ['attempt'],
        merged: ['link'],
        baselineIds: [1],
        acceptedMessage: 'Created.',
        earlier: edit,
        discarded: [edit],
        reason: busy,
      },
      { event: 'delivered', receipt: { at: NOW, message: 'Saved.' } },
      {
        state: 'done',
        delivery: [],
        receipt: { at: NOW, message: 'Saved.', merged: ['link'] },
        merged: undefined,
        baselineIds: undefined,
        acceptedMessage: undefined,
        earlier: undefined,
        discarded: undefined,
        attemptEndsBy: undefined,
        reason: undefined,
      },
    ],
    [
      'records no merged fields when nothing was merged',
      { state: 'sending' },
      { event: 'delivered', receipt: { at: NOW, message: 'Saved.' } },
      { state: 'done', receipt: { at: NOW, message: 'Saved.' } },
    ],
  ])('%s', (_, before, event, expected) => {
    expect(changed(entryOf(edit, before), event)).toStrictEqual(expected);
  });

  test('backs off by itself when the link could not carry its files', () => {
    const fault = { event: 'link-fault', ...moment, reason: busy } as const;
    expect(changed(entryOf(withFile, onItsWay), fault)).toMatchObject({ notBefore: NOW + 8_000 });
    expect(changed(entryOf(edit, onItsWay), fault)).not.toHaveProperty('notBefore');
  });
});
