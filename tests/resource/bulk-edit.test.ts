import { expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { bulkChanges, bulkDrafts, isWholeRow } from '../../src/resource/list/bulk-edit.ts';
import { bulkFields } from '../../src/resource/list/edited-fields.ts';

const partners = resourceOf('partners');
const rows = [
  { recordId: '7', name: 'Acme', link: 'https://old.example' },
  { recordId: '8', name: 'Bolt', link: 'https://new.example' },
];

test('only records that have another value are changed, each on what was seen of it', () => {
  const changes = bulkChanges(partners, rows, 'link', 'https://new.example');
  expect(changes.map(({ title, before }) => [title, before])).toEqual([['Acme', 'https://old.example']]);
  const [change] = bulkDrafts(partners, 'link', changes, { administrator: '1' });
  expect(change?.draft).toMatchObject({
    recordId: '7',
    values: { name: 'Acme', link: 'https://new.example' },
    base: { values: { name: 'Acme', link: 'https://old.example' } },
  });
});

test('what takes them back is measured against what they made', () => {
  const changes = bulkChanges(partners, rows, 'link', 'https://new.example');
  const [back] = bulkDrafts(partners, 'link', changes, { administrator: '1', undoing: true });
  expect(back?.draft).toMatchObject({
    values: { link: 'https://old.example' },
    base: { values: { link: 'https://new.example' } },
  });
});

test('a choice that depends on another field, and that field, are not edited together with others', () => {
  expect(bulkFields(resourceOf('grid-tie-inverters')).map(({ name }) => name)).toEqual(['capacity', 'model']);
});

test('a record of which a text is not known here is not saved', () => {
  expect(isWholeRow(partners, { recordId: '7', name: 'Acme' })).toBe(false);
  expect(rows.every((row) => isWholeRow(partners, row))).toBe(true);
});

test('a value that differs only in the space around it is no change', () => {
  expect(bulkChanges(partners, rows, 'name', ' Acme ').map(({ row }) => row.recordId)).toEqual(['8']);
});
