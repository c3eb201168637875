import { describe, expect, test } from 'vitest';
import { baseOf, baseOfRow } from '../../../src/domain/outbox/base.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';

const record = { brand: 'Perkins', catalog: 'a.pdf', images: [{ id: 3, image: 'a.png' }], version: 'v1' };

test('a base holds the record’s texts, single files, image ids and version', () => {
  expect(baseOf(resourceOf('generators'), { ...record, capacity: null })).toEqual({
    version: 'v1',
    values: { brand: 'Perkins', capacity: '' },
    imageIds: [3],
    files: { catalog: 'a.pdf' },
  });
  expect(Object.keys(baseOf(resourceOf('generators'), record).values)).not.toContain('catalog');
});

test('a base omits the version and images that a record does not have', () => {
  expect(baseOf(resourceOf('partners'), { name: 'Acme', link: 'a', image: 'a.png' })).toEqual({
    values: { name: 'Acme', link: 'a' },
    imageIds: [],
    files: { image: 'a.png' },
  });
});

test('what a list row does not show was not seen', () => {
  expect(baseOf(resourceOf('generators'), { brand: 'Perkins', version: 'v1' })).toEqual({
    version: 'v1',
    values: { brand: 'Perkins' },
  });
});

describe('the base of a change made in a list', () => {
  const row = { brand: 'Perkins' };
  const whole = baseOf(resourceOf('generators'), { ...record, capacity: '1' });
  const parts = { imageIds: [3], files: { catalog: 'a.pdf' } };

  test('takes what the row does not show from the record', () => {
    const base = baseOfRow(resourceOf('generators'), row, whole);
    expect(base).toEqual({ version: 'v1', values: { brand: 'Perkins', capacity: '1' }, ...parts });
  });

  test('keeps what the row shows, without the version of a record that says something else', () => {
    const base = baseOfRow(resourceOf('generators'), { brand: 'Old' }, whole);
    expect(base).toEqual({ values: { brand: 'Old', capacity: '1' }, ...parts });
  });

  test('knows the user’s own files by their bytes, whatever row and record still name', () => {
    const sent = { id: '1', field: 'catalog', name: 'new.pdf', type: 'application/pdf', size: 1, sha256: 'abc' };
    const known = { values: {}, files: { catalog: 'b.pdf' } };
    const base = baseOfRow(resourceOf('generators'), { ...row, catalog: 'a.pdf' }, known, [sent]);
    expect(base).toEqual({ values: row, files: { catalog: 'a.pdf' }, ownFiles: { catalog: ['abc'] } });
  });

  test('is the row itself if that has a version, or if the record is not known', () => {
    const versioned = { ...row, version: 'v0' };
    expect(baseOfRow(resourceOf('generators'), versioned, whole)).toEqual({ version: 'v0', values: row });
    expect(baseOfRow(resourceOf('generators'), row, undefined)).toEqual({ values: row });
  });
});

test('the base of a resource without file fields lists no files', () => {
  const base = baseOf(siteMeta, { title: 'Shop', version: 2 });
  expect(base).not.toHaveProperty('files');
  expect(base).toMatchObject({ version: '2', imageIds: [] });
});
