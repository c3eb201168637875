import { expect, test } from 'vitest';
import { baseOf } from '../../../src/domain/outbox/base.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';

const record = { brand: 'Perkins', catalog: 'a.pdf', images: [{ id: 3, image: 'a.png' }], version: 'v1' };

test('a base holds the record’s texts, single files, image ids and version', () => {
  expect(baseOf(resourceOf('generators'), record)).toEqual({
    version: 'v1',
    values: expect.objectContaining({ brand: 'Perkins', capacity: '' }) as unknown,
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

test('the base of a resource without file fields lists no files', () => {
  const base = baseOf(siteMeta, { title: 'Shop', version: 2 });
  expect(base).not.toHaveProperty('files');
  expect(base).toMatchObject({ version: '2', imageIds: [] });
});
