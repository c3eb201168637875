import { describe, expect, test } from 'vitest';
import { blockedIds, idsHeldByQuestion, next } from '../../../src/domain/outbox/scheduler.ts';
import type { OutboxEntry, QueuePause } from '../../../src/domain/outbox/vocabulary.ts';
import { creating, deleting, editing, entryOf, fileOf, NOW, partner } from './samples.ts';

const edit = (recordId: string, to = 'Acme Ltd') => editing(recordId, partner('Acme'), partner(to), '1');

function step(entries: readonly OutboxEntry[], pause?: QueuePause, administrator: string | undefined = '1') {
  return next({ entries, pause, administrator }, NOW);
}

test('the oldest change goes first', () => {
  const [first, second] = [entryOf(creating('local-1')), entryOf(creating('local-2'))];
  expect(step([first, second])).toEqual({ do: 'send', entry: first });
});

test('a change waits for an earlier one of its record, not for other records', () => {
  const refused = entryOf(edit('7'), { state: 'attention' });
  const behind = entryOf(edit('7'));
  const other = entryOf(edit('8'));
  expect(step([refused, behind, other])).toEqual({ do: 'send', entry: other });
  expect(blockedIds([refused, behind, other], '1')).toEqual(new Set([behind.id]));
});

test('changes to a candidate row of a new record wait until the administrator has answered', () => {
  const question = entryOf(creating('local-1'), { state: 'attention', delivery: ['attempt'], candidates: [7] });
  const held = entryOf(edit('7'));
  const other = entryOf(edit('8'));
  expect(step([question, held, other])).toEqual({ do: 'send', entry: other });
  expect(step([question, held])).toEqual({ do: 'idle' });
  expect(idsHeldByQuestion([question, held, other], '1')).toEqual(new Set([held.id]));
  const theirs = entryOf(edit('7'), { administrator: '2' });
  expect(step([question, theirs], undefined, '2')).toEqual({ do: 'send', entry: theirs });
});

test('an edit never goes before its record’s create', () => {
  const create = entryOf(creating('local-1'), {
    state: 'pending',
    delivery: ['attempt'],
    notBefore: NOW + 9_000,
    lastAttemptAt: NOW,
  });
  expect(step([create, entryOf(edit('local-1'))])).toEqual({ do: 'wait', until: NOW + 9_000 });
});

test('sends nothing while nobody is signed in', () => {
  expect(next({ entries: [entryOf(edit('7'))], pause: undefined, administrator: undefined }, NOW)).toEqual({
    do: 'idle',
  });
});

test('another administrator’s changes stay, and do not hold back the current one’s', () => {
  const theirs = entryOf(edit('7'), { administrator: '2' });
  const mine = entryOf(edit('7'));
  expect(step([theirs, mine])).toEqual({ do: 'send', entry: mine });
  expect(step([theirs])).toEqual({ do: 'idle' });
});

test('an edit waits for another administrator’s create of its record', () => {
  const theirs = entryOf(creating('local-1'), { administrator: '2' });
  expect(step([theirs, entryOf(edit('local-1'))])).toEqual({ do: 'idle' });
});

test('leaves a change of a newer version of the app alone', () => {
  const mine = entryOf(edit('8'));
  expect(step([entryOf(edit('7'), { schema: 99 }), mine])).toEqual({ do: 'send', entry: mine });
});

test('a pause holds everything back until it ends', () => {
  const pause: QueuePause = { cause: 'busy', since: NOW - 1, until: NOW + 5_000, failures: 1 };
  expect(step([entryOf(edit('7'))], pause)).toEqual({ do: 'wait', until: NOW + 5_000 });
  expect(step([entryOf(edit('7'))], { ...pause, until: NOW }).do).toBe('send');
});

test('a pause for a sign-in has no end time', () => {
  expect(step([entryOf(edit('7'))], { cause: 'signed-out', since: NOW, failures: 0 })).toEqual({ do: 'idle' });
});

test('waits for the first change that becomes due', () => {
  const late = entryOf(edit('7'), { state: 'pending', notBefore: NOW + 9_000, lastAttemptAt: NOW });
  const soon = entryOf(edit('8'), { state: 'pending', notBefore: NOW + 2_000, lastAttemptAt: NOW });
  expect(step([late, soon])).toEqual({ do: 'wait', until: NOW + 2_000 });
});

test('does not wait for a change that needs the administrator', () => {
  expect(step([entryOf(edit('7'), { state: 'attention' }), entryOf(edit('8'), { state: 'attention' })])).toEqual({
    do: 'idle',
  });
});

describe('a delete', () => {
  const undoable = (recordId: string, more = {}) =>
    entryOf(deleting(recordId), { createdAt: NOW - 1_000, notBefore: NOW + 5_000, ...more });

  test('can be undone for a while, and holds back earlier changes meanwhile', () => {
    expect(step([entryOf(edit('7')), undoable('7')])).toEqual({ do: 'wait', until: NOW + 5_000 });
  });

  test('makes earlier edits moot when it is due', () => {
    const moot = entryOf(edit('7'));
    const deletion = undoable('7', { notBefore: NOW });
    expect(step([moot, deletion])).toEqual({ do: 'settle', moot: [moot], deletion, neverSent: false });
  });

  test('needs no request for a record that never reached the server', () => {
    const create = entryOf(creating('local-1'));
    const change = entryOf(edit('local-1'));
    const deletion = entryOf(deleting('local-1'));
    expect(step([create, change, deletion])).toEqual({
      do: 'settle',
      moot: [create, change],
      deletion,
      neverSent: true,
    });
  });

  test('makes a refused edit moot', () => {
    const refused = entryOf(edit('7'), { state: 'attention', attempts: 1 });
    expect(step([refused, entryOf(deleting('7'))])).toMatchObject({ do: 'settle', moot: [refused] });
  });

  test('waits behind a create that may be delivered', () => {
    const create = entryOf(creating('local-1'), { state: 'pending', delivery: ['attempt'], attempts: 1 });
    expect(step([create, entryOf(deleting('local-1'))])).toEqual({ do: 'send', entry: create });
  });

  test('waits behind a refused create that may be delivered', () => {
    const create = entryOf(creating('local-1'), { state: 'attention', delivery: ['attempt'], attempts: 10 });
    expect(step([create, entryOf(deleting('local-1'))])).toEqual({ do: 'idle' });
  });

  test('is sent when no change of its record precedes it', () => {
    const deletion = entryOf(deleting('7'));
    expect(step([deletion])).toEqual({ do: 'send', entry: deletion });
  });
});

test('an exported change goes before its record’s deletion, since another device may have sent it', () => {
  const exported = entryOf(edit('7'), { delivery: ['export'] });
  const deletion = entryOf(deleting('7'));
  expect(step([exported, deletion])).toEqual({ do: 'send', entry: exported });
  const refused = entryOf(edit('7'), { delivery: ['export'], state: 'attention' });
  expect(step([refused, deletion])).toMatchObject({ do: 'settle', moot: [refused], deletion });
});

test('waits for the shortest of several waits, in any order', () => {
  const waiting = (recordId: string, seconds: number) =>
    entryOf(edit(recordId), { lastAttemptAt: NOW, notBefore: NOW + seconds * 1_000 });
  expect(step([waiting('7', 5), waiting('8', 9)])).toEqual({ do: 'wait', until: NOW + 5_000 });
  expect(step([waiting('7', 9), waiting('8', 5)])).toEqual({ do: 'wait', until: NOW + 5_000 });
});

describe('a change that was interrupted', () => {
  const cut = {
    delivery: ['attempt'],
    attempts: 1,
    reason: { code: 'no-answer', message: 'No answer came.' },
  } as const;
  const withFile = (recordId: string) => ({ ...edit(recordId), files: [fileOf(recordId)] });

  test('keeps its turn without files, since the link was at fault', () => {
    const first = entryOf(edit('7'), { ...cut, lastAttemptAt: NOW - 1_000 });
    expect(step([first, entryOf(edit('8'))])).toEqual({ do: 'send', entry: first });
  });

  test('lets the others go first when it carries files', () => {
    const large = entryOf(withFile('7'), { ...cut, lastAttemptAt: NOW - 1_000 });
    const small = entryOf(edit('8'));
    expect(step([large, small])).toEqual({ do: 'send', entry: small });
  });

  test('goes before changes with files that were tried more recently', () => {
    const lately = entryOf(withFile('7'), { ...cut, lastAttemptAt: NOW - 1_000 });
    const before = entryOf(withFile('8'), { ...cut, lastAttemptAt: NOW - 9_000 });
    expect(step([lately, before])).toEqual({ do: 'send', entry: before });
  });
});

describe('a change', () => {
  test('is not held back by one that is confirmed', () => {
    const mine = entryOf(edit('7'));
    const done = entryOf(edit('7'), { state: 'done', receipt: { at: NOW, message: 'Saved.' } });
    expect(step([done, mine])).toEqual({ do: 'send', entry: mine });
  });

  test('is held back when only some of the changes a deletion would settle were never sent', () => {
    const refused = entryOf(edit('7'), { state: 'attention' });
    const unknown = entryOf(edit('7', 'Acme Inc'), { delivery: ['attempt'], attempts: 1 });
    expect(step([refused, unknown, entryOf(deleting('7'))])).toEqual({ do: 'idle' });
  });

  test('is not moot when the server has accepted its create', () => {
    const accepted = entryOf(creating('local-1'), { acceptedMessage: 'Created.', attempts: 1 });
    expect(step([accepted, entryOf(deleting('local-1'))])).toEqual({ do: 'send', entry: accepted });
  });

  test('waits for another administrator’s create of its record, and for none of their other changes', () => {
    const mine = entryOf(edit('local-1'));
    const theirs = { administrator: '2' } as const;
    expect(step([entryOf(creating('local-1'), theirs), mine])).toEqual({ do: 'idle' });
    expect(step([entryOf(edit('local-1'), theirs), mine])).toEqual({ do: 'send', entry: mine });
  });

  test('is sent once a pause is over, and an empty queue stays idle', () => {
    const pause: QueuePause = { cause: 'busy', since: NOW - 1_000, until: NOW, failures: 1 };
    const mine = entryOf(edit('7'));
    expect(step([mine], pause)).toEqual({ do: 'send', entry: mine });
    expect(step([])).toEqual({ do: 'idle' });
  });
});

test('a wait from before the clock was set back is over, however old the change is', () => {
  const waits = { createdAt: 0, lastAttemptAt: NOW + 3_600_000, notBefore: NOW + 3_700_000, attempts: 1 };
  const entry = entryOf(edit('7'), waits);
  expect(step([entry])).toEqual({ do: 'send', entry });
  expect(step([entryOf(edit('7'), { ...waits, lastAttemptAt: NOW - 1 })])).toMatchObject({ do: 'wait' });
});
