import { expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { bulkChanges, bulkDrafts, isWholeRow } from '../../src/resource/list/bulk-edit.ts';
import { bulkFields, editedAlone } from '../../src/resource/list/edited-fields.ts';

const partners = resourceOf('partners');
const rows = [
  { recordId: '7', name: 'Acme', link: 'https://old.example' },
  { recordId: '8', name: 'Bolt', link: 'https://new.example' },
];

test('changes only records whose value differs, each with its shown values as the base', () => {
  const changes = bulkChanges(partners, rows, 'link', 'https://new.example');
  expect(changes.map(({ title, before }) => [title, before])).toEqual([['Acme', 'https://old.example']]);
  const [change] = bulkDrafts(partners, 'link', changes, { administrator: '1' });
  expect(change?.draft).toMatchObject({
    recordId: '7',
    values: { name: 'Acme', link: 'https://new.example' },
    base: { values: { name: 'Acme', link: 'https://old.example' } },
  });
});

test('bases an undo on the values that the bulk edit wrote', () => {
  const changes = bulkChanges(partners, rows, 'link', 'https://new.example');
  const [back] = bulkDrafts(partners, 'link', changes, { administrator: '1', undoing: true });
  expect(back?.draft).toMatchObject({
    values: { link: 'https://old.example' },
    base: { values: { link: 'https://new.example' } },
  });
});

test('offers what records share for a bulk edit, and for one cell neither dependent choices nor their field', () => {
  const inverters = resourceOf('grid-tie-inverters');
  expect(bulkFields(inverters).map(({ name }) => name)).toEqual(['type', 'brand', 'capacity']);
  expect(editedAlone(inverters).map(({ name }) => name)).toEqual(['capacity', 'model']);
});

test('does not count a row with an unknown text as a whole record', () => {
  expect(isWholeRow(partners, { recordId: '7', name: 'Acme' })).toBe(false);
  expect(rows.every((row) => isWholeRow(partners, row))).toBe(true);
});

test('ignores a difference in surrounding space', () => {
  expect(bulkChanges(partners, rows, 'name', ' Acme ').map(({ row }) => row.recordId)).toEqual(['8']);
});
