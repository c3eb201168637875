import { expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { facetGroups, optionLabel, toggled } from '../../src/resource/list/facets.ts';
import type { Look } from '../../src/resource/list/list-rules.ts';
import { addressOf, lookIn } from '../../src/resource/list/view-address.ts';

const generators = resourceOf('generators');
const plain: Look = { query: '', chosen: {}, sort: undefined };

test('writes the view of a list to an address and reads it back', () => {
  const look: Look = {
    query: '20 kVA',
    chosen: { brand: ['Cummins', 'FG Wilson'], photos: ['without'] },
    sort: { field: 'capacity', direction: 'descending' },
  };
  expect(addressOf(look)).toBe('?q=20+kVA&sort=-capacity&brand=Cummins&brand=FG+Wilson&photos=without');
  expect(lookIn(generators, addressOf(look))).toEqual(look);
});

test('an address says which way a list is sorted', () => {
  const sorted = (direction: 'ascending' | 'descending'): Look => ({ ...plain, sort: { field: 'brand', direction } });
  expect(addressOf(sorted('ascending'))).toBe('?sort=brand');
  expect(addressOf(sorted('descending'))).toBe('?sort=-brand');
  expect(lookIn(generators, '?sort=brand')).toEqual(sorted('ascending'));
});

test('the plain list has a plain address', () => {
  expect(addressOf(plain)).toBe('');
  expect(lookIn(generators, '')).toBeUndefined();
});

test('ignores what an address asks for that the list does not have', () => {
  expect(lookIn(generators, '?sort=link&color=red&from=7')).toBeUndefined();
  expect(lookIn(generators, '?q=a&color=red')).toEqual({ ...plain, query: 'a' });
  expect(lookIn(generators, '?constructor=a')).toBeUndefined();
  expect(optionLabel(generators, 'photos', 'constructor')).toBe('constructor');
});

test('counts facet values, most frequent first, and leaves out facets that divide nothing', () => {
  const rows = [
    { recordId: '1', brand: 'A', series: 'S', photo: 'a.jpg', has_catalog: 1 },
    { recordId: '2', brand: 'B', series: 'S', photo: null, has_catalog: 1 },
    { recordId: '3', brand: 'B', series: 'S', photo: null, has_catalog: 1, pending: 'update' },
  ];
  const groups = facetGroups(generators, rows).map(({ label, options }) => [
    label,
    options.map((option) => `${option.label} ${option.count}`),
  ]);
  expect(groups).toEqual([
    ['Brand', ['B 2', 'A 1']],
    ['Photos', ['Without 2', 'With 1']],
    ['Waiting to be sent', ['Waiting 1']],
  ]);
});

test('orders equally frequent values alphabetically, and labels an empty one', () => {
  const rows = ['Cummins', '', 'Atlas'].map((brand, at) => ({ recordId: String(at + 1), brand }));
  const [group] = facetGroups(generators, rows);
  expect(group?.options.map(({ value, label }) => [value, label])).toEqual([
    ['', '(empty)'],
    ['Atlas', 'Atlas'],
    ['Cummins', 'Cummins'],
  ]);
});

test('deselects a value that is chosen again', () => {
  expect(toggled(toggled({}, 'brand', 'A'), 'brand', 'A')).toEqual({});
  expect(toggled({ brand: ['A'] }, 'brand', 'B')).toEqual({ brand: ['A', 'B'] });
});

test('counts a photo that is still on this device, and ignores rows without photo information', () => {
  const photos = (...rows: readonly object[]) =>
    facetGroups(
      generators,
      rows.map((row, at) => ({ recordId: String(at), brand: 'A', ...row })),
    ).map(({ options }) => options.map(({ label, count }) => `${label} ${count}`));
  expect(photos({ photo: null, localImage: { id: 'p' } }, { photo: null })).toEqual([['With 1', 'Without 1']]);
  expect(photos({ photo: 'a.jpg' }, {})).toEqual([]);
});
