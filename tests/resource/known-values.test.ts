import { expect, test } from 'vitest';
import { resourceOf } from '../../src/domain/resources/index.ts';
import { suggestionsOf, twinOf } from '../../src/resource/form/known-values.ts';

const lights = resourceOf('street-lights');
const record = (id: number, brand: string, model: string, origin = 'China') => ({ id, brand, model, origin });
const records = [
  record(1, 'Philips', 'BRP 371'),
  record(2, 'Philips', 'BRP 391', 'Poland'),
  record(3, 'Osram', 'SL 20'),
  record(4, 'Philips', '', 'Poland'),
  record(5, 'Osram', 'SL 30', 'China'),
];

test('suggests values that records share, most frequent first, and never identifying ones', () => {
  const { brand, model, origin } = suggestionsOf(lights, records);
  expect(brand).toEqual(['Philips', 'Osram']);
  expect(origin).toEqual(['China', 'Poland']);
  expect(model).toEqual([]);
});

test('suggests no addresses, even if two records share a link', () => {
  const two = [1, 2].map((id) => ({ id, name: `Delta ${id}`, link: 'https://delta.example' }));
  expect(suggestionsOf(resourceOf('partners'), two)).toEqual({ name: [] });
});

test('finds the record of the same brand and model, whatever the capitals and spaces', () => {
  const values = { brand: ' philips', model: 'brp  391' };
  expect(twinOf(lights, records, values, undefined)).toEqual({ id: 2, title: 'Philips BRP 391' });
  expect(twinOf(lights, records, values, '2')).toBeUndefined();
  expect(twinOf(lights, records, { brand: 'Philips', model: '' }, undefined)).toBeUndefined();
  expect(twinOf(lights, records, { brand: 'Osram', model: 'BRP 391' }, undefined)).toBeUndefined();
});

test('limits the suggestions, and lists each text once regardless of surrounding space', () => {
  const many = Array.from({ length: 100 }, (_, at) => record(at, `Brand ${Math.floor(at / 2)}`, ''));
  expect(suggestionsOf(lights, many)['brand']).toHaveLength(40);
  expect(suggestionsOf(lights, [record(1, 'Osram ', ''), record(2, ' Osram', '')])['brand']).toEqual(['Osram']);
});
