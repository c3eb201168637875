import { describe, expect, test } from 'vitest';
import type { LifeEvent } from '../../../src/domain/outbox/events.ts';
import { changed, editing, entryOf, fileOf, type MoreFacts, NOW, partner } from './samples.ts';

/** What the end of an attempt leaves of a change, to the last fact: what is not named stays as it was, `undefined` is gone. */

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

describe('what is on its way', () => {
  test.each<Case>([
    [
      'is in doubt when its sender is gone',
      { ...onItsWay, serverErrors: errors },
      { event: 'sender-lost' },
      {
        state: 'pending',
        delivery: ['attempt'],
        reason: { code: 'no-answer', message: 'Sending was interrupted.' },
      },
    ],
    [
      'is in doubt without an answer, for as long as it can be under way',
      { ...onItsWay, serverErrors: errors },
      { event: 'link-fault', ...moment, reason: busy },
      { state: 'pending', delivery: ['attempt'], reason: busy, attemptEndsBy: NOW + 30_000, lastAttemptAt: NOW },
    ],
    [
      'can be under way no longer than was known before',
      { ...onItsWay, attemptEndsBy: NOW + 5_000 },
      { event: 'link-fault', ...moment, reason: busy },
      { state: 'pending', delivery: ['attempt'], reason: busy, lastAttemptAt: NOW },
    ],
    [
      'waits out a server’s error',
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
      'was no attempt where the server had no time to look',
      { ...onItsWay, serverErrors: errors },
      {
        event: 'told-to-wait',
        ...moment,
        outcome: { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: false },
      },
      { state: 'pending', attempts: 1, reason: busy },
    ],
    [
      'is in doubt where it may have been passed on; the queue waits, not the change',
      { ...onItsWay, serverErrors: errors },
      {
        event: 'told-to-wait',
        ...moment,
        outcome: { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: true, retryAfter: 9_000 },
      },
      { state: 'pending', delivery: ['attempt'], reason: busy, attemptEndsBy: NOW + 30_000, lastAttemptAt: NOW },
    ],
    [
      'waits by itself, longer each time, where its key is busy',
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
      'was no attempt without a sign-in',
      { ...onItsWay, serverErrors: errors },
      { event: 'signed-out' },
      { state: 'pending', attempts: 1 },
    ],
    [
      'is in doubt where something went wrong that nobody foresaw',
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
      'keeps the message of a success without an id until the list has told it',
      { ...onItsWay, reason: busy },
      { event: 'accepted', message: 'Created.' },
      { state: 'pending', delivery: ['attempt'], acceptedMessage: 'Created.' },
    ],
    [
      'waits with its reason where the record has changed and could not be compared',
      onItsWay,
      { event: 'stale', reason },
      { state: 'pending', reason },
    ],
    [
      'needs the administrator where it cannot be sent as it is; the doubt stays',
      { ...onItsWay, delivery: ['attempt'] },
      { event: 'held', reason },
      { state: 'attention', reason },
    ],
    [
      'asks which row it is',
      { ...onItsWay, delivery: ['attempt'] },
      { event: 'held', reason, candidates: [3, 4] },
      { state: 'attention', reason, candidates: [3, 4] },
    ],
    [
      'keeps what the server holds where both have changed the same',
      onItsWay,
      { event: 'conflict', facts },
      {
        state: 'attention',
        conflict: facts,
        reason: { code: 'conflict', message: 'The record has since changed on the server.' },
      },
    ],
    [
      'is laid over what the server holds; no attempt is in doubt, a copy still is',
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
      'goes on under a new key where an earlier payload had arrived',
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
      'leaves a receipt, and nothing of its troubles',
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
      'tells of nothing merged where nothing was',
      { state: 'sending' },
      { event: 'delivered', receipt: { at: NOW, message: 'Saved.' } },
      { state: 'done', receipt: { at: NOW, message: 'Saved.' } },
    ],
  ])('%s', (_, before, event, expected) => {
    expect(changed(entryOf(edit, before), event)).toStrictEqual(expected);
  });

  test('waits by itself, longer each time, where the link could not carry its files', () => {
    const fault = { event: 'link-fault', ...moment, reason: busy } as const;
    expect(changed(entryOf(withFile, onItsWay), fault)).toMatchObject({ notBefore: NOW + 8_000 });
    expect(changed(entryOf(edit, onItsWay), fault)).not.toHaveProperty('notBefore');
  });
});
