import { expect, test } from 'vitest';
import { fitsCreate, newRowIds, resemblesCreate } from '../../../src/domain/protocol/read-back/likeness.ts';
import { matched } from '../../../src/domain/protocol/read-back/stored-files.ts';
import type { CreateChange } from '../../../src/domain/outbox/vocabulary.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { fileOf } from '../outbox/samples.ts';

const sliders = resourceOf('sliders');
const slider: CreateChange = {
  op: 'create',
  resource: 'sliders',
  recordId: 'local-1',
  values: { text: 'Sale ', serial: '3' },
  files: [],
};

test('counts only new rows that no other change has claimed', () => {
  expect(newRowIds([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }], [1, 2], (id) => id === 4)).toEqual([3]);
});

test('a row fits when it holds what was sent, in the form a server stores it', () => {
  expect(fitsCreate(sliders, slider, { id: 9, text: 'Sale', serial: 3 })).toBe(true);
  expect(fitsCreate(sliders, slider, { id: 9, text: 'Sale', serial: 4 })).toBe(false);
});

test('an empty text fits a stored null', () => {
  const partner: CreateChange = { ...slider, resource: 'partners', values: { name: 'Acme', link: '' } };
  expect(fitsCreate(resourceOf('partners'), partner, { id: 9, name: 'Acme', link: null })).toBe(true);
});

test('a row with fewer images than were sent does not fit', () => {
  const ups: CreateChange = { ...slider, resource: 'ups', values: {}, files: [fileOf('a'), fileOf('b')] };
  const stored = (count: number) => ({ id: 9, images: Array.from({ length: count }, (_, id) => ({ id, image: 'x' })) });
  expect(fitsCreate(resourceOf('ups'), ups, stored(1))).toBe(false);
  expect(fitsCreate(resourceOf('ups'), ups, stored(2))).toBe(true);
});

test('a row resembles an edited create by the same name, one changed text or half of the texts', () => {
  const values = { brand: 'B', model: 'M', capacity: '1', origin: 'UK', type: 'Online' };
  const ups: CreateChange = { ...slider, resource: 'ups', values };
  const resembles = (more: Record<string, string>) =>
    resemblesCreate(resourceOf('ups'), ups, { id: 9, ...values, ...more });
  expect(resembles({ capacity: '2', origin: 'FR', type: 'Offline' })).toBe(true);
  expect(resembles({ model: 'N' })).toBe(true);
  expect(resembles({ brand: 'C' })).toBe(true);
  expect(resembles({ model: 'N', capacity: '2' })).toBe(true);
  expect(resembles({ model: 'N', capacity: '2', origin: 'FR' })).toBe(false);
  expect(resembles({ brand: 'C', model: 'N' })).toBe(false);
});

test('a row of a kind with two texts resembles a create only by its name', () => {
  const partner: CreateChange = {
    ...slider,
    resource: 'partners',
    values: { name: 'Acme', link: 'https://a.example' },
  };
  const resembles = (record: object) => resemblesCreate(resourceOf('partners'), partner, { id: 9, ...record });
  expect(resembles({ name: 'Other', link: 'https://a.example' })).toBe(false);
  expect(resembles({ name: 'Acme', link: 'https://b.example' })).toBe(true);
});

test('a missing image list does not rule a row out', () => {
  const ups: CreateChange = { ...slider, resource: 'ups', values: {}, files: [fileOf('a')] };
  expect(fitsCreate(resourceOf('ups'), ups, { id: 9 })).toBe(true);
  expect(fitsCreate(resourceOf('ups'), ups, { id: 9, images: [] })).toBe(false);
});

test('two equal photos need two stored ones', () => {
  const photo = { field: 'images', sha256: 'a' };
  expect(matched([photo, photo], [photo])).toEqual({ there: [photo], missing: [photo] });
  expect(matched([photo, photo], [photo, photo]).missing).toEqual([]);
});
