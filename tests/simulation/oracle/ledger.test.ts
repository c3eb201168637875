import { describe, expect, test } from 'vitest';
import type { OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import { Ledger, type SavedChange } from './ledger.ts';

/** Records a change of the settings, or of a record, as it is requested. */
function asked(ledger: Ledger, change: Partial<SavedChange> = {}): SavedChange {
  const facts = { administrator: '1', op: 'update', resource: 'partners', record: 'record 1' } as const;
  return ledger.note({ ...facts, touched: {}, before: {}, seenAt: 0, files: [], ...change });
}

function saved(ledger: Ledger, entryId: string, change: Partial<SavedChange> = {}): SavedChange {
  const noted = asked(ledger, change);
  ledger.saved(noted, { id: entryId, idempotencyKey: entryId });
  return noted;
}

describe('the order of saves', () => {
  const title = ({ touched }: SavedChange) => touched['title'] !== undefined;

  test('is the order of their writes, not of the requests by two pages', () => {
    const ledger = new Ledger();
    const first = asked(ledger, { touched: { title: 'asked for first' } });
    const second = asked(ledger, { touched: { title: 'asked for while the storage was held' } });
    for (const idempotencyKey of ['second', 'first']) ledger.writes({ idempotencyKey });
    ledger.saved(first, { id: 'entry', idempotencyKey: 'first' });
    ledger.saved(second, { id: 'entry', idempotencyKey: 'second' });
    expect(ledger.superseded(second, title)).toBe(true);
    expect(ledger.superseded(first, title)).toBe(false);
  });

  test('is not changed by later writes', () => {
    const ledger = new Ledger();
    const [first, second] = [asked(ledger, { touched: { title: 'a' } }), asked(ledger, { touched: { title: 'b' } })];
    for (const idempotencyKey of ['first', 'second', 'first']) ledger.writes({ idempotencyKey });
    ledger.saved(first, { id: 'one', idempotencyKey: 'first' });
    ledger.saved(second, { id: 'other', idempotencyKey: 'second' });
    expect(ledger.superseded(first, title)).toBe(true);
    expect(ledger.superseded(second, title)).toBe(false);
  });

  test('is the order of the requests when no write was seen', () => {
    const ledger = new Ledger();
    const [first, second] = [asked(ledger, { touched: { title: 'a' } }), asked(ledger, { touched: { title: 'b' } })];
    expect(ledger.superseded(first, title)).toBe(true);
    expect(ledger.superseded(second, title)).toBe(false);
  });
});

describe('a delete', () => {
  test('also deletes earlier changes of its record, even if it is discarded later', () => {
    const ledger = new Ledger();
    const [before, , after] = [saved(ledger, 'a'), saved(ledger, 'b', { op: 'delete' }), saved(ledger, 'c')];
    ledger.giveUp(['b']);
    expect([before, after].map((change) => ledger.deletedAfter(change))).toEqual([true, false]);
  });

  test('that was undone deletes no earlier changes until a queue file brings it back', () => {
    const ledger = new Ledger();
    const [before] = [saved(ledger, 'a'), saved(ledger, 'b', { op: 'delete' })];
    const carried = ledger.carriedOff(['b']);
    ledger.undo('b');
    expect(ledger.deletedAfter(before)).toBe(false);
    ledger.takesIn(carried);
    expect(ledger.deletedAfter(before)).toBe(true);
  });

  test('that was discarded before an Undo still deletes the earlier changes', () => {
    const ledger = new Ledger();
    const [before] = [saved(ledger, 'a'), saved(ledger, 'b', { op: 'delete' })];
    ledger.giveUp(['b']);
    ledger.undo('b');
    expect(ledger.deletedAfter(before)).toBe(true);
  });
});

describe('a wiped storage', () => {
  const create = { id: 'a', sequence: 1, state: 'done', change: { op: 'create', resource: 'ups' } };
  const receipt = { serverId: 2 };
  const rest = { id: 'b', sequence: 1.5, change: { op: 'update', resource: 'ups', recordId: '2' } };
  const entries = (state: 'pending' | 'done') =>
    [
      { ...create, receipt },
      { ...rest, state },
    ] as OutboxEntry[];

  test('may lose the files of a create that one request did not carry', () => {
    const ledger = new Ledger();
    const made = saved(ledger, 'a', { op: 'create' });
    ledger.wiped(entries('pending'));
    expect(made.fate).toBe('unsure');
  });

  test('loses nothing of a create that has arrived whole', () => {
    const ledger = new Ledger();
    const made = saved(ledger, 'a', { op: 'create' });
    ledger.wiped(entries('done'));
    expect(made.fate).toBe('kept');
  });
});
