import { describe, expect, test } from 'vitest';
import { splitFiles } from '../../../src/domain/protocol/request-limits.ts';
import { fileOf } from '../outbox/samples.ts';

const LIMITS = { maxFilesPerRequest: 20, maxRequestBytes: 12 * 1024 * 1024 };

describe('files that exceed one request', () => {
  const photos = Array.from({ length: 45 }, (_, index) => fileOf(`photo-${index}`));
  const catalog = fileOf('catalog', 'catalog');

  test('are split in order, with the catalogue in the first part', () => {
    const parts = splitFiles('generators', [...photos, catalog], LIMITS);
    expect(parts.map(({ length }) => length)).toEqual([20, 20, 6]);
    expect(parts.flat()).toEqual([catalog, ...photos]);
  });

  test('are split by size too', () => {
    const large = Array.from({ length: 5 }, (_, index) => fileOf(`large-${index}`, 'images', 5 * 1024 * 1024));
    expect(splitFiles('generators', large, LIMITS).map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('include one that is too large, which gets its own part for the server to refuse', () => {
    const huge = fileOf('huge', 'images', 20 * 1024 * 1024);
    expect(splitFiles('generators', [fileOf('small'), huge], LIMITS).map(({ length }) => length)).toEqual([1, 1]);
  });

  test('include one that is too large, which gets no empty part before it', () => {
    const huge = fileOf('huge', 'images', 20 * 1024 * 1024);
    expect(splitFiles('generators', [huge], LIMITS)).toEqual([[huge]]);
  });

  test('send a photo that fits beside the catalogue with it, as no back end takes a create without photos', () => {
    const sized = (sha256: string, megabytes: number, field = 'images') =>
      fileOf(sha256, field, megabytes * 1024 * 1024);
    const [large, small, book] = [sized('large', 4), sized('small', 2), sized('book', 9, 'catalog')];
    expect(splitFiles('generators', [book, large, small], LIMITS)).toEqual([[book, small], [large]]);
    expect(splitFiles('generators', [book, large], LIMITS)).toEqual([[book], [large]]);
  });

  test('a change without files is one part', () => {
    expect(splitFiles('partners', [], LIMITS)).toEqual([[]]);
  });
});

test('files that fill a request to its last byte are split, to leave room for the texts', () => {
  const half = LIMITS.maxRequestBytes / 2;
  const [one, other] = [fileOf('one', 'images', half), fileOf('other', 'images', half)];
  expect(splitFiles('generators', [one, other], LIMITS)).toEqual([[one], [other]]);
  const smaller = fileOf('smaller', 'images', half - 64 * 1024);
  expect(splitFiles('generators', [one, smaller], LIMITS)).toEqual([[one, smaller]]);
});
