import { describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { indexRows, nextSort, type Row, visibleRows } from '../../src/resource/list/list-rules.ts';

const generators = resourceOf('generators');
const rows: readonly Row[] = [
  { recordId: '1', brand: 'Müller', generator_model: 'G 10', origin: 'Germany' },
  { recordId: '2', brand: 'Perkins', generator_model: 'G 5', origin: null },
  { recordId: '3', brand: 'perkins', generator_model: 'G 100' },
];
const ids = (found: readonly Row[]) => found.map((row) => row.recordId);
const look = (query: string, sort?: Parameters<typeof visibleRows>[2]) =>
  ids(visibleRows(indexRows(generators, rows), query, sort));

describe('search', () => {
  test('without words leaves every row in the server’s order', () => {
    expect(look('  ')).toEqual(['1', '2', '3']);
  });

  test('finds each word in any column, whatever its case', () => {
    expect(look('PERKINS g')).toEqual(['2', '3']);
    expect(look('perkins 100')).toEqual(['3']);
  });

  test('finds accented letters without their accents', () => {
    expect(look('muller')).toEqual(['1']);
  });

  test('looks into texts that the list does not show where rows are whole records', () => {
    expect(look('germany')).toEqual(['1']);
  });
});

describe('sort', () => {
  test('puts numbers in texts in the order of numbers', () => {
    expect(look('', { field: 'generator_model', direction: 'ascending' })).toEqual(['2', '1', '3']);
    expect(look('', { field: 'generator_model', direction: 'descending' })).toEqual(['3', '1', '2']);
  });

  test('keeps the server’s order among equals', () => {
    expect(look('', { field: 'brand', direction: 'ascending' })).toEqual(['1', '2', '3']);
  });

  test('goes together with a search', () => {
    expect(look('perkins', { field: 'generator_model', direction: 'descending' })).toEqual(['3', '2']);
  });

  test('a heading leads from ascending to descending to the usual order', () => {
    const first = nextSort(undefined, 'brand');
    expect(first).toEqual({ field: 'brand', direction: 'ascending' });
    const second = nextSort(first, 'brand');
    expect(second).toEqual({ field: 'brand', direction: 'descending' });
    expect(nextSort(second, 'brand')).toBeUndefined();
    expect(nextSort(second, 'origin')).toEqual({ field: 'origin', direction: 'ascending' });
  });
});
