import { describe, expect, test } from 'vitest';
import type { LifeEvent } from '../../../src/domain/outbox/events.ts';
import { apply, eventOf } from '../../../src/domain/outbox/lifecycle.ts';
import { isUntouched } from '../../../src/domain/outbox/scheduler.ts';
import { changed, editing, entryOf, type MoreFacts, NOW, partner } from './samples.ts';

/** What each event leaves in an entry. Facts that are not listed stay unchanged; `undefined` means removed. */

const edit = editing('7', partner('Acme'), partner('Acme Ltd'), '1');
const repaired = editing('7', partner('Acme'), partner('Acme Inc'), '1');
const busy = { code: 'busy', message: 'Busy.' } as const;
const reason = { code: 'refused', message: 'No.' } as const;
const errors = { count: 2, since: NOW - 9_000 };
const moment = { now: NOW, random: 1 };
const facts = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };

const held: MoreFacts = { state: 'attention', attempts: 2, lastAttemptAt: NOW - 1_000, reason };

type Case = readonly [what: string, before: MoreFacts, event: LifeEvent, expected: Record<string, unknown>];

describe('a pending entry', () => {
  test.each<Case>([
    [
      'keeps its reason and its server errors while it is sent again',
      { notBefore: NOW, reason: busy, serverErrors: errors },
      { event: 'attempt', now: NOW, timesOutAt: NOW + 30_000 },
      { state: 'sending', attempts: 1, lastAttemptAt: NOW, attemptEndsBy: NOW + 60_000, notBefore: undefined },
    ],
    [
      'is due at once when its wait is ended',
      { notBefore: NOW + 9_000, reason: busy, serverErrors: errors },
      { event: 'hurry' },
      { notBefore: undefined },
    ],
    [
      'waits until an earlier request can no longer be under way, and keeps the rest',
      { notBefore: NOW, reason: busy, serverErrors: errors },
      { event: 'read-back-later', until: NOW + 7_000 },
      { notBefore: NOW + 7_000 },
    ],
    [
      'counts a failed preflight as a server error and not as an attempt',
      { serverErrors: errors },
      { event: 'preflight-failed', ...moment, status: 500, message: 'Server Error' },
      {
        lastAttemptAt: NOW,
        attemptEndsBy: NOW + 30_000,
        notBefore: NOW + 8_000,
        reason: { code: 'server-error', status: 500, message: 'Server Error' },
        serverErrors: { ...errors, count: 3 },
      },
    ],
    [
      'is retried later after an unexpected error',
      { attempts: 2, serverErrors: errors },
      { event: 'crashed', ...moment, message: 'Oh.' },
      { notBefore: NOW + 4_000, lastAttemptAt: NOW, reason: { code: 'server-error', message: 'Oh.' } },
    ],
    [
      'counts as tried once a deletion takes earlier changes along',
      {},
      { event: 'moot', change: repaired, tookAlong: 2 },
      { attempts: 1, change: repaired, tookAlong: 2 },
    ],
    ['may be sent from elsewhere once it is exported', {}, { event: 'export' }, { delivery: ['export'] }],
    [
      'may have been sent from elsewhere when it is imported',
      { reason: busy, notBefore: NOW, serverErrors: errors },
      { event: 'import' },
      { attempts: 1, delivery: ['export', 'attempt'], reason: undefined, notBefore: undefined },
    ],
    [
      'keeps its count of attempts when it is imported',
      { attempts: 3 },
      { event: 'import' },
      { delivery: ['export', 'attempt'] },
    ],
  ])('%s', (_, before, event, expected) => {
    expect(changed(entryOf(edit, before), event)).toStrictEqual(expected);
  });
});

describe('an entry that needed the administrator', () => {
  test.each<Case>([
    [
      'is retried unchanged under its own key',
      { ...held, delivery: ['attempt'], baselineIds: [1] },
      { event: 'retry', idempotencyKey: 'new' },
      { state: 'pending', reason: undefined },
    ],
    [
      'is sent as new when none of the candidate rows is its own',
      { ...held, delivery: ['attempt'], baselineIds: [1], candidates: [3] },
      { event: 'retry', idempotencyKey: 'new' },
      {
        state: 'pending',
        reason: undefined,
        candidates: undefined,
        baselineIds: undefined,
        delivery: [],
        attempts: 0,
        idempotencyKey: 'new',
      },
    ],
    [
      'takes the decision under the given key',
      { ...held, conflict: facts, delivery: ['export'] },
      { event: 'resolve', change: repaired, idempotencyKey: 'new' },
      { state: 'pending', reason: undefined, conflict: undefined, change: repaired, idempotencyKey: 'new' },
    ],
    [
      'starts afresh when it is repaired',
      {
        ...held,
        attemptEndsBy: NOW,
        baselineIds: [1],
        acceptedMessage: 'Created.',
        merged: ['link'],
      },
      { event: 'repair', change: repaired, title: 'Acme Inc' },
      {
        state: 'pending',
        attempts: 0,
        change: repaired,
        title: 'Acme Inc',
        delivery: ['repair'],
        reason: undefined,
        attemptEndsBy: undefined,
        lastAttemptAt: undefined,
        baselineIds: undefined,
        acceptedMessage: undefined,
        merged: undefined,
      },
    ],
    [
      'keeps its earlier payload as possibly delivered when it is repaired after an unanswered attempt',
      { ...held, delivery: ['attempt'], attemptEndsBy: NOW, baselineIds: [1] },
      { event: 'repair', change: repaired, title: 'Acme' },
      {
        state: 'pending',
        change: repaired,
        earlier: edit,
        delivery: ['attempt', 'repair', 'earlier-payload'],
        reason: undefined,
        lastAttemptAt: undefined,
      },
    ],
    [
      'keeps its exported payload as possibly delivered when it is repaired',
      { ...held, delivery: ['export'] },
      { event: 'repair', change: repaired, title: 'Acme' },
      {
        state: 'pending',
        attempts: 0,
        change: repaired,
        earlier: edit,
        delivery: ['export', 'repair', 'earlier-payload'],
        reason: undefined,
        lastAttemptAt: undefined,
      },
    ],
    [
      'remembers the attempted payload, not a repair that was never sent',
      { ...held, delivery: ['attempt', 'repair', 'earlier-payload'], earlier: edit, lastAttemptAt: undefined },
      { event: 'repair', change: repaired, title: 'Acme' },
      { state: 'pending', change: repaired, reason: undefined },
    ],
    [
      'forgets the earlier payload once the repaired one was attempted as well',
      { ...held, delivery: ['attempt', 'repair', 'earlier-payload'], earlier: edit },
      { event: 'repair', change: repaired, title: 'Acme' },
      { state: 'pending', change: repaired, earlier: undefined, reason: undefined, lastAttemptAt: undefined },
    ],
    ['needs them on another device too', held, { event: 'import' }, { delivery: ['export'] }],
  ])('%s', (_, before, event, expected) => {
    expect(changed(entryOf(edit, before), event)).toStrictEqual(expected);
  });

  test('can be merged into again after a repair', () => {
    const after = apply(entryOf(edit, held), { event: 'repair', change: repaired, title: 'Acme' });
    expect(isUntouched(after)).toBe(true);
  });
});

describe('an outcome', () => {
  test.each([
    [
      { kind: 'done', message: 'Saved.' },
      { event: 'delivered', receipt: { at: NOW, message: 'Saved.' } },
    ],
    [
      { kind: 'done', message: 'Created.', serverId: 7 },
      { event: 'delivered', receipt: { at: NOW, message: 'Created.', serverId: 7 } },
    ],
    [
      { kind: 'conflict', message: 'Changed.' },
      { event: 'stale', reason: { code: 'conflict', message: 'Changed.' } },
    ],
  ] as const)('%o becomes its own event', (outcome, event) => {
    expect(eventOf(outcome, moment)).toEqual(event);
  });
});
