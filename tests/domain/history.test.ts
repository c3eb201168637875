import { expect, test } from 'vitest';
import {
  actionWords,
  type HistoryEntry,
  historyPath,
  lastAuthors,
  shownChanges,
  valuesAfter,
} from '../../src/domain/history.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { siteMeta } from '../../src/domain/resources/site-meta.ts';

const entry: HistoryEntry = {
  id: 3,
  at: '2026-11-20T10:00:00.000Z',
  administrator: 'Nadia Rahman',
  action: 'update',
  changes: [{ field: 'engine_model', before: 'A', after: null }],
};

test('says who did what in a sentence', () => {
  expect(actionWords(entry)).toBe('Changed by Nadia Rahman');
  expect(actionWords({ ...entry, action: 'delete-image' })).toBe('Image removed by Nadia Rahman');
});

test('names fields by their labels, and a field that is no longer defined by its name', () => {
  expect(shownChanges(generators, entry)).toEqual([
    { label: 'Engine model', field: 'engine_model', before: 'A', after: null },
  ]);
  const lost = { ...entry, changes: [{ field: 'weight', before: '1', after: '2' }] };
  expect(shownChanges(generators, lost)[0]?.label).toBe('weight');
});

test('knows who last changed each field', () => {
  const renamed = { field: 'engine_model', before: 'A', after: 'B' };
  const moved = { field: 'origin', before: '', after: 'Dhaka' };
  const [latest, first] = [
    { ...entry, administrator: 'Omar', changes: [renamed] },
    { ...entry, administrator: 'Nadia', changes: [renamed, moved] },
  ];
  expect(lastAuthors([latest, first])).toEqual({ engine_model: 'Omar', origin: 'Nadia' });
  expect(lastAuthors([])).toEqual({});
});

test('lists no fields for a create, since all of them are new', () => {
  expect(shownChanges(generators, { ...entry, action: 'create' })).toEqual([]);
});

test('requests the history of a record by kind and id, and the site meta as a single record', () => {
  expect(historyPath(generators, 12)).toBe('/api/history/generators/12');
  expect(historyPath(siteMeta, siteMeta.only)).toBe('/api/history/site-meta/1');
});

test('undoes later changes to restore the texts of an earlier version, and leaves files alone', () => {
  const [latest, middle, first] = [
    { ...entry, id: 3, changes: [{ field: 'engine_model', before: 'B', after: 'C' }] },
    { ...entry, id: 2, changes: [{ field: 'engine_model', before: null, after: 'B' }] },
    { ...entry, id: 1, changes: [{ field: 'catalog', before: 'a.pdf', after: 'b.pdf' }] },
  ] as const;
  const now = { brand: 'Perkins', engine_model: 'C' };
  const after = (one: HistoryEntry) => valuesAfter(generators, [latest, middle, first], one, now);
  expect(after(latest)).toEqual(now);
  expect(after(middle)).toEqual({ ...now, engine_model: 'B' });
  expect(after(first)).toEqual({ ...now, engine_model: '' });
});
