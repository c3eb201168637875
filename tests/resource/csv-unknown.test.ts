import { expect, test } from 'vitest';
import { partners } from '../../src/domain/resources/partners.ts';
import { generators } from '../../src/domain/resources/generators.ts';
import { planImport } from '../../src/resource/csv/csv-import.ts';
import { listCsv } from '../../src/resource/csv/csv-export.ts';
import { compare } from '../../src/domain/outbox/conflict.ts';

test('one record that is not whole does not take a column from all others unseen', () => {
  const whole = {
    brand: 'Perkins',
    capacity: '20',
    generator_model: 'P',
    engine_model: 'E',
    alternator_model: 'A',
    origin: 'UK',
    series: 'S',
  };
  const rows = Array.from({ length: 500 }, (_, at) => ({ recordId: String(at + 1), ...whole }));
  const csv = listCsv(generators, [...rows, { recordId: '501', brand: 'New', generator_model: 'N' }]);
  expect(csv.split('\r\n')[0]).toContain('origin');
});

test('a line for a record that is waiting to be deleted is told', () => {
  const plan = planImport(
    partners,
    'id,name,link\r\n1,Delta two,\r\n',
    [{ recordId: '1', name: 'Delta', link: '', pending: 'delete' }],
    new Set(),
  );
  expect(Object.keys(plan.lines[0]?.errors ?? {})).not.toEqual([]);
});

test('the second of two lines for one record is told', () => {
  const plan = planImport(
    partners,
    'id,name,link\r\n1,First,\r\n1,Second,\r\n',
    [{ recordId: '1', name: 'Delta', link: '' }],
    new Set(),
  );
  expect(plan.lines.some(({ errors }) => Object.keys(errors).length > 0)).toBe(true);
});

test('one’s own photos do not count as added by somebody else', () => {
  const change = {
    op: 'update',
    resource: 'generators',
    recordId: '1',
    values: { brand: 'Mine' },
    files: [],
    base: { values: { brand: 'Old' }, imageIds: [1], ownImagesAdded: true },
  } as never;
  expect(compare(change, { values: { brand: 'Theirs' }, imageIds: [1, 2, 3] }).images.added).toEqual([]);
});
