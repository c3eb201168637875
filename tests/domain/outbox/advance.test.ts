import { describe, expect, test } from 'vitest';
import {
  advance,
  attemptStarted,
  confirmed,
  isPaused,
  pauseAfter,
  senderLost,
} from '../../../src/domain/outbox/advance.ts';
import { LONGEST_WAIT } from '../../../src/domain/outbox/backoff.ts';
import type { OutboxEntry, Outcome, QueuePause } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, editing, entryOf, NOW, partner } from './samples.ts';

const edit = editing('7', partner('Acme'), partner('Acme Ltd'), '1');
const uncertain: Outcome = { kind: 'uncertain', message: 'No answer came.' };
const serverError: Outcome = { kind: 'uncertain', status: 500, message: 'Server Error' };
const busy: Outcome = { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: false };

function sending(more: Partial<OutboxEntry> = {}): OutboxEntry {
  return attemptStarted(entryOf(edit, more), NOW, NOW + 30_000);
}

describe('an attempt', () => {
  test('is counted and timed before its request goes out', () => {
    expect(sending()).toMatchObject({ state: 'sending', attempts: 1, lastAttemptAt: NOW, attemptEndsBy: NOW + 60_000 });
  });

  test('that was interrupted leaves the change in doubt', () => {
    expect(senderLost(sending())).toMatchObject({ state: 'uncertain', doubt: true, attempts: 1 });
  });

  test('without an answer leaves the change in doubt, to be tried when the queue goes on', () => {
    const after = advance(sending(), uncertain, NOW, 0.5);
    expect(after).toMatchObject({ state: 'uncertain', doubt: true, reason: { code: 'no-answer' } });
    expect(after.notBefore).toBeUndefined();
  });

  test('that met no server at all leaves the change in doubt: a portal may have passed it on', () => {
    const after = advance(sending(), { kind: 'unreachable', message: 'A page.' }, NOW, 0.5);
    expect(after).toMatchObject({ state: 'uncertain', doubt: true, reason: { code: 'unreachable' } });
  });

  test.each([
    ['a sign-in was missing', { kind: 'signed-out', message: '' }],
    ['the server was busy', busy],
  ] as [string, Outcome][])('does not count where %s', (_why, outcome) => {
    const after = advance(sending(), outcome, NOW, 0.5);
    expect(after).toMatchObject({ state: 'queued', attempts: 0 });
    expect(after.doubt).toBeUndefined();
  });

  test('that was told to wait by a 503 stays in doubt: a proxy can say that after the server committed', () => {
    expect(advance(sending(), { ...busy, mayBeDone: true }, NOW, 0.5)).toMatchObject({
      state: 'uncertain',
      doubt: true,
    });
  });

  test('keeps an older doubt when it was not looked at', () => {
    expect(advance(sending({ doubt: true, attempts: 1 }), busy, NOW, 0.5)).toMatchObject({
      state: 'uncertain',
      doubt: true,
      attempts: 1,
    });
  });

  test('that meets a busy key waits as told, by itself', () => {
    const inFlight: Outcome = { kind: 'busy', scope: 'entry', message: '', retryAfter: 3_000, mayBeDone: true };
    expect(advance(sending(), inFlight, NOW, 0.5)).toMatchObject({ state: 'uncertain', notBefore: NOW + 3_000 });
  });
});

describe('a refusal', () => {
  const refusal: Outcome = { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Invalid.' } };

  test('waits for the administrator with its reason, and nothing is in doubt any more', () => {
    const after = advance(sending({ doubt: true }), refusal, NOW, 0.5);
    expect(after).toMatchObject({ state: 'refused', reason: { status: 422, message: 'Invalid.' } });
    expect(after.doubt).toBeUndefined();
  });
});

describe('answered server errors', () => {
  test('delay their own change by a growing backoff', () => {
    const once = advance(sending(), serverError, NOW, 1);
    const twice = advance(attemptStarted(once, NOW, NOW), serverError, NOW, 1);
    expect([once.notBefore, twice.notBefore]).toEqual([NOW + 2_000, NOW + 4_000]);
    expect(twice).toMatchObject({ state: 'uncertain', doubt: true, serverErrors: { count: 2, since: NOW } });
  });

  test('ten of them over thirty minutes need the administrator', () => {
    const since = NOW - 30 * 60_000;
    const after = advance(sending({ serverErrors: { count: 9, since } }), serverError, NOW, 0.5);
    expect(after).toMatchObject({ state: 'refused', doubt: true, reason: { code: 'server-errors', status: 500 } });
  });

  test.each([
    ['nine of them', { count: 8, since: NOW - 60 * 60_000 }],
    ['ten of them within half an hour', { count: 9, since: NOW - 29 * 60_000 }],
  ])('%s do not', (_name, serverErrors) => {
    expect(advance(sending({ serverErrors }), serverError, NOW, 0.5).state).toBe('uncertain');
  });
});

test('a confirmed change keeps its receipt and what was merged, and nothing of its troubles', () => {
  const troubled = sending({ doubt: true, merged: ['link'], knownIds: [1], reason: { code: 'busy', message: '' } });
  const done = confirmed(troubled, { at: NOW, message: 'Saved.' });
  expect(done).toMatchObject({ state: 'done', receipt: { at: NOW, message: 'Saved.', merged: ['link'] } });
  for (const key of ['doubt', 'reason', 'knownIds', 'merged', 'notBefore', 'attemptEndsBy'])
    expect(done).not.toHaveProperty(key);
});

describe('the queue’s pause', () => {
  const paused: QueuePause = { cause: 'unreachable', since: NOW - 60_000, until: NOW, failures: 2 };

  test.each([
    ['no answer', uncertain],
    ['a foreign answer', { kind: 'unreachable', message: '' }],
    ['a gateway’s error', { kind: 'uncertain', status: 502, message: '' }],
  ] as [string, Outcome][])('grows with %s', (_name, outcome) => {
    expect(pauseAfter(paused, outcome, NOW, 1)).toEqual({
      cause: 'unreachable',
      since: NOW - 60_000,
      until: NOW + 8_000,
      failures: 3,
    });
  });

  test.each([
    ['a success', { kind: 'done', message: '' }],
    ['a refusal', { kind: 'refused', reason: { code: 'refused', message: '' } }],
    ['a conflict', { kind: 'conflict', message: '' }],
    ['a server error of one change', serverError],
  ] as [string, Outcome][])('ends with %s: the link is good', (_name, outcome) => {
    expect(pauseAfter(paused, outcome, NOW, 1)).toBeUndefined();
  });

  test.each([502, 504])('begins where a gateway answers %i in the server’s place', (status) => {
    const outcome: Outcome = { kind: 'uncertain', status, message: '' };
    expect(pauseAfter(undefined, outcome, NOW, 1)).toMatchObject({ cause: 'unreachable', until: NOW + 2_000 });
  });

  test('grows each time that a busy server does not say for how long', () => {
    const first = pauseAfter(undefined, busy, NOW, 1);
    const second = pauseAfter(first, busy, NOW, 1);
    const third = pauseAfter(second, busy, NOW, 1);
    expect([first, second, third].map((pause) => (pause?.until ?? 0) - NOW)).toEqual([2_000, 4_000, 8_000]);
    expect(pauseAfter(paused, busy, NOW, 1)).toMatchObject({ cause: 'busy', failures: 1 });
  });

  test('is as long as the server asks', () => {
    expect(pauseAfter(undefined, { ...busy, retryAfter: 90_000 }, NOW, 0)).toMatchObject({
      cause: 'busy',
      until: NOW + 90_000,
    });
  });

  test('waits without end for a sign-in', () => {
    const pause = pauseAfter(undefined, { kind: 'signed-out', message: '' }, NOW, 0);
    expect(pause?.until).toBeUndefined();
    expect(isPaused(pause, NOW + 10 ** 12)).toBe(true);
  });

  test('is in force also when it began before the clock was set back', () => {
    const later = NOW - 48 * 3_600_000;
    expect(isPaused(pauseAfter(paused, uncertain, later, 1), later + 1)).toBe(true);
  });

  test('does not outlast a clock that is set back two days', () => {
    const pause = pauseAfter(undefined, uncertain, NOW, 1);
    expect(isPaused(pause, NOW + 1_000)).toBe(true);
    expect(isPaused(pause, NOW - 48 * 3_600_000)).toBe(false);
    expect(isPaused({ ...paused, since: 0, until: NOW + 2 * LONGEST_WAIT }, NOW)).toBe(false);
  });
});

test('a create is no different: nothing of an outcome depends on the kind of change', () => {
  const created = attemptStarted(entryOf(creating()), NOW, NOW);
  expect(advance(created, uncertain, NOW, 0.5)).toMatchObject({ state: 'uncertain', doubt: true });
});
