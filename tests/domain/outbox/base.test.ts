import { expect, test } from 'vitest';
import { baseOf } from '../../../src/domain/outbox/base.ts';
import { resourceOf } from '../../../src/domain/resources/index.ts';
import { siteMeta } from '../../../src/domain/resources/site-meta.ts';

const record = { brand: 'Perkins', catalog: 'a.pdf', images: [{ id: 3, image: 'a.png' }], version: 'v1' };

test('a record is measured by its texts, its single files, the ids of its images and its version', () => {
  expect(baseOf(resourceOf('generators'), record)).toEqual({
    version: 'v1',
    values: expect.objectContaining({ brand: 'Perkins', capacity: '' }) as unknown,
    imageIds: [3],
    files: { catalog: 'a.pdf' },
  });
  expect(Object.keys(baseOf(resourceOf('generators'), record).values)).not.toContain('catalog');
});

test('a server without versions and a record without images leave no trace of them', () => {
  expect(baseOf(resourceOf('partners'), { name: 'Acme', link: 'a', image: 'a.png' })).toEqual({
    values: { name: 'Acme', link: 'a' },
    imageIds: [],
    files: { image: 'a.png' },
  });
});

test('what has no files is measured without them', () => {
  const base = baseOf(siteMeta, { title: 'Shop', version: 2 });
  expect(base).not.toHaveProperty('files');
  expect(base).toMatchObject({ version: '2', imageIds: [] });
});
