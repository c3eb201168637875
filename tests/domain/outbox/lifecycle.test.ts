import { describe, expect, test } from 'vitest';
import type { LifeEvent } from '../../../src/domain/outbox/events.ts';
import { apply, eventOf, LIFECYCLE } from '../../../src/domain/outbox/lifecycle.ts';
import { isPaused, isUpheld, pauseAfter } from '../../../src/domain/outbox/pause.ts';
import { LONGEST_WAIT } from '../../../src/domain/outbox/backoff.ts';
import type { OutboxEntry, Outcome, Phase, QueuePause } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, editing, entryOf, type MoreFacts, NOW, partner } from './samples.ts';

const edit = editing('7', partner('Acme'), partner('Acme Ltd'), '1');
const uncertain: Outcome = { kind: 'uncertain', message: 'No answer came.' };
const serverError: Outcome = { kind: 'uncertain', status: 500, message: 'Server Error' };
const SUCCESS: Outcome = { kind: 'done', message: '' };
const busy: Outcome = { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: false };

function attempted(entry: OutboxEntry, timesOutAt = NOW + 30_000): OutboxEntry {
  return apply(entry, { event: 'attempt', now: NOW, timesOutAt });
}

function sending(more: MoreFacts = {}): OutboxEntry {
  return attempted(entryOf(edit, more));
}

function advance(entry: OutboxEntry, outcome: Outcome, now: number, random: number): OutboxEntry {
  return apply(entry, eventOf(outcome, { now, random }));
}

describe('an attempt', () => {
  test('is counted and timed before its request goes out', () => {
    expect(sending()).toMatchObject({ state: 'sending', attempts: 1, lastAttemptAt: NOW, attemptEndsBy: NOW + 60_000 });
  });

  test('leaves the entry possibly delivered when it is interrupted', () => {
    expect(apply(sending(), { event: 'sender-lost' })).toMatchObject({
      state: 'pending',
      delivery: ['attempt'],
      attempts: 1,
    });
  });

  test('leaves the entry possibly delivered without an answer, to be retried when the queue resumes', () => {
    const after = advance(sending(), uncertain, NOW, 0.5);
    expect(after).toMatchObject({ state: 'pending', delivery: ['attempt'] });
    expect(after.reason).toEqual({ code: 'no-answer', message: 'No answer came.' });
    expect(after.notBefore).toBeUndefined();
  });

  test('leaves the entry possibly delivered when a portal answers, which may have passed it on', () => {
    const after = advance(sending(), { kind: 'unreachable', message: 'A page.' }, NOW, 0.5);
    expect(after).toMatchObject({
      state: 'pending',
      delivery: ['attempt'],
      reason: { code: 'unreachable', message: 'A page.' },
    });
  });

  test.each([
    ['a sign-in was missing, but may be delivered', { kind: 'signed-out', message: '' }, ['attempt']],
    ['the server was busy', busy, []],
  ] as [string, Outcome, string[]][])('does not count when %s', (_why, outcome, delivery) => {
    const after = advance(sending(), outcome, NOW, 0.5);
    expect(after).toMatchObject({ state: 'pending', delivery, attempts: 0 });
  });

  test('leaves the entry possibly delivered after a 503, which a proxy may send after the commit', () => {
    expect(advance(sending(), { ...busy, mayBeDone: true }, NOW, 0.5)).toMatchObject({
      state: 'pending',
      delivery: ['attempt'],
    });
  });

  test('keeps an earlier unknown delivery when the server did not look at it', () => {
    expect(advance(sending({ delivery: ['attempt'], attempts: 1 }), busy, NOW, 0.5)).toMatchObject({
      state: 'pending',
      delivery: ['attempt'],
      attempts: 1,
    });
  });

  test('waits for as long as a busy key asks, without pausing the queue', () => {
    const inFlight: Outcome = { kind: 'busy', scope: 'entry', message: '', retryAfter: 3_000, mayBeDone: true };
    expect(advance(sending(), inFlight, NOW, 0.5)).toMatchObject({ state: 'pending', notBefore: NOW + 3_000 });
  });
});

describe('a refusal', () => {
  const refusal: Outcome = { kind: 'refused', reason: { code: 'refused', status: 422, message: 'Invalid.' } };

  test('waits for the administrator with its reason, and settles the delivery', () => {
    const after = advance(sending({ delivery: ['attempt'] }), refusal, NOW, 0.5);
    expect(after).toMatchObject({ state: 'attention', delivery: [], reason: { status: 422, message: 'Invalid.' } });
  });
});

describe('server errors', () => {
  test('delay their own entry with a growing backoff', () => {
    const once = advance(sending(), serverError, NOW, 1);
    const twice = advance(attempted(once, NOW), serverError, NOW, 1);
    expect([once.notBefore, twice.notBefore]).toEqual([NOW + 2_000, NOW + 4_000]);
    expect(twice).toMatchObject({ state: 'pending', delivery: ['attempt'], serverErrors: { count: 2, since: NOW } });
  });

  test('need the administrator after ten in thirty minutes', () => {
    const since = NOW - 30 * 60_000;
    const after = advance(sending({ serverErrors: { count: 9, since } }), serverError, NOW, 0.5);
    expect(after).toMatchObject({
      state: 'attention',
      delivery: ['attempt'],
      reason: { code: 'server-errors', status: 500 },
    });
  });

  test.each([
    ['nine of them', { count: 8, since: NOW - 60 * 60_000 }],
    ['ten of them within half an hour', { count: 9, since: NOW - 29 * 60_000 }],
  ])('do not need the administrator after %s', (_name, serverErrors) => {
    expect(advance(sending({ serverErrors }), serverError, NOW, 0.5).state).toBe('pending');
  });
});

test('a confirmed change keeps its receipt and merged fields, and nothing else', () => {
  const troubled = sending({
    delivery: ['attempt'],
    merged: ['link'],
    baselineIds: [1],
    reason: { code: 'busy', message: '' },
  });
  const done = apply(troubled, { event: 'delivered', receipt: { at: NOW, message: 'Saved.' } });
  expect(done).toMatchObject({
    state: 'done',
    delivery: [],
    receipt: { at: NOW, message: 'Saved.', merged: ['link'] },
  });
  for (const key of ['reason', 'baselineIds', 'merged', 'notBefore', 'attemptEndsBy'])
    expect(done).not.toHaveProperty(key);
});

test.each(['sending', 'attention', 'done'] as const)('no attempt starts for an entry in state %s', (state) => {
  const entry = entryOf(edit, { state });
  expect(attempted(entry)).toBe(entry);
});

describe('the queue’s pause', () => {
  const paused: QueuePause = { cause: 'unreachable', since: NOW - 60_000, until: NOW, failures: 2 };

  test.each([
    ['no answer', uncertain],
    ['a portal’s answer', { kind: 'unreachable', message: '' }],
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
  ] as [string, Outcome][])('ends with %s, which proves that the link works', (_name, outcome) => {
    expect(pauseAfter(paused, outcome, NOW, 1)).toBeUndefined();
  });

  test.each([502, 504])('starts when a gateway answers %i in the server’s place', (status) => {
    const outcome: Outcome = { kind: 'uncertain', status, message: '' };
    expect(pauseAfter(undefined, outcome, NOW, 1)).toMatchObject({ cause: 'unreachable', until: NOW + 2_000 });
  });

  test.each([busy, { ...busy, message: 'At once!', retryAfter: 0 }])(
    'grows each time that a server says: $message',
    (told) => {
      const first = pauseAfter(undefined, told, NOW, 1);
      const second = pauseAfter(first, told, NOW, 1);
      const third = pauseAfter(second, told, NOW, 1);
      expect([first, second, third].map((pause) => (pause?.until ?? 0) - NOW)).toEqual([2_000, 4_000, 8_000]);
      expect(pauseAfter(paused, busy, NOW, 1)).toMatchObject({ cause: 'busy', failures: 1 });
    },
  );

  test.each<QueuePause>([
    { cause: 'busy', since: NOW - 60_000, until: NOW, failures: 5 },
    { cause: 'signed-out', since: NOW - 60_000, failures: 0 },
  ])('starts afresh for the link when its cause was $cause before', (before) => {
    const pause = { cause: 'unreachable', since: NOW, until: NOW + 2_000, failures: 1 };
    expect(pauseAfter(before, uncertain, NOW, 1)).toEqual(pause);
  });

  test('lasts as long as the server asks', () => {
    expect(pauseAfter(undefined, { ...busy, retryAfter: 90_000 }, NOW, 0)).toMatchObject({
      cause: 'busy',
      until: NOW + 90_000,
    });
  });

  test('lasts as long as a busy server asks, even for a day', () => {
    const day = 24 * 3_600_000;
    const pause = pauseAfter(undefined, { ...busy, retryAfter: day }, NOW, 0);
    expect([NOW, NOW + day - 1, NOW + day].map((now) => isPaused(pause, now))).toEqual([true, true, false]);
  });

  test('lasts until the next sign-in when the session has ended', () => {
    const pause = pauseAfter(undefined, { kind: 'signed-out', message: '' }, NOW, 0);
    expect(pause?.until).toBeUndefined();
    expect(isPaused(pause, NOW + 10 ** 12)).toBe(true);
  });

  test('is in force even when it began before the clock was set back', () => {
    const later = NOW - 48 * 3_600_000;
    expect(isPaused(pauseAfter(paused, uncertain, later, 1), later + 1)).toBe(true);
  });

  const until = (cause: QueuePause['cause'], wait?: number): QueuePause => ({
    cause,
    since: NOW,
    ...(wait === undefined ? {} : { until: NOW + wait }),
    failures: 1,
  });
  const signedOut: Outcome = { kind: 'signed-out', message: '' };

  test.each<[string, QueuePause, Outcome, boolean]>([
    ['a busy server’s pause outlasts a request that succeeds', until('busy', 9_000), SUCCESS, true],
    ['a busy server’s pause outlasts a request without an answer', until('busy', 9_000), uncertain, true],
    ['a busy server’s pause outlasts a shorter one', until('busy', 9_000), { ...busy, retryAfter: 5_000 }, true],
    ['a busy server’s pause is replaced by a longer one', until('busy', 5_000), { ...busy, retryAfter: 9_000 }, false],
    ['a busy server’s pause is replaced by a missing sign-in', until('busy', 9_000), signedOut, false],
    ['a missing sign-in outlasts a busy server', until('signed-out'), busy, true],
    ['the link’s pause is replaced by a shorter one of the server', until('unreachable', 99_000), busy, false],
    ['the link’s pause outlasts a request that succeeds', until('unreachable', 9_000), SUCCESS, true],
    ['an expired pause outlasts nothing', until('busy', 0), SUCCESS, false],
  ])('with another request under way: %s', (_what, pause, outcome, isKept) => {
    expect(isUpheld(pause, outcome, pauseAfter(undefined, outcome, NOW, 1), NOW)).toBe(isKept);
  });

  test('does not survive a clock that is set back two days', () => {
    const pause = pauseAfter(undefined, uncertain, NOW, 1);
    expect(isPaused(pause, NOW + 1_000)).toBe(true);
    expect(isPaused(pause, NOW - 48 * 3_600_000)).toBe(false);
    expect(isPaused({ ...paused, since: 0, until: NOW + 2 * LONGEST_WAIT }, NOW)).toBe(false);
  });
});

test('outcomes do not depend on the kind of change', () => {
  const created = attempted(entryOf(creating()));
  expect(advance(created, uncertain, NOW, 0.5)).toMatchObject({ state: 'pending', delivery: ['attempt'] });
});

describe('the lifecycle table', () => {
  const reason = { code: 'refused', message: 'No.' } as const;
  const moment = { now: NOW, random: 0.5, status: 500, message: 'Server Error', reason };
  const outcome: Outcome & { kind: 'busy' } = { kind: 'busy', scope: 'queue', message: 'Busy.', mayBeDone: true };
  const facts = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };
  const known = {
    change: edit,
    idempotencyKey: 'k',
    title: 'T',
    until: NOW,
    timesOutAt: NOW,
    merged: [],
    found: facts,
    outcome,
  };
  const entries: Readonly<Record<Phase, OutboxEntry>> = {
    pending: entryOf(edit, { notBefore: NOW, serverErrors: { count: 9, since: 0 } }),
    sending: sending({ serverErrors: { count: 1, since: NOW } }),
    attention: entryOf(edit, { state: 'attention', reason, conflict: facts, candidates: [1] }),
    done: entryOf(edit, { state: 'done', receipt: { at: NOW, message: '' } }),
  };
  const facets = { pending: ['notBefore', 'reason', 'serverErrors'], attention: ['reason', 'conflict', 'candidates'] };
  const allowed: Readonly<Record<Phase, readonly string[]>> = {
    ...facets,
    sending: ['reason', 'serverErrors'],
    done: ['receipt'],
  };
  const names = Object.keys(LIFECYCLE) as (keyof typeof LIFECYCLE)[];

  test.each(names.flatMap((event) => (Object.keys(entries) as Phase[]).map((phase) => [event, phase] as const)))(
    'says where %s leads from %s, and drops the facts of other phases',
    (event, phase) => {
      const receipt = { at: NOW, message: 'Saved.' };
      const after = apply(entries[phase], { event, ...moment, ...known, receipt } as unknown as LifeEvent);
      const { moves } = LIFECYCLE[event];
      expect(moves[phase] ?? [phase]).toContain(after.state);
      if (moves[phase] === undefined) expect(after).toBe(entries[phase]);
      for (const fact of ['notBefore', 'reason', 'serverErrors', 'conflict', 'candidates', 'receipt'])
        if (!allowed[after.state].includes(fact)) expect(after).not.toHaveProperty(fact);
    },
  );
});

test.each(['pending', 'sending'] as const)(
  'a refusal of an entry in state %s clears every wait and settles the delivery',
  (state) => {
    const waiting = entryOf(edit, {
      notBefore: NOW + 9_000,
      serverErrors: { count: 3, since: NOW },
      delivery: ['attempt'],
    });
    const entry = state === 'sending' ? attempted(waiting) : waiting;
    const refused = apply(entry, { event: 'refused', reason: { code: 'refused', message: 'No.' } });
    expect(refused).toMatchObject({ state: 'attention', reason: { code: 'refused' }, delivery: [] });
    for (const gone of ['notBefore', 'serverErrors']) expect(refused).not.toHaveProperty(gone);
  },
);
