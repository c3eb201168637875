import { UNITS } from '../../src/domain/resources/units.ts';
import { describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { catalogue as german } from '../../src/language/de.ts';
import { speak } from '../../src/language/t.ts';
import type { Chosen } from '../../src/resource/list/facets.ts';
import { indexRows, nextSort, type Row, type Sort, visibleRows } from '../../src/resource/list/list-rules.ts';

const generators = resourceOf('generators');
const rows: readonly Row[] = [
  { recordId: '1', brand: 'Müller', generator_model: 'G 10', origin: 'Germany' },
  { recordId: '2', brand: 'Perkins', generator_model: 'G 5', origin: null },
  { recordId: '3', brand: 'perkins', generator_model: 'G 100' },
];
const ids = (found: readonly Row[]) => found.map((row) => row.recordId);
const look = (query: string, sort?: Sort, chosen: Chosen = {}) =>
  ids(visibleRows(indexRows(generators, rows), { query, sort, chosen }));
/** The capacities that a query finds. */
const capacities = (query: string, sort?: Sort) =>
  visibleRows(indexRows(generators, sized), { query, sort, chosen: {} }).map(({ capacity }) => capacity);
const sized: readonly Row[] = ['250 kW', '5 kW', '5.5 kW', '20 kVA', '50kVA', '500 W', '0,5 kW', '25 kW'].map(
  (capacity, at) => ({ recordId: String(at), brand: 'Sun', generator_model: `G${at}`, capacity }),
);

describe('search', () => {
  test('without words leaves every row in the server’s order', () => {
    expect(look('  ')).toEqual(['1', '2', '3']);
  });

  test('finds each word in any column, whatever its case', () => {
    expect(look('PERKINS g')).toEqual(['2', '3']);
    expect(look('perkins 100')).toEqual(['3']);
  });

  test('finds a number that follows another, and none within a longer one', () => {
    const models = ['T2 450', 'T-450', '2450', '1.450', '#450'].map((generator_model, at) => ({
      recordId: String(at),
      brand: 'Sun',
      generator_model,
    }));
    const found = visibleRows(indexRows(generators, models), { query: '450', sort: undefined, chosen: {} });
    expect(found.map(({ generator_model }) => generator_model)).toEqual(['T2 450', 'T-450']);
  });

  test('finds accented letters without their accents', () => {
    expect(look('muller')).toEqual(['1']);
  });

  test('includes texts that the list does not show when rows are whole records', () => {
    expect(look('germany')).toEqual(['1']);
  });
});

test('converts every unit to its base unit', () => {
  const told = Object.entries(UNITS).map(([unit, { of, factor }]) => `${unit} = ${factor} ${of}`);
  expect(told).toEqual([
    'w = 1 w',
    'wp = 1 w',
    'watt = 1 w',
    'kw = 1000 w',
    'kwp = 1000 w',
    'mw = 1000000 w',
    'va = 1 va',
    'kva = 1000 va',
    'mva = 1000000 va',
    'v = 1 v',
    'kv = 1000 v',
    'a = 1 a',
    'ah = 1 ah',
    'wh = 1 wh',
    'kwh = 1000 wh',
    'hz = 1 hz',
    'lm = 1 lm',
    'rpm = 1 rpm',
    'mm = 0.001 m',
    'cm = 0.01 m',
    'm = 1 m',
    'kg = 1 kg',
  ]);
});

describe('search for numbers and units', () => {
  test('finds a quantity, but not longer ones that contain it', () => {
    expect(capacities('5 kW')).toEqual(['5 kW']);
    expect(capacities('sun 250kw')).toEqual(['250 kW']);
  });

  test('takes no notice of the space before a unit, nor of its case', () => {
    for (const query of ['20kva', '20 kVA', '20 KVA', '20 k', '20k'])
      expect(capacities(query), query).toEqual(['20 kVA']);
  });

  test('finds the words on both sides of a quantity, as they are written', () => {
    const row = { recordId: '1', brand: 'Sun', generator_model: 'Silent/20kVA/Diesel' };
    const found = (query: string) =>
      ids(visibleRows(indexRows(generators, [row]), { query, sort: undefined, chosen: {} }));
    expect(found('silent/20kva/diesel')).toEqual(['1']);
    expect(found('silent/25kva/diesel')).toEqual([]);
  });

  test('finds the same quantity in another unit', () => {
    expect(capacities('0.5 kW')).toEqual(['500 W', '0,5 kW']);
    expect(capacities('5000 w')).toEqual(['5 kW']);
  });

  test('finds a number at its beginning only', () => {
    expect(capacities('5')).toEqual(['5 kW', '5.5 kW', '50kVA', '500 W']);
    expect(capacities('50')).toEqual(['50kVA', '500 W']);
  });
});

describe('facets', () => {
  test('keep the rows that have one of the chosen values in each facet', () => {
    expect(look('', undefined, { brand: ['Perkins', 'perkins'] })).toEqual(['2', '3']);
    expect(look('g', undefined, { brand: ['Perkins', 'Müller'], origin: ['Germany'] })).toEqual(['1']);
  });
});

describe('sort', () => {
  test('orders quantities by amount, whatever their units', () => {
    const ascending = { field: 'capacity', direction: 'ascending' } as const;
    expect(capacities('kw', ascending)).toEqual(['0,5 kW', '5 kW', '5.5 kW', '25 kW', '250 kW']);
    expect(capacities('', ascending)[0]).toBe('500 W');
  });

  test('orders numbers within texts numerically', () => {
    expect(look('', { field: 'generator_model', direction: 'ascending' })).toEqual(['2', '1', '3']);
    expect(look('', { field: 'generator_model', direction: 'descending' })).toEqual(['3', '1', '2']);
  });

  test('keeps the server’s order among equals', () => {
    expect(look('', { field: 'brand', direction: 'ascending' })).toEqual(['1', '2', '3']);
  });

  test('combines with a search', () => {
    expect(look('perkins', { field: 'generator_model', direction: 'descending' })).toEqual(['3', '2']);
  });

  test('cycles a heading through ascending, descending and the default order', () => {
    const first = nextSort(undefined, 'brand');
    expect(first).toEqual({ field: 'brand', direction: 'ascending' });
    const second = nextSort(first, 'brand');
    expect(second).toEqual({ field: 'brand', direction: 'descending' });
    expect(nextSort(second, 'brand')).toBeUndefined();
    expect(nextSort(second, 'origin')).toEqual({ field: 'origin', direction: 'ascending' });
  });
});

/** The models that a list with these shows, in order. */
const modelsOf = (models: readonly string[], query: string, sort?: Sort) => {
  const listed = models.map((model, at) => ({ recordId: String(at), brand: 'Sun', generator_model: model }));
  return visibleRows(indexRows(generators, listed), { query, sort, chosen: {} }).map((row) => row['generator_model']);
};

test('equal amounts sort by their unit', () => {
  expect(modelsOf(['5 kW', '5 kVA'], '', { field: 'generator_model', direction: 'ascending' })).toEqual([
    '5 kVA',
    '5 kW',
  ]);
});

test('a quantity does not match one whose unit only starts the same', () => {
  expect(modelsOf(['5 W', '5 Wh', '5 Wp'], '5 W')).toEqual(['5 W', '5 Wp']);
});

test('letters followed by digits are found anywhere in a word', () => {
  expect(modelsOf(['C9E15', 'C9'], 'e15')).toEqual(['C9E15']);
});

test('a number that also appears inside another one is found where it stands alone', () => {
  expect(modelsOf(['P250 mark 5', 'P250'], '5')).toEqual(['P250 mark 5']);
});

test('fractions sort as numbers, in quantities and in names, and surrounding space does not count', () => {
  const ascending = { field: 'generator_model', direction: 'ascending' } as const;
  expect(modelsOf(['1.4 V', '1.2 V', '1.3 V'], '', ascending)).toEqual(['1.2 V', '1.3 V', '1.4 V']);
  expect(modelsOf(['M 1.5', 'M 1.25', 'M 1'], '', ascending)).toEqual(['M 1', 'M 1.25', 'M 1.5']);
  expect(modelsOf(['Zeta', ' Zulu', 'Alpha', ' Beta'], '', ascending)).toEqual(['Alpha', ' Beta', 'Zeta', ' Zulu']);
});

test('a number with thousands separators is read in full', () => {
  const models = ['1.500.000 W', '1,500,000 W', '1.500.000,5 W', '1.500,5 W', '1.500 W', '1.5 W'];
  expect(modelsOf(models, '1500 kW')).toEqual(['1.500.000 W', '1,500,000 W']);
  expect(modelsOf(models, '1500.5 W')).toEqual(['1.500,5 W']);
  expect(modelsOf(models, '1,5 W')).toEqual(['1.500 W', '1.5 W']);
});

test('a choice is found by its stored value and by its translation, and sorts by its translation', () => {
  const inverters = resourceOf('grid-tie-inverters');
  const types = ['Single Phase', 'Three Phase'];
  const listed = types.map((type, at) => ({ recordId: String(at), brand: 'ABB', type }));
  const shown = (query: string, sort?: Sort) =>
    visibleRows(indexRows(inverters, listed), { query, sort, chosen: {} }).map(({ type }) => type);
  speak(german);
  try {
    expect([shown('single'), shown('einphasig')]).toEqual([['Single Phase'], ['Single Phase']]);
    expect(shown('', { field: 'type', direction: 'ascending' })).toEqual(['Three Phase', 'Single Phase']);
  } finally {
    speak(undefined);
  }
});
