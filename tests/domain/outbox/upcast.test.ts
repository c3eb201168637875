import { describe, expect, test } from 'vitest';
import { upcast } from '../../../src/domain/outbox/upcast.ts';
import { ENTRY_SCHEMA, type OutboxEntry } from '../../../src/domain/outbox/vocabulary.ts';
import type { Version3 } from './old-shapes.ts';
import { creating, editing, entryOf, NOW } from './samples.ts';

/** An entry as an older version of the app has stored it. */
function stored(state: Version3['state'], more: Readonly<Record<string, unknown>> = {}): OutboxEntry {
  const { delivery: _, ...facts } = entryOf(creating());
  return { ...facts, schema: 3, state, ...more } as unknown as OutboxEntry;
}

const reason = { code: 'no-answer', message: 'No answer came.' };
const conflict = { theirs: { values: {}, imageIds: [] }, foundAt: NOW };
const receipt = { at: NOW, message: 'Saved.' };

describe('a state of version 3', () => {
  test.each([
    ['queued', { notBefore: NOW }, { state: 'pending', notBefore: NOW }],
    [
      'waiting',
      { reason, serverErrors: { count: 1, since: NOW } },
      { state: 'pending', reason, serverErrors: { count: 1 } },
    ],
    ['uncertain', { reason }, { state: 'pending', reason }],
    ['sending', { attempts: 1 }, { state: 'sending', attempts: 1 }],
    ['refused', { reason, candidates: [4] }, { state: 'attention', reason, candidates: [4] }],
    ['refused', {}, { state: 'attention', reason: { code: 'refused' } }],
    ['conflict', { conflict, reason }, { state: 'attention', conflict, reason }],
    ['done', { receipt }, { state: 'done', receipt }],
  ] as const)('%s with %j becomes a phase with its facts', (state, facts, expected) => {
    expect(upcast(stored(state, facts))).toMatchObject({ schema: ENTRY_SCHEMA, ...expected });
  });

  test('leaves no fact of another phase behind', () => {
    const entry = upcast(stored('done', { receipt, reason, notBefore: NOW, conflict, candidates: [1] }));
    for (const fact of ['reason', 'notBefore', 'conflict', 'candidates']) expect(entry).not.toHaveProperty(fact);
  });
});

describe('a flag of version 3', () => {
  test.each([
    ['doubt', ['attempt']],
    ['copied', ['export']],
    ['mended', ['repair']],
    ['firstMayBeThere', ['earlier-payload']],
  ] as const)('%s becomes a delivery possibility', (flag, delivery) => {
    const entry = upcast(stored('uncertain', { [flag]: true }));
    expect(entry.delivery).toEqual(delivery);
    expect(entry).not.toHaveProperty(flag);
  });

  test('is absent when nothing can be on the server', () => {
    expect(upcast(stored('queued')).delivery).toEqual([]);
    const flags = { doubt: false, copied: false, mended: false, firstMayBeThere: false };
    expect(upcast(stored('queued', flags)).delivery).toEqual([]);
  });

  test('facts get their new names', () => {
    const entry = upcast(stored('uncertain', { knownIds: [1], confirmed: 'Created.', partOf: 'entry-1' }));
    expect(entry).toMatchObject({ baselineIds: [1], acceptedMessage: 'Created.' });
    for (const fact of ['knownIds', 'confirmed', 'partOf']) expect(entry).not.toHaveProperty(fact);
  });
});

describe('version 4', () => {
  const before = (more: Partial<OutboxEntry>) => ({ ...entryOf(creating(), more), schema: 4 }) as OutboxEntry;

  test('renames its duplicates', () => {
    const told = { at: NOW, message: 'Created.', twins: [7] };
    const entry = upcast(before({ state: 'done', receipt: told } as Partial<OutboxEntry>));
    expect(entry.receipt).toEqual({ at: NOW, message: 'Created.', duplicates: [7] });
  });

  test('turns its site meta operation into an edit of a single-record resource', () => {
    const change = { op: 'save-settings', values: { title: 'T' }, base: { values: {}, imageIds: [] } };
    const entry = upcast(before({ change } as unknown as Partial<OutboxEntry>));
    expect(entry.change).toEqual({ ...change, op: 'update', resource: 'site-meta', recordId: '1', files: [] });
  });

  test('keeps the list ids of a create, and drops an edit’s image ids, which its base holds', () => {
    expect(upcast(before({ baselineIds: [1] })).baselineIds).toEqual([1]);
    const edit = { ...entryOf(editing('7', {}, {}), { baselineIds: [1] }), schema: 4 };
    expect(upcast(edit)).not.toHaveProperty('baselineIds');
  });
});

test('an entry that version 5 split off another one continues as the edit that it is', () => {
  const part = editing('7', {}, {});
  const entry = upcast({ ...entryOf(part), schema: 5, parentId: 'entry-1' } as unknown as OutboxEntry);
  expect(entry).toMatchObject({ schema: ENTRY_SCHEMA, change: part });
  expect(entry).not.toHaveProperty('parentId');
});

describe('older versions', () => {
  test('a change that version 1 tried may be delivered', () => {
    expect(upcast(stored('waiting', { schema: 1, attempts: 1 })).delivery).toEqual(['attempt', 'repair']);
  });

  test.each(['queued', 'refused'] as const)('a change that version 1 had %s is certainly not delivered', (state) => {
    const attempts = state === 'queued' ? 0 : 1;
    expect(upcast(stored(state, { schema: 1, attempts })).delivery).not.toContain('attempt');
  });

  test('a change that version 1 had confirmed has no unknown delivery', () => {
    expect(upcast(stored('done', { schema: 1, attempts: 2 })).delivery).not.toContain('attempt');
  });

  test('a confirmed change without a receipt gets one with its creation time', () => {
    const entry = upcast(stored('done', { receipt: undefined }));
    expect(entry.receipt).toEqual({ at: entry.createdAt, message: '' });
  });

  test('a change of version 2 may have been repaired under its key', () => {
    expect(upcast(stored('queued', { schema: 2 })).delivery).toEqual(['repair']);
  });

  test('leaves a change of a newer version unchanged', () => {
    const newer = entryOf(creating(), { schema: ENTRY_SCHEMA + 1 });
    expect(upcast(newer)).toBe(newer);
  });
});
