import { expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { listCsv } from '../../src/resource/csv/csv-export.ts';

test('a row that waits to be deleted, or a new one that was refused, is marked or left out of the export', () => {
  const csv = listCsv(partners, [
    { recordId: '1', id: 1, name: 'Kept', link: '' },
    { recordId: '2', id: 2, name: 'Waits to be deleted', link: '', pending: 'delete' },
  ]);
  expect(csv).not.toContain('Waits to be deleted');
});
